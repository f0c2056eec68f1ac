#pragma once
#include <stdbool.h>

/// How often the process has asked for memory so far.
unsigned long allocations_so_far(void);

/// Whether this system's allocations can be counted.
bool allocations_are_counted(void);
