/* A GPFIFO between a CPU that delays its stores and a GPU that a doorbell wakes. The CPU stores the
 * words of a segment and the entry that names it, then GP_PUT, then rings. Stores to one kind of
 * memory arrive in order, those to different kinds in any order, unless a barrier waits for them.
 * The GPU reads GP_PUT once for each ring of the doorbell. Claims: the GPU never reads an entry or
 * words that have not arrived or are overwritten, GP_PUT equal to GP_GET means that nothing waits,
 * and all segments are executed.
 * Each of these leaves one part out: -DNO_WORDS the words, -DNO_ENTRY the entry, -DNO_WRITE the
 * barrier before GP_PUT, -DNO_PUT the store to GP_PUT, -DNO_MMIO the barrier before the doorbell,
 * -DNO_BELL the doorbell, -DNO_ROOM the wait for a free entry. */
#define ENTRIES  3
#define SEGMENTS 5

chan words = [SEGMENTS] of { byte, byte };   /* delayed stores: slot, value */
chan entries = [SEGMENTS] of { byte, byte };
chan puts = [SEGMENTS] of { byte };
chan rings = [SEGMENTS] of { bit };

byte word[ENTRIES], entry[ENTRIES], gp_put, gp_get, executed;
bool bell;

/* Stores arrive at any time. */
active proctype memory()
{
    byte slot, value;
end:
    do
    :: atomic { words ? slot, value -> word[slot] = value }
    :: atomic { entries ? slot, value -> entry[slot] = value }
    :: atomic { puts ? value -> gp_put = value }
    :: atomic { rings ? _ -> bell = true }
    od
}

active proctype cpu()
{
    byte put = 0, n = 1;
    do
    :: n <= SEGMENTS ->
#ifndef NO_ROOM
        (put + 1) % ENTRIES != gp_get; /* room for one entry */
#endif
#ifndef NO_WORDS
        words ! put, n;
#endif
#ifndef NO_ENTRY
        entries ! put, n;
#endif
        put = (put + 1) % ENTRIES;
#ifndef NO_WRITE
        empty(words) && empty(entries);
#endif
#ifndef NO_PUT
        puts ! put;
#endif
#ifndef NO_MMIO
        empty(words) && empty(entries) && empty(puts);
#endif
#ifndef NO_BELL
        rings ! 1;
#endif
        n++
    :: else -> break
    od
}

active proctype gpu()
{
    byte put;
end:
    do
    :: bell ->
        atomic { bell = false; put = gp_put }
        do
        :: gp_get != put ->
            assert(entry[gp_get] == executed + 1);
            assert(word[gp_get] == executed + 1);
            atomic { executed++; gp_get = (gp_get + 1) % ENTRIES }
        :: else -> break
        od
    od
}

/* When nothing can happen any more, all segments are executed. */
active proctype end_state()
{
    timeout -> assert(executed == SEGMENTS)
}
