// libtiff, with its variadic field setter as one function for each kind of value: Swift imports no
// variadic function.
#pragma once
#include <tiffio.h>

static inline int ctiff_set_short(TIFF *tiff, uint32_t tag, uint16_t value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int ctiff_set_long(TIFF *tiff, uint32_t tag, uint32_t value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int ctiff_set_offset(TIFF *tiff, uint32_t tag, uint64_t value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int ctiff_set_real(TIFF *tiff, uint32_t tag, double value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int ctiff_set_text(TIFF *tiff, uint32_t tag, const char *value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int ctiff_set_bytes(TIFF *tiff, uint32_t tag, uint32_t count, const void *value) {
  return TIFFSetField(tiff, tag, count, value);
}
