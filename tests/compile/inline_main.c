/* Executes the calls of the unit that the inline tier generates. */
#include <stdio.h>

#include "inline_calls.h"

int main(void)
{
    const char *name = call_all();
    if (name != NULL) {
        printf("%s: measured and written commands differ in length or status\n", name);
    }
    return name != NULL;
}
