// A file mapped into memory whose loss ends no process. The kernel answers a read of a page that the
// file no longer has – another program made it shorter – or that the disk does not give with SIGBUS,
// whose default is the end of the process. Here the mapping becomes zeros from that page on, and says so.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct cmapped_file cmapped_file;

// Maps the first `length` bytes of an open file, to be read alone. NULL where that fails, by errno.
cmapped_file *cmapped_file_open(int descriptor, size_t length);

// The first byte.
void *cmapped_file_start(const cmapped_file *file);

// Whether a page could not be read, so that zeros are in its place and behind it.
bool cmapped_file_is_lost(const cmapped_file *file);

// Ends the mapping.
void cmapped_file_close(cmapped_file *file);
