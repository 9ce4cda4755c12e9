/* Names of registers: the published lists, a row for each name; every generation and engine. The
 * lists give first and last generation (times ten), 1 for 64 bits, 2 for masked, 8 for one that the
 * hardware clears, and the engine if only one has the register. [GX] [K2] [XE] [IGT] */
#include "gpucmd_i915.h"
#include "test.h"

enum { R = 1, V = 2, B = 4, E = 8, C = 16, GSC = 32 };

static const int gens[] = {20, 30, 40, 45, 50, 60, 70, 75, 80, 90, 110, 120, 125, 127, 200, 300};

typedef struct {
    uint32_t reg;
    const char *name;
    int since, until;
    unsigned kind, engine;
} row;

/* clang-format off */
/* Offsets from the base of an engine. */
static const row rings[] = {
    {0x028, "EXCC", 70, 300, 0, 0},
    {0x11c, "SBBADDR_UDW", 80, 300, 0, 0},
    {0x030, "TAIL", 20, 300, 0, 0},
    {0x120, "PRT_BB_STATE", 125, 300, 0, 0},
    {0x034, "HEAD", 20, 300, 0, 0},
    {0x124, "PRT_BB_STATE_UDW", 125, 300, 0, 0},
    {0x038, "START", 20, 300, 0, 0},
    {0x140, "BBADDR", 40, 300, 0, 0},
    {0x03c, "CTL", 20, 300, 0, 0},
    {0x158, "BB_OFFSET", 80, 300, 0, 0},
    {0x040, "SYNC_0", 60, 75, 0, 0},
    {0x168, "BBADDR_UDW", 80, 300, 0, 0},
    {0x044, "SYNC_1", 60, 75, 0, 0},
    {0x178, "PR_CTR_CTRL", 120, 300, 0, 0},
    {0x17c, "PR_CTR_THRSH", 120, 300, 0, 0},
    {0x180, "CCID", 40, 300, 0, 0},
    {0x048, "SYNC_2", 60, 75, 0, 0},
    {0x1b8, "CS_INT_VEC", 200, 300, 0, 0},
    {0x048, "START_UDW", 200, 300, 0, 0},
    {0x1c0, "BB_PER_CTX_PTR", 80, 300, 0, 0},
    {0x050, "PSMI_CTL", 60, 300, 2, 0},
    {0x1c4, "INDIRECT_CTX", 80, 300, 0, 0},
    {0x054, "MAX_IDLE", 60, 125, 0, 0},
    {0x1c8, "INDIRECT_CTX_OFFSET", 80, 300, 0, 0},
    {0x054, "PWRCTX_MAXCNT", 125, 300, 0, 0},
    {0x1d0, "ECOSKPD", 60, 300, 2, 0},
    {0x05c, "ACTHD_UDW", 80, 300, 0, 0},
    {0x200, "BCS_SWCTRL", 80, 300, 2, B},
    {0x060, "DMA_FADD_UDW", 80, 300, 0, 0},
    {0x204, "BLIT_CCTL", 120, 300, 0, B},
    {0x064, "IPEIR", 40, 300, 0, 0},
    {0x20c, "CSCMDOP", 120, 300, 0, 0},
    {0x068, "IPEHR", 40, 300, 0, 0},
    {0x220, "PP_DIR_DCLV", 60, 80, 0, 0},
    {0x06c, "INSTDONE", 40, 300, 0, 0},
    {0x228, "PP_DIR_BASE", 60, 80, 0, 0},
    {0x070, "INSTPS", 40, 300, 0, 0},
    {0x230, "ELSP", 80, 90, 0, 0},
    {0x074, "ACTHD", 40, 300, 0, 0},
    {0x234, "EXECLIST_STATUS_LO", 80, 300, 0, 0},
    {0x078, "DMA_FADD", 40, 300, 0, 0},
    {0x238, "EXECLIST_STATUS_HI", 80, 300, 0, 0},
    {0x080, "HWS_PGA", 40, 300, 0, 0},
    {0x23c, "IDLEDLY", 120, 300, 0, 0},
    {0x084, "CMD_BUF_CCTL", 120, 300, 0, 0},
    {0x240, "CURRENT_LRCA", 120, 300, 0, 0},
    {0x08c, "ENGINE_ID", 110, 300, 0, 0},
    {0x244, "CONTEXT_CONTROL", 80, 300, 2, 0},
    {0x094, "NOPID", 20, 300, 0, 0},
    {0x24c, "SEMA_WAIT_POLL", 80, 300, 0, 0},
    {0x098, "HWSTAM", 20, 300, 0, 0},
    {0x270, "PDP0_LDW", 80, 300, 0, 0},
    {0x09c, "MI_MODE", 40, 300, 2, 0},
    {0x29c, "MODE", 70, 300, 2, 0},
    {0x0a0, "FF_THREAD_MODE", 70, 300, 0, 0},
    {0x2b0, "CSMQDEBUG", 200, 300, 0, 0},
    {0x0a4, "INT_SRC_RPT_PTR", 120, 300, 0, 0},
    {0x2b4, "SEMAPHORE_TOKEN", 120, 300, 0, 0},
    {0x0a8, "IMR", 40, 300, 0, 0},
    {0x350, "PS_DEPTH_COUNT", 40, 300, 1, R},
    {0x0ac, "INT_STATUS_RPT_PTR", 120, 300, 0, 0},
    {0x358, "TIMESTAMP", 40, 300, 1, 0},
    {0x0b0, "EIR", 40, 300, 0, 0},
    {0x3a0, "CONTEXT_STATUS_PTR", 80, 300, 0, 0},
    {0x0b4, "EMR", 40, 300, 0, 0},
    {0x3a8, "CTX_TIMESTAMP", 80, 300, 0, 0},
    {0x0b8, "ESR", 40, 300, 0, 0},
    {0x3b8, "PREDICATE_RESULT", 120, 300, 0, 0},
    {0x0bc, "STATE_ACK_DEBUG", 120, 300, 0, 0},
    {0x3bc, "MI_PREDICATE_RESULT_2", 80, 300, 0, 0},
    {0x0c0, "INSTPM", 40, 300, 2, 0},
    {0x3fc, "CSBE_DEBUG_STATUS", 200, 300, 0, 0},
    {0x0c4, "CMD_CCTL", 120, 300, 2, 0},
    {0x400, "MI_PREDICATE_SRC0", 70, 300, 1, 0},
    {0x0c8, "R_PWR_CLK_STATE", 80, 300, 0, 0},
    {0x408, "MI_PREDICATE_SRC1", 70, 300, 1, 0},
    {0x0cc, "CS_MMIO_GROUP_INSTANCE_SELECT", 120, 300, 0, 0},
    {0x410, "MI_PREDICATE_DATA", 70, 300, 1, 0},
    {0x0d0, "RESET_CTL", 80, 300, 2, 0},
    {0x418, "MI_PREDICATE_RESULT", 70, 300, 0, 0},
    {0x0d4, "CSFE_CHICKEN1", 90, 300, 2, 0},
    {0x41c, "MI_PREDICATE_RESULT_1", 75, 300, 0, 0},
    {0x0d8, "CS_DEBUG_MODE2", 90, 300, 2, 0},
    {0x4c0, "QUEUE_TIMESTAMP", 350, 350, 1, 0},
    {0x4d0, "FORCE_TO_NONPRIV", 80, 300, 0, 0},
    {0x0e0, "FF_SLICE_CS_CHICKEN1", 70, 300, 2, 0},
    {0x510, "EXECLIST_SQ_CONTENTS", 110, 300, 0, 0},
    {0x514, "EXECLIST_SQ_CONTENTS_HI", 110, 300, 0, 0},
    {0x0e4, "FF_SLICE_CS_CHICKEN2", 90, 300, 2, 0},
    {0x550, "EXECLIST_CONTROL", 110, 300, 0, 0},
    {0x0ec, "CS_DEBUG_MODE1", 90, 300, 2, 0},
    {0x3f08, "VDBOX_CGCTL3F08", 120, 300, 0, V},
    {0x3f10, "VDBOX_CGCTL3F10", 120, 300, 0, V},
    {0x3f18, "VDBOX_CGCTL3F18", 120, 300, 0, V},
    {0x3f1c, "VDBOX_CGCTL3F1C", 120, 300, 0, V},
    {0x580, "CS_CHICKEN1", 90, 300, 2, 0},
    {0x108, "INDIRECT_RING_STATE", 200, 300, 0, 0},
    {0x588, "BB_STACK_WRITE_PORT", 120, 300, 0, 0},
    {0x110, "BBSTATE", 40, 300, 0, 0},
    {0x5a8, "CONTEXT_SCHEDULING_ATTRIBUTES", 120, 300, 0, 0},
    {0x114, "SBBADDR", 75, 300, 0, 0},
    {0x5ac, "PREEMPTION_STATUS", 120, 300, 0, 0},
    {0x118, "SBBSTATE", 75, 300, 0, 0},
    {0x600, "CS_GPR", 75, 300, 1, 0},
};

/* Absolute offsets. */
static const row globals[] = {
    {0x02084, "_3D_CHICKEN", 40, 50, 2, 0},
    {0x04480, "BLT_TRTT_CR", 120, 300, 0, 0},
    {0x0208c, "_3D_CHICKEN2", 40, 60, 2, 0},
    {0x04580, "COMP_CTX0_TRTT_CR", 120, 300, 0, 0},
    {0x02090, "_3D_CHICKEN3", 60, 120, 2, 0},
    {0x04910, "FLAT_CCS_BASE_ADDR", 125, 127, 0, 0},
    {0x020cc, "WAIT_FOR_RC6_EXIT", 75, 75, 2, 0},
    {0x05200, "SO_NUM_PRIMS_WRITTEN0", 70, 300, 1, 0},
    {0x020d0, "GT_MODE", 60, 60, 2, 0},
    {0x05208, "SO_NUM_PRIMS_WRITTEN1", 70, 300, 1, 0},
    {0x020d4, "CSFE_CHICKEN1_RCS", 90, 300, 2, 0},
    {0x05210, "SO_NUM_PRIMS_WRITTEN2", 70, 300, 1, 0},
    {0x020e4, "MI_ARB_STATE", 20, 50, 2, 0},
    {0x05218, "SO_NUM_PRIMS_WRITTEN3", 70, 300, 1, 0},
    {0x020f0, "STATE_ACK", 80, 300, 0, 0},
    {0x05240, "SO_PRIM_STORAGE_NEEDED0", 70, 300, 1, 0},
    {0x02120, "CACHE_MODE_0", 40, 60, 2, 0},
    {0x05248, "SO_PRIM_STORAGE_NEEDED1", 70, 300, 1, 0},
    {0x02170, "GFX_FLSH_CNTL", 20, 60, 0, 0},
    {0x05250, "SO_PRIM_STORAGE_NEEDED2", 70, 300, 1, 0},
    {0x021a0, "CXT_SIZE", 60, 60, 0, 0},
    {0x05258, "SO_PRIM_STORAGE_NEEDED3", 70, 300, 1, 0},
    {0x021a8, "CXT_SIZE", 70, 75, 0, 0},
    {0x05280, "SO_WRITE_OFFSET0", 70, 300, 0, 0},
    {0x02214, "MI_PREDICATE_RESULT_2", 75, 75, 0, 0},
    {0x05284, "SO_WRITE_OFFSET1", 70, 300, 0, 0},
    {0x02248, "CTX_PREEMPT", 90, 90, 0, 0},
    {0x05288, "SO_WRITE_OFFSET2", 70, 300, 0, 0},
    {0x02290, "CS_INVOCATION_COUNT", 70, 300, 1, 0},
    {0x0528c, "SO_WRITE_OFFSET3", 70, 300, 0, 0},
    {0x022a4, "RCS_FE_FSM2", 90, 300, 0, 0},
    {0x05588, "WM_CHICKEN3", 90, 300, 2, 0},
    {0x022ac, "RCS_PWR_FSM", 60, 300, 0, 0},
    {0x06204, "CHICKEN_RASTER_1", 125, 300, 2, 0},
    {0x022c8, "PS_INVOCATION_COUNT_0", 80, 300, 1, 0},
    {0x06208, "CHICKEN_RASTER_2", 125, 300, 2, 0},
    {0x022d8, "PS_DEPTH_COUNT_0", 80, 300, 1, 0},
    {0x06210, "FF_MODE", 127, 300, 0, 0},
    {0x022f0, "PS_INVOCATION_COUNT_1", 80, 300, 1, 0},
    {0x062a8, "VFLSKPD", 125, 300, 2, 0},
    {0x022f8, "PS_DEPTH_COUNT_1", 80, 300, 1, 0},
    {0x06604, "FF_MODE2", 120, 300, 0, 0},
    {0x02300, "HS_INVOCATION_COUNT", 70, 300, 1, 0},
    {0x0666c, "INSTDONE_GEOM", 125, 300, 0, 0},
    {0x02308, "DS_INVOCATION_COUNT", 70, 300, 1, 0},
    {0x07000, "CACHE_MODE_0", 70, 300, 2, 0},
    {0x02310, "IA_VERTICES_COUNT", 40, 300, 1, 0},
    {0x07004, "CACHE_MODE_1", 70, 300, 2, 0},
    {0x02318, "IA_PRIMITIVES_COUNT", 40, 300, 1, 0},
    {0x07008, "GT_MODE", 70, 120, 2, 0},
    {0x02320, "VS_INVOCATION_COUNT", 40, 300, 1, 0},
    {0x07010, "COMMON_SLICE_CHICKEN1", 70, 300, 2, 0},
    {0x02328, "GS_INVOCATION_COUNT", 40, 300, 1, 0},
    {0x07014, "COMMON_SLICE_CHICKEN2", 80, 110, 2, 0},
    {0x02330, "GS_PRIMITIVES_COUNT", 40, 300, 1, 0},
    {0x07018, "HIZ_CHICKEN", 70, 300, 2, 0},
    {0x02338, "CL_INVOCATION_COUNT", 40, 300, 1, 0},
    {0x07034, "L3CNTLREG", 80, 110, 0, 0},
    {0x02340, "CL_PRIMITIVES_COUNT", 40, 300, 1, 0},
    {0x0703c, "PSS_MODE2", 125, 300, 2, 0},
    {0x02348, "PS_INVOCATION_COUNT", 40, 300, 1, 0},
    {0x07044, "PSS_CHICKEN", 125, 300, 2, 0},
    {0x02360, "OACONTROL", 70, 75, 0, 0},
    {0x07100, "SC_INSTDONE", 70, 300, 0, 0},
    {0x02364, "OASTATUS1", 70, 75, 0, 0},
    {0x07104, "SC_INSTDONE_EXTRA", 120, 300, 0, 0},
    {0x02368, "OASTATUS2", 70, 75, 0, 0},
    {0x07108, "SC_INSTDONE_EXTRA2", 120, 300, 0, 0},
    {0x023b0, "OABUFFER", 70, 75, 0, 0},
    {0x07300, "COMMON_SLICE_CHICKEN4", 110, 300, 2, 0},
    {0x02420, "3DPRIM_END_OFFSET", 70, 300, 0, 0},
    {0x07304, "COMMON_SLICE_CHICKEN3", 110, 300, 2, 0},
    {0x02430, "3DPRIM_START_VERTEX", 70, 300, 0, 0},
    {0x0731c, "SLICE_COMMON_ECO_CHICKEN1", 90, 300, 2, 0},
    {0x02434, "3DPRIM_VERTEX_COUNT", 70, 300, 0, 0},
    {0x083a4, "VF_PREEMPTION", 120, 300, 2, 0},
    {0x02438, "3DPRIM_INSTANCE_COUNT", 70, 300, 0, 0},
    {0x083a8, "VF_SCRATCHPAD", 127, 300, 2, 0},
    {0x0243c, "3DPRIM_START_INSTANCE", 70, 300, 0, 0},
    {0x083b4, "VFG_PREEMPTION_CHICKEN", 120, 300, 2, 0},
    {0x02440, "3DPRIM_BASE_VERTEX", 70, 300, 0, 0},
    {0x08800, "FLAT_CCS_BASE_RANGE_LOWER", 200, 300, 0, 0},
    {0x02448, "PS_INVOCATION_COUNT_2", 80, 300, 1, 0},
    {0x08804, "FLAT_CCS_BASE_RANGE_UPPER", 200, 300, 0, 0},
    {0x02450, "PS_DEPTH_COUNT_2", 80, 300, 1, 0},
    {0x091b8, "PERFCNT1", 75, 110, 1, 0},
    {0x02500, "GPGPU_DISPATCHDIMX", 70, 300, 0, 0},
    {0x091c0, "PERFCNT2", 75, 110, 1, 0},
    {0x02504, "GPGPU_DISPATCHDIMY", 70, 300, 0, 0},
    {0x0b010, "L3SQCREG1", 70, 75, 0, 0},
    {0x02508, "GPGPU_DISPATCHDIMZ", 70, 300, 0, 0},
    {0x0b01c, "L3CNTLREG1", 70, 75, 0, 0},
    {0x02520, "GFX_MODE", 60, 60, 2, 0},
    {0x0b020, "L3CNTLREG2", 70, 75, 0, 0},
    {0x026c0, "DRAW_WATERMARK", 120, 300, 0, 0},
    {0x0b020, "LNCFCMOCS", 90, 300, 0, 0},
    {0x026d8, "MESH_PRIMITIVE_COUNT", 125, 300, 1, 0},
    {0x0b024, "L3CNTLREG3", 70, 75, 0, 0},
    {0x026e0, "MESH_INVOCATION_COUNT", 125, 300, 1, 0},
    {0x0b034, "L3SQCREG4", 70, 75, 0, 0},
    {0x026e8, "TASK_INVOCATION_COUNT", 125, 300, 1, 0},
    {0x0b038, "SCRATCH1", 75, 75, 0, 0},
    {0x02960, "OAR_OACONTROL", 120, 300, 0, 0},
    {0x0b0a4, "TCCNTLREG", 110, 110, 0, 0},
    {0x02968, "OAR_OASTATUS", 120, 300, 0, 0},
    {0x0b100, "L3SQCREG1", 80, 120, 0, 0},
    {0x02b00, "OACONTROL", 80, 110, 0, 0},
    {0x0b104, "L3SQCREG2", 127, 300, 0, 0},
    {0x02b04, "OA_DEBUG", 80, 110, 2, 0},
    {0x0b108, "L3SQCREG3", 127, 300, 0, 0},
    {0x02b08, "OASTATUS", 80, 110, 0, 0},
    {0x0b118, "L3SQCREG4", 80, 110, 0, 0},
    {0x02b0c, "OAHEADPTR", 80, 110, 0, 0},
    {0x0b134, "L3ALLOC", 120, 127, 0, 0},
    {0x02b10, "OATAILPTR", 80, 110, 0, 0},
    {0x0b158, "L3SQCREG5", 125, 300, 0, 0},
    {0x02b14, "OABUFFER", 80, 110, 0, 0},
    {0x0b188, "L3SCQREG7", 125, 300, 0, 0},
    {0x02b28, "OAG_OAGLBCTXCTRL", 120, 300, 0, 0},
    {0x0cf68, "GAM_DONE", 120, 300, 0, 0},
    {0x04000, "GLOBAL_MOCS", 120, 300, 0, 0},
    {0x0daf4, "OAG_OACONTROL", 120, 300, 0, 0},
    {0x04080, "RENDER_HWS_PGA", 70, 75, 0, 0},
    {0x0daf8, "OAG_OA_DEBUG", 120, 300, 2, 0},
    {0x04090, "GAM_ECOCHK", 60, 300, 0, 0},
    {0x0dafc, "OAG_OASTATUS", 120, 300, 0, 0},
    {0x04094, "FAULT_REG", 60, 90, 0, 0},
    {0x0db00, "OAG_OAHEADPTR", 120, 300, 0, 0},
    {0x04148, "STATELESS_COMPRESSION_CTRL", 200, 300, 0, 0},
    {0x0db04, "OAG_OATAILPTR", 120, 300, 0, 0},
    {0x04180, "BSD_HWS_PGA", 70, 75, 0, 0},
    {0x0db08, "OAG_OABUFFER", 120, 300, 0, 0},
    {0x04194, "XE2_GAMREQSTRM_CTRL", 200, 300, 0, 0},
    {0x0db1c, "OAG_MMIOTRIGGER", 120, 300, 0, 0},
    {0x04200, "GFX_AUX_TABLE_BASE_ADDR", 120, 300, 1, 0},
    {0x0e160, "SAMPLER_INSTDONE", 70, 300, 0, 0},
    {0x04208, "GFX_CCS_AUX_INV", 120, 300, 8, 0},
    {0x0e164, "ROW_INSTDONE", 70, 300, 0, 0},
    {0x04210, "VD0_AUX_TABLE_BASE_ADDR", 120, 300, 1, 0},
    {0x0e188, "HALF_SLICE_CHICKEN5", 90, 300, 2, 0},
    {0x04218, "VD0_CCS_AUX_INV", 120, 300, 8, 0},
    {0x0e18c, "SAMPLER_MODE", 110, 300, 2, 0},
    {0x04238, "VE0_AUX_INV", 120, 300, 8, 0},
    {0x0e194, "HALF_SLICE_CHICKEN7", 90, 300, 2, 0},
    {0x04240, "BCS_AUX_TABLE_BASE_ADDR", 120, 300, 1, 0},
    {0x0e400, "TD_CTL", 80, 110, 0, 0},
    {0x04248, "BCS_CCS_AUX_INV", 120, 300, 8, 0},
    {0x0e404, "TD_CTL2", 80, 110, 0, 0},
    {0x04280, "BLT_HWS_PGA", 70, 75, 0, 0},
    {0x0e420, "CACHE_MODE_SS", 125, 300, 2, 0},
    {0x04298, "VD2_AUX_INV", 120, 300, 8, 0},
    {0x0e458, "EU_PERF_CNTL0", 80, 300, 0, 0},
    {0x042b8, "VE1_AUX_INV", 120, 300, 8, 0},
    {0x0e48c, "ROW_CHICKEN4", 120, 300, 2, 0},
    {0x042c0, "COMPCS0_AUX_TABLE_BASE_ADDR", 120, 300, 1, 0},
    {0x0e49c, "ROW_CHICKEN3", 75, 300, 2, 0},
    {0x042c8, "COMPCS0_CCS_AUX_INV", 120, 300, 8, 0},
    {0x0e4f0, "ROW_CHICKEN", 80, 300, 2, 0},
    {0x04380, "VEBOX_HWS_PGA", 75, 75, 0, 0},
    {0x0e4f4, "ROW_CHICKEN2", 70, 300, 2, 0},
    {0x043f4, "AUX_ERR_DBG", 120, 300, 0, 0},
    {0x0e5f0, "HDC_CHICKEN0", 125, 300, 2, 0},
    {0x04400, "GFX_TRTT_CR", 120, 300, 0, 0},
    {0x0e5f4, "TDL_CHICKEN", 127, 300, 2, 0},
    {0x04404, "GFX_TRTT_VA_RANGE", 120, 300, 0, 0},
    {0x0e7c8, "LSC_CHICKEN_BIT_0", 125, 300, 1, 0},
    {0x04408, "GFX_TRTT_L3_BASE_LOW", 120, 300, 0, 0},
    {0x14800, "RCU_MODE", 125, 300, 2, 0},
    {0x0440c, "GFX_TRTT_L3_BASE_HIGH", 120, 300, 0, 0},
    {0x14804, "CCS_MODE", 125, 300, 2, 0},
    {0x04410, "GFX_TRTT_NULL", 120, 300, 0, 0},
    {0x128a0, "MFC_BITSTREAM_BYTECOUNT_FRAME", 60, 300, 0, 0},
    {0x04414, "GFX_TRTT_INVAL", 120, 300, 0, 0},
    {0x1e9a0, "HCP_BITSTREAM_BYTECOUNT_FRAME", 90, 300, 0, 0},
};
/* clang-format on */

static gpucmd_i915_cmdset cmdset;

static void expect(const row *row_, uint32_t reg, unsigned engine, uint32_t instance, bool media)
{
    gpucmd_i915_register r;
    const bool wide = (row_->kind & 1) != 0;
    memset(&r, 0xee, sizeof r);
    if (!CHECK(gpucmd_i915_register_find(&cmdset, reg, &r)) ||
        !CHECK(strcmp(r.name, row_->name) == 0)) {
        printf("    %x %s on gen %d\n", reg, row_->name, (int)cmdset.gen);
        return;
    }
    EQUAL(r.engine, engine);
    EQUAL(r.instance, instance);
    EQUAL(r.nth, 0);
    EQUAL(r.masked, (row_->kind & 2) != 0);
    EQUAL(r.clears, (row_->kind & 8) != 0);
    EQUAL(r.high, false);
    EQUAL(r.media, media);
    if (wide) {
        CHECK(gpucmd_i915_register_find(&cmdset, reg + 4, &r) && strcmp(r.name, row_->name) == 0);
        EQUAL(r.high, true);
    }
}

/* Return true if an earlier row has the same offset in this generation. */
static bool hidden(const row *rows, size_t i, int gen)
{
    for (size_t k = 0; k < i; k++) {
        if (rows[k].reg == rows[i].reg && gen >= rows[k].since && gen <= rows[k].until) {
            return true;
        }
    }
    return false;
}

static void relative(int gen)
{
    for (unsigned e = R; e <= GSC; e *= 2) {
        for (uint32_t instance = 0; instance < 9; instance++) {
            uint32_t base;
            if (gpucmd_i915_engine_base((gpucmd_i915_gen)gen, (gpucmd_i915_engine)e, instance,
                                        &base) != GPUCMD_OK) {
                continue;
            }
            for (size_t i = 0; i < sizeof rings / sizeof rings[0]; i++) {
                if (gen >= rings[i].since && gen <= rings[i].until && !hidden(rings, i, gen) &&
                    (rings[i].engine == 0 || rings[i].engine == e)) {
                    row exact = rings[i];
                    exact.kind |= gen >= 200 && rings[i].reg == 0x3a8; /* 64 bits on Xe2 */
                    expect(&exact, base + rings[i].reg, e, instance, false);
                }
            }
        }
    }
}

static void absolute(int gen)
{
    for (size_t i = 0; i < sizeof globals / sizeof globals[0]; i++) {
        gpucmd_i915_register r;
        const bool in = gen >= globals[i].since && gen <= globals[i].until;
        const bool ring = gpucmd_i915_register_find(&cmdset, globals[i].reg, &r) &&
                          (unsigned)r.engine != 0; /* such a name comes first */
        if (in && !hidden(globals, i, gen) && !ring) {
            expect(&globals[i], globals[i].reg, 0, 0, false);
        }
        if (in && !hidden(globals, i, gen) && gen >= 127 && globals[i].reg < 0x40000) {
            expect(&globals[i], 0x380000 + globals[i].reg, 0, 0, true);
        }
    }
}

/* A name is not used outside its generations. */
static void outside(int gen)
{
    for (uint32_t reg = 0; reg < 0x400000; reg += 4) {
        gpucmd_i915_register r;
        bool good = false;
        if (!gpucmd_i915_register_find(&cmdset, reg, &r)) {
            continue;
        }
        for (size_t i = 0; i < sizeof rings / sizeof rings[0] && (unsigned)r.engine != 0; i++) {
            good = good || (strcmp(rings[i].name, r.name) == 0 && gen >= rings[i].since &&
                            gen <= rings[i].until);
        }
        for (size_t i = 0; i < sizeof globals / sizeof globals[0] && (unsigned)r.engine == 0; i++) {
            good = good || (strcmp(globals[i].name, r.name) == 0 && gen >= globals[i].since &&
                            gen <= globals[i].until);
        }
        /* names of notes: other parts and generations of a listed register */
        good = good || strncmp(r.name, "PDP", 3) == 0 || strncmp(r.name, "OACTX", 5) == 0 ||
               strncmp(r.name, "HDC_CHICKEN", 11) == 0;
        if (!CHECK(good)) {
            printf("    %x %s on gen %d\n", reg, r.name, gen);
            return;
        }
    }
}

static void is(int gen, int engine, uint32_t reg, const char *want)
{
    char buf[80];
    gpucmd_text t;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine),
          GPUCMD_OK);
    gpucmd_text_init(&t, buf, sizeof buf);
    test_dirty();
    gpucmd_i915_print_register(&t, &cmdset, reg);
    if (!CHECK(strcmp(buf, want) == 0)) {
        printf("    %s, expected %s\n", buf, want);
    }
}

static void texts(void)
{
    is(90, R, 0x2618, "rcs0.CS_GPR3");
    is(90, R, 0x261c, "rcs0.CS_GPR3_UDW");
    is(90, R, 0x2680, "0x2680");
    is(90, R, 0x024d4, "rcs0.FORCE_TO_NONPRIV1");
    is(125, V, 0x1f4358, "vcs7.TIMESTAMP");
    is(200, B, 0x3ee3ac, "bcs8.CTX_TIMESTAMP_UDW");
    is(127, GSC, 0x11a030, "gsc0.TAIL");
    is(127, V, 0x384218, "media.VD0_CCS_AUX_INV"); /* [XE] */
    is(125, V, 0x384218, "0x384218");
    is(120, R, 0x4218, "VD0_CCS_AUX_INV");
    is(90, R, 0xb028, "LNCFCMOCS2");
    is(120, R, 0x4090, "GAM_ECOCHK"); /* not GLOBAL_MOCS36 */
    is(75, R, 0xb020, "L3CNTLREG2");
    is(30, R, 0x7ffffc, "0x7ffffc");
    is(20, R, 0xffffffff, "0xffffffff");
    is(80, R, 0x2278, "rcs0.PDP1_LDW");
    is(80, B, 0x22200, "bcs0.BCS_SWCTRL");
    is(80, R, 0x02200, "0x2200");
    is(60, R, 0x2520, "GFX_MODE"); /* an absolute name inside the window of an engine */
}

/* The printer names every operand that is a register; the checker names what it refuses. */
static const char *refused;

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    refused = f->rule == GPUCMD_I915_RULE_REGISTER ? f->reg : refused;
    return GPUCMD_OK;
}

static void printed(int gen, int engine, const uint32_t *words, size_t len_dw, const char *want)
{
    char buf[1024];
    const char *at = buf;
    gpucmd_text t;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine),
          GPUCMD_OK);
    gpucmd_text_init(&t, buf, sizeof buf);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words, len_dw, 0), len_dw);
    for (; *want != '\0'; want++) { /* names in order, each at the end of a line */
        const size_t n = strcspn(want, ",");
        char name[64];
        snprintf(name, sizeof name, " %.*s\n", (int)n, want);
        at = strstr(at, name);
        if (!CHECK(at != NULL)) {
            printf("    %s is not in\n%s", name, buf);
            return;
        }
        at++;
        want += n;
        if (*want == '\0') {
            break;
        }
    }
}
#define PRINTS(gen, engine, want, ...)                                                             \
    do {                                                                                           \
        static const uint32_t words_[] = {__VA_ARGS__};                                            \
        printed(gen, engine, words_, sizeof words_ / 4, want);                                     \
    } while (0)

static void operands(void)
{
    gpucmd_i915_check_options options;
    const uint32_t store[] = {0x11000001, 0x7010, 0, 0x05000000};
    PRINTS(90, R, "rcs0.CS_GPR0,rcs0.CS_GPR0_UDW", 0x11000003, 0x2600, 5, 0x2604, 6);
    PRINTS(127, V, "vcs0.CTX_TIMESTAMP", 0x12480002, 0x3a8, 0x12340, 0); /* [XE] */
    PRINTS(127, V, "media.VD0_CCS_AUX_INV", 0x11020001, 0x384218, 1);
    PRINTS(120, R, "HIZ_CHICKEN,rcs0.CS_GPR0", 0x15080001, 0x7018, 0x600);
    PRINTS(120, B, "bcs0.CS_GPR0,HIZ_CHICKEN", 0x15040001, 0x600, 0x7018);
    PRINTS(120, R, "GFX_CCS_AUX_INV", 0x0e01c003, 0, 0x4208, 0, 0);
    PRINTS(80, R, "L3CNTLREG", 0x7a000004, 0x00800000, 0x7034, 0, 1, 0);
    PRINTS(70, R, "SO_WRITE_OFFSET0", 0x14800001, 0x5280, 0x1000);
    PRINTS(110, R, "rcs0.CONTEXT_CONTROL", 0x11080001, 0x244, 0);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    memset(&options, 0, sizeof options);
    options.found = on_finding;
    EQUAL(gpucmd_i915_check(&cmdset, store, 4, &options, NULL), GPUCMD_OK);
    CHECK(refused != NULL && strcmp(refused, "COMMON_SLICE_CHICKEN1") == 0);
}

int main(void)
{
    EQUAL(sizeof rings / sizeof rings[0] + sizeof globals / sizeof globals[0], 278);
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gens[g], GPUCMD_I915_RCS),
              GPUCMD_OK);
        relative(gens[g]);
        absolute(gens[g]);
        if (g % 4 == 0) { /* slow under emulation */
            outside(gens[g]);
        }
    }
    texts();
    operands();
    return test_report("i915_registers");
}
