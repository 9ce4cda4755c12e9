/* The driver's command parser, as the comparison calls it. */
#ifndef PARSER_H
#define PARSER_H

#include <stdint.h>

enum { PARSER_WORDS = 70000 };
enum parser_gen { PARSER_GEN7, PARSER_GEN7_5, PARSER_GEN9 };
enum parser_engine { PARSER_RCS, PARSER_VCS, PARSER_BCS, PARSER_VECS };

/* Return 0, or 1 if the driver rejects its own tables. */
int upstream_init(void);

/* Return what the driver's parser says of n words at va: 0, -EACCES or -EINVAL; 1: no parser. */
int upstream_parse(enum parser_gen gen, enum parser_engine engine, const uint32_t *words,
                   uint32_t n, uint64_t va);

#endif
