#include <linux/module.h>
MODULE_LICENSE("Dual MIT/GPL");
