#pragma once
#include <libheif/heif.h>

// An enumerator at first, later an alias by a macro, which Swift does not see.
static inline enum heif_chroma clibheif_monochrome(void) { return heif_chroma_monochrome; }
