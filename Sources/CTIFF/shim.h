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

static inline int ctiff_get_short(TIFF *tiff, uint32_t tag, uint16_t *value) {
  return TIFFGetFieldDefaulted(tiff, tag, value);
}
static inline int ctiff_get_long(TIFF *tiff, uint32_t tag, uint32_t *value) {
  return TIFFGetFieldDefaulted(tiff, tag, value);
}
static inline int ctiff_get_extra_samples(TIFF *tiff, uint16_t *count, uint16_t **kinds) {
  return TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, count, kinds);
}
// Three tables of 2^bits entries each, owned by the handle.
static inline int ctiff_get_palette(
    TIFF *tiff, uint16_t **red, uint16_t **green, uint16_t **blue) {
  return TIFFGetField(tiff, TIFFTAG_COLORMAP, red, green, blue);
}
static inline int ctiff_set_int(TIFF *tiff, uint32_t tag, int value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int ctiff_set_bytes16(
    TIFF *tiff, uint32_t tag, uint16_t count, const uint16_t *values) {
  return TIFFSetField(tiff, tag, count, values);
}
static inline int ctiff_set_palette(
    TIFF *tiff, const uint16_t *red, const uint16_t *green, const uint16_t *blue) {
  return TIFFSetField(tiff, TIFFTAG_COLORMAP, red, green, blue);
}
static inline int ctiff_set_subsampling(TIFF *tiff, uint16_t across, uint16_t down) {
  return TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, across, down);
}
