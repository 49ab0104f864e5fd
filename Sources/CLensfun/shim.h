#pragma once
#include <lensfun/lensfun.h>

// glibc hides it from C without GNU extensions, and so from Swift.
void *memmem(const void *, size_t, const void *, size_t);
