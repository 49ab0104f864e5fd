// Takes rights from the calling process for good: see CConfinement.c.
#pragma once
#include <stdbool.h>

typedef struct {
  bool seccomp;  // system calls outside the list are refused to all threads
  bool landlock; // no file can be written or run by its path, no TCP port reached
} cconfinement_state;

// Confines this process as far as the kernel lets it, and says how far that is. Call before the first
// thread is started: Landlock holds for the calling thread and those that it starts.
cconfinement_state cconfinement_enter(void);

// Whether a sanitizer is compiled in: its shadow takes terabytes of addresses, which no limit allows.
bool cconfinement_is_sanitized(void);
