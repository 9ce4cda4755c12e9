/* A ring of words that a GPU fetches up to a register: DMA_PUT of NV4 to G80, with -DI915 TAIL of i915.
 * The CPU executes what gpucmd_nv_ring_begin, _end and _kick do, or gpucmd_i915_ring_begin, _end and
 * _publish, and delays its stores as in gpfifo.pml. Commands have one or two words. Claims: the GPU
 * never fetches a word that has not arrived or is overwritten, put equal to get means that nothing
 * waits, and all commands are executed.
 * Each of these leaves one part out: -DNO_WORDS the words, -DNO_WRITE the barrier, -DNO_PUT the store
 * to the register, -DNO_ROOM the wait for room, -DNO_GAP the free room that keeps put from get; NV4
 * only: -DNO_LEFT the wait until the GPU has left the start before put returns there. */
#define WORDS    6
#define FIRST    1   /* NV4: the words before it are NOPs */
#define COMMANDS 5
#define FILL     254 /* MI_NOOP after the last command before the end */
#define JUMP     255

chan stores = [8] of { byte, byte };
chan puts = [8] of { byte };

byte word[WORDS], put_reg = FIRST, get_reg = FIRST, executed, written;

active proctype memory()
{
    byte slot, value;
end:
    do
    :: atomic { stores ? slot, value -> word[slot] = value }
    :: atomic { puts ? value -> put_reg = value }
    od
}

#ifdef NO_GAP
#define GAP 0
#else
#define GAP 1
#endif
/* Bytes of i915 are words here, and the cache line that stays free is one word. */
#define SPACE (put >= get_reg -> WORDS - put + get_reg - GAP : get_reg - put - GAP)

inline submit()
{
#ifndef NO_WRITE
    empty(stores);
#endif
#ifndef NO_PUT
    puts ! put;
#endif
    kicked = put
}

/* Wait for room. The caller submits what the GPU does not know and blocks the ring. */
inline room(free)
{
#ifdef NO_ROOM
    skip
#else
    if
    :: !(free) && kicked != put -> submit()
    :: else
    fi;
    free
#endif
}

inline begin()
{
#ifdef I915
    if
    :: put + size > WORDS ->
        room(SPACE >= WORDS - put);
        do
        :: put < WORDS -> stores ! put, FILL; put++
        :: else -> break
        od;
        put = 0
    :: else
    fi;
    room(SPACE >= size)
#else
    if
    :: size >= WORDS - put ->
        if
        :: kicked != put -> submit()
        :: else
        fi;
#ifndef NO_LEFT
        get_reg > FIRST && get_reg <= put;
#endif
        stores ! put, JUMP;
        put = FIRST;
        submit()
    :: else
    fi;
    room(get_reg <= put || get_reg >= put + size + GAP)
#endif
}

active proctype cpu()
{
    byte put = FIRST, kicked = FIRST, n = 0, size;
    do
    :: n < COMMANDS ->
        if
        :: size = 1
        :: size = 2
        fi;
        begin();
        do
        :: size > 0 ->
            written++;
#ifndef NO_WORDS
            stores ! put, written;
#endif
            put++;
            size--
        :: else -> break
        od;
        put = put % WORDS;
        n++;
        if
        :: submit()
        :: n < COMMANDS
        fi
    :: else -> break
    od
}

active proctype gpu()
{
end:
    do
    :: get_reg != put_reg ->
        if
        :: word[get_reg] == JUMP -> get_reg = FIRST
        :: word[get_reg] == FILL -> get_reg = (get_reg + 1) % WORDS
        :: else ->
            assert(word[get_reg] == executed + 1);
            atomic { executed++; get_reg = (get_reg + 1) % WORDS }
        fi
    od
}

/* When nothing can happen any more, all words are executed. */
active proctype end_state()
{
    timeout -> assert(executed == written && written >= COMMANDS)
}
