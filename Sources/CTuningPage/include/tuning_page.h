// The files of the page of `rawdev tune`, which are part of the program.
#pragma once
#include <stddef.h>

typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} tuning_page_file;

// How many files there are.
size_t tuning_page_count(void);
// The file of this number, from 0.
tuning_page_file tuning_page_at(size_t number);
