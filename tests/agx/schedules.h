/* agx/schedules.h - scheduling examples with known results: entries of the rings, and times for
 * vertex 2, fragment 3, compute 4, with prior work that ends at R0v 1, R0f 4, C0 3 where present.
 *  */
#ifndef AGX_SCHEDULES_H
#define AGX_SCHEDULES_H

typedef struct schedule_row {
    const char *name;
    uint32_t prior;
    const char *notation, *queues, *times;
} schedule_row;

/* clang-format off */
static const schedule_row schedules[] = {
    {"S1", GPUCMD_AGX_PRIOR_BOTH,
     "R1 [__,C0]\nC1 [__,__]\nC2 [__,__]\nR2 [R1,C2]\nR3 [__,__]\nR4 [R3,__]",
     "Compute     Vertex      Fragment\n"
     "RUN C1      WAIT C0     WAIT R1v\n"
     "RUN C2      RUN R1v     RUN R1f\n"
     "            WAIT R1f    WAIT R2v\n"
     "            WAIT C2     RUN R2f\n"
     "            RUN R2v     WAIT R3v\n"
     "            RUN R3v     RUN R3f\n"
     "            WAIT R3f    WAIT R4v\n"
     "            RUN R4v     RUN R4f\n",
     "R1v 3-5, R1f 5-8, R2v 11-13, R2f 13-16, R3v 13-15, "
     "R3f 16-19, R4v 19-21, R4f 21-24, C1 3-7, C2 7-11"},
    {"S2", GPUCMD_AGX_PRIOR_BOTH,
     "R1 [R0,C0]",
     "Compute     Vertex      Fragment\n"
     "            WAIT R0f    WAIT R1v\n"
     "            WAIT C0     RUN R1f\n"
     "            RUN R1v\n",
     "R1v 4-6, R1f 6-9"},
    {"S3", GPUCMD_AGX_PRIOR_BOTH,
     "C1 [R0,C0]",
     "Compute     Vertex      Fragment\n"
     "WAIT R0f\n"
     "WAIT C0\n"
     "RUN C1\n",
     "C1 4-8"},
    {"S4", GPUCMD_AGX_PRIOR_BOTH,
     "C1 [R0,C0]\nR1 [__,C1]",
     "Compute     Vertex      Fragment\n"
     "WAIT R0f    WAIT C1     WAIT R1v\n"
     "WAIT C0     RUN R1v     RUN R1f\n"
     "RUN C1\n",
     "R1v 8-10, R1f 10-13, C1 4-8"},
    {"S5", GPUCMD_AGX_PRIOR_BOTH,
     "R1 [R0,C0]\nC1 [R1,C0]\nR2 [R1,C1]\nC2 [R2,C1]",
     "Compute     Vertex      Fragment\n"
     "WAIT R1f    WAIT R0f    WAIT R1v\n"
     "WAIT C0     WAIT C0     RUN R1f\n"
     "RUN C1      RUN R1v     WAIT R2v\n"
     "WAIT R2f    WAIT R1f    RUN R2f\n"
     "WAIT C1     WAIT C1\n"
     "RUN C2      RUN R2v\n",
     "R1v 4-6, R1f 6-9, R2v 13-15, R2f 15-18, C1 9-13, C2 18-22"},
    {"S6", GPUCMD_AGX_PRIOR_NONE,
     "R1 [__,__]\nR2 [__,__]",
     "Compute     Vertex      Fragment\n"
     "            RUN R1v     WAIT R1v\n"
     "            RUN R2v     RUN R1f\n"
     "                        WAIT R2v\n"
     "                        RUN R2f\n",
     "R1v 0-2, R1f 2-5, R2v 2-4, R2f 5-8"},
    {"S7", GPUCMD_AGX_PRIOR_NONE,
     "R1 [__,__]\nR2 [R1,__]",
     "Compute     Vertex      Fragment\n"
     "            RUN R1v     WAIT R1v\n"
     "            WAIT R1f    RUN R1f\n"
     "            RUN R2v     WAIT R2v\n"
     "                        RUN R2f\n",
     "R1v 0-2, R1f 2-5, R2v 5-7, R2f 7-10"},
    {"S8", GPUCMD_AGX_PRIOR_NONE,
     "C1 [__,__]\nC2 [__,C1]",
     "Compute     Vertex      Fragment\n"
     "RUN C1\n"
     "WAIT C1\n"
     "RUN C2\n",
     "C1 0-4, C2 4-8"},
    {"S9", GPUCMD_AGX_PRIOR_NONE,
     "R1 [__,__]\nC1 [__,__]\nR2 [__,__]\nC2 [__,__]",
     "Compute     Vertex      Fragment\n"
     "RUN C1      RUN R1v     WAIT R1v\n"
     "RUN C2      RUN R2v     RUN R1f\n"
     "                        WAIT R2v\n"
     "                        RUN R2f\n",
     "R1v 0-2, R1f 2-5, R2v 2-4, R2f 5-8, C1 0-4, C2 4-8"},
    {"S10", GPUCMD_AGX_PRIOR_NONE,
     "R1 [__,__]\nC1 [R1,__]\nR2 [__,__]",
     "Compute     Vertex      Fragment\n"
     "WAIT R1f    RUN R1v     WAIT R1v\n"
     "RUN C1      RUN R2v     RUN R1f\n"
     "                        WAIT R2v\n"
     "                        RUN R2f\n",
     "R1v 0-2, R1f 2-5, R2v 2-4, R2f 5-8, C1 5-9"},
    {"S11", GPUCMD_AGX_PRIOR_NONE,
     "R1 [__,__]\nC1 [__,__]\nR2 [__,C1]\nR3 [__,__]",
     "Compute     Vertex      Fragment\n"
     "RUN C1      RUN R1v     WAIT R1v\n"
     "            WAIT C1     RUN R1f\n"
     "            RUN R2v     WAIT R2v\n"
     "            RUN R3v     RUN R2f\n"
     "                        WAIT R3v\n"
     "                        RUN R3f\n",
     "R1v 0-2, R1f 2-5, R2v 4-6, R2f 6-9, R3v 6-8, R3f 9-12, C1 0-4"},
    {"S12", GPUCMD_AGX_PRIOR_NONE,
     "R1 [R0,C0]\nC1 [R1,C0]\nR2 [R1,C1]\nC2 [R2,C1]",
     "Compute     Vertex      Fragment\n"
     "WAIT R1f    RUN R1v     WAIT R1v\n"
     "RUN C1      WAIT R1f    RUN R1f\n"
     "WAIT R2f    WAIT C1     WAIT R2v\n"
     "WAIT C1     RUN R2v     RUN R2f\n"
     "RUN C2\n",
     "R1v 0-2, R1f 2-5, R2v 9-11, R2f 11-14, C1 5-9, C2 14-18"},
    {"S13", GPUCMD_AGX_PRIOR_NONE,
     "R1 [__,__]\nR2 [__,__]\nR3 [R1,__]",
     "Compute     Vertex      Fragment\n"
     "            RUN R1v     WAIT R1v\n"
     "            RUN R2v     RUN R1f\n"
     "            WAIT R1f    WAIT R2v\n"
     "            RUN R3v     RUN R2f\n"
     "                        WAIT R3v\n"
     "                        RUN R3f\n",
     "R1v 0-2, R1f 2-5, R2v 2-4, R2f 5-8, R3v 5-7, R3f 8-11"},
    {"S14", GPUCMD_AGX_PRIOR_COMPUTE,
     "C1 [__,__]\nR1 [__,C1]\nC2 [__,__]\nR2 [R1,C2]",
     "Compute     Vertex      Fragment\n"
     "RUN C1      WAIT C1     WAIT R1v\n"
     "RUN C2      RUN R1v     RUN R1f\n"
     "            WAIT R1f    WAIT R2v\n"
     "            WAIT C2     RUN R2f\n"
     "            RUN R2v\n",
     "R1v 7-9, R1f 9-12, R2v 12-14, R2f 14-17, C1 3-7, C2 7-11"},
    {"S15", GPUCMD_AGX_PRIOR_NONE,
     "R1 [__,__]\nC1 [__,__]\nB2 [R1,C1]\nR3 [R2,__]",
     "Compute     Vertex      Fragment\n"
     "RUN C1      RUN R1v     WAIT R1v\n"
     "            WAIT B2f    RUN R1f\n"
     "            RUN R3v     WAIT R1f\n"
     "                        WAIT C1\n"
     "                        RUN B2f\n"
     "                        WAIT R3v\n"
     "                        RUN R3f\n",
     "R1v 0-2, R1f 2-5, B2f 5-8, R3v 8-10, R3f 10-13, C1 0-4"},
};
/* clang-format on */

#endif /* AGX_SCHEDULES_H */
