/* A ring of words that a GPU fetches up to a register: DMA_PUT of NV4 to G80, TAIL of i915. Commands
 * have one or two words; a command that does not fit before the end follows a jump to the start
 * (NV4) or filling NOOPs (i915), which count as words without a command. The CPU delays its stores
 * as in gpfifo.pml. Claims: the GPU never fetches a word that has not arrived or is overwritten, and
 * all commands are executed.
 * -DNO_WRITE: leave the barrier before the register out. -DNO_GAP: let put become equal to get. */
#define WORDS    5
#define COMMANDS 4
#define FILL     255

chan stores = [8] of { byte, byte };
chan puts = [COMMANDS] of { byte };

byte word[WORDS], put_reg, get_reg, executed;

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
#define FREE (put >= get_reg -> WORDS - put + get_reg : get_reg - put)

active proctype cpu()
{
    byte put = 0, n = 1, size, fill;
    do
    :: n <= COMMANDS ->
        if
        :: size = 1
        :: size = 2
        fi;
        fill = (put + size > WORDS -> WORDS - put : 0);
        FREE >= size + fill + GAP;
        do
        :: fill > 0 -> stores ! put, FILL; put = (put + 1) % WORDS; fill--
        :: else -> break
        od;
        do
        :: size > 0 -> stores ! put, n; put = (put + 1) % WORDS; size--
        :: else -> break
        od;
#ifndef NO_WRITE
        empty(stores);
#endif
        puts ! put;
        n++
    :: else -> break
    od
}

active proctype gpu()
{
    byte last = 0;
end:
    do
    :: get_reg != put_reg ->
        if
        :: word[get_reg] == FILL -> skip
        :: else ->
            assert(word[get_reg] == last || word[get_reg] == last + 1);
            last = word[get_reg];
            executed = last
        fi;
        get_reg = (get_reg + 1) % WORDS
    od
}

active proctype end_state()
{
    timeout -> assert(executed == COMMANDS)
}
