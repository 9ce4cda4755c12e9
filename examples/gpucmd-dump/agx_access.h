/* agx_access.h - accesses that a text declares, for agx.h. */
#ifndef DUMP_AGX_ACCESS_H
#define DUMP_AGX_ACCESS_H

#include "agx_job.h"
#include "base.h"
#include "bytes.h"
#include "memory.h"
#include "words.h"

enum { AGX_ACCESSES = 4096 }; /* lines that declare accesses */

/* Report a line that is not a valid access. */
static int agx_bad_access(const agx_access *line, const char *wrong)
{
    fprintf(stderr,
            "gpucmd-dump: %s: offset 0x%zx: access: %s; expected a line such as access R1f write "
            "0x1600000000+0x4000\n",
            line->name, line->off_bytes, wrong);
    return EXIT_STREAM;
}

/* Read a range: "0x1600000000+0x4000". */
static bool agx_take_range(const char *text, gpucmd_agx_access *access)
{
    char *end;
    errno = 0;
    access->va = strtoull(text, &end, 0);
    if (end == text || *end != '+' || text[0] == '-') {
        return false;
    }
    text = end + 1;
    access->bytes = strtoull(text, &end, 0);
    return end != text && *end == '\0' && text[0] != '-' && errno == 0 && access->bytes != 0 &&
           access->va + (access->bytes - 1) >= access->va;
}

/* Return true if a target of so many parts is a command: C1; R1v, R1f; B1f. */
static bool agx_is_target(const agx_access *line, int parts)
{
    switch (line->letter) {
    case 'C': return parts == 2;
    case 'R': return parts == 3 && (line->half == 'v' || line->half == 'f');
    case 'B': return parts == 3 && line->half == 'f';
    default: return false;
    }
}

/* Read a line "access R1f write 0x1600000000+0x4000", up to a comment. */
static bool agx_take_access(const char *text, agx_access *line)
{
    char target[16];
    char verb[8];
    char range[48];
    char more;
    if (sscanf(text, " access %15s %7s %47s %c", target, verb, range, &more) != 3 ||
        (strcmp(verb, "read") != 0 && strcmp(verb, "write") != 0)) {
        return false;
    }
    const int parts =
        sscanf(target, "%c%" SCNu32 "%c%c", &line->letter, &line->number, &line->half, &more);
    if (parts == 2) {
        line->half = '\0';
    }
    line->access.writes = verb[0] == 'w';
    return target[1] >= '1' && target[1] <= '9' && agx_is_target(line, parts) &&
           agx_take_range(range, &line->access);
}

/* Return true if a line starts with the word access. */
static bool agx_is_access(const char *at, const char *eol)
{
    while (at < eol && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return eol - at > 6 && memcmp(at, "access", 6) == 0 && (at[6] == ' ' || at[6] == '\t');
}

/* Read the lines of a text that declare accesses and overwrite them with blanks. */
static int agx_take_accesses(agx_job *job, const char *name, bytes *b)
{
    char *const begin = (char *)b->data;
    const char *const end = begin + b->len;
    for (const char *at = begin, *eol; at < end; at = eol + 1) {
        char text[128];
        eol = line_end(at, end);
        if (!agx_is_access(at, eol)) {
            continue;
        }
        if (job->access_count == AGX_ACCESSES) {
            fprintf(stderr, "gpucmd-dump: %s: more than %d accesses; expected fewer\n", name,
                    AGX_ACCESSES);
            return EXIT_USAGE;
        }
        job->lines = resize(job->lines, job->access_count + (size_t)1, sizeof *job->lines);
        agx_access *line = &job->lines[job->access_count++];
        memset(line, 0, sizeof *line);
        line->name = name;
        line->off_bytes = (size_t)(at - begin);
        const size_t len = lesser((size_t)(eol - at), sizeof text - 1);
        memcpy(text, at, len);
        text[len] = '\0';
        text[strcspn(text, "#")] = '\0';
        if (!agx_take_access(text, line)) {
            return agx_bad_access(line, "line does not follow the notation");
        }
        memset(begin + (at - begin), ' ', (size_t)(eol - at));
    }
    return EXIT_FINE;
}

/* Read the accesses of a file, which otherwise has comments only. */
static int agx_read_accesses(agx_job *job, const char *path)
{
    bytes b;
    int status = read_small(path, &b);
    if (status == EXIT_FINE) {
        status = agx_take_accesses(job, path, &b);
    }
    const char *begin = "";
    if (b.len != 0) {
        begin = (const char *)b.data;
    }
    const char *const end = begin + b.len;
    for (const char *at = begin, *eol; status == EXIT_FINE && at < end; at = eol + 1) {
        const agx_access rest = {
            '\0', '\0', 0, {0, GPUCMD_AGX_RING_COMPUTE, false, 0, 0},
               path, (size_t)(at - begin)
        };
        eol = line_end(at, end);
        while (at < eol && is_space(*at)) {
            at++;
        }
        if (at < eol && *at != '#') {
            status = agx_bad_access(&rest, "line does not follow the notation");
        }
    }
    release_bytes(&b);
    return status;
}

/* Find the command of each line in the job. */
static int agx_find_accesses(agx_job *job)
{
    job->accesses = resize(NULL, job->access_count, sizeof *job->accesses);
    memset(job->accesses, 0, job->access_count * sizeof *job->accesses);
    for (uint32_t i = 0; i < job->access_count; i++) {
        const agx_access *line = &job->lines[i];
        gpucmd_agx_kind kind = GPUCMD_AGX_KIND_BLIT;
        if (line->letter == 'C') {
            kind = GPUCMD_AGX_KIND_COMPUTE;
        } else if (line->letter == 'R') {
            kind = GPUCMD_AGX_KIND_RENDER;
        }
        uint32_t at = 0;
        while (at < job->job.count && (job->job.commands[at].kind != kind ||
                                       job->job.commands[at].number != line->number)) {
            at++;
        }
        if (at == job->job.count) {
            return agx_bad_access(line, "no such command");
        }
        job->accesses[i] = line->access;
        job->accesses[i].command = at;
        if (line->half == '\0') {
            job->accesses[i].part = GPUCMD_AGX_RING_COMPUTE;
        } else if (line->half == 'v') {
            job->accesses[i].part = GPUCMD_AGX_RING_VERTEX;
        } else {
            job->accesses[i].part = GPUCMD_AGX_RING_FRAGMENT;
        }
    }
    return EXIT_FINE;
}

#endif
