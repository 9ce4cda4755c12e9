/* Calls every inline function with several arguments. Returns the name of the first writer that
 * writes more or fewer words than it measures, or NULL. */
#ifdef __cplusplus
extern "C"
#endif
    const char *
    call_all(void);
