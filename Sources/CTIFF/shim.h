// libtiff, with its variadic field setter as one function for each kind of value: Swift imports no
// variadic function.
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>

// The last error that a handle reported, or damage reported as a warning, printable ASCII. Kept by C
// because Swift cannot be handed the va_list of every CPU.
typedef struct {
  char text[256];
} ctiff_message;

static inline int ctiff_keep(
    TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
  (void)tiff, (void)module;
  ctiff_message *message = (ctiff_message *)user;
  vsnprintf(message->text, sizeof message->text, format, values);
  // Some messages contain line breaks, or bytes of the file.
  for (char *letter = message->text; *letter; letter++)
    if (*letter < 32 || *letter > 126) *letter = ' ';
  return 1;
}
// Whether it is about the byte that writers of PackBits put behind a row to make its number even.
static inline int ctiff_is_padding(
    TIFF *tiff, const char *module, const char *format, va_list values) {
  if (strncmp(module, "PackBits", 8) || TIFFScanlineSize(tiff) % 2 == 0) return 0;
  char text[64];
  va_list copy;
  va_copy(copy, values);
  vsnprintf(text, sizeof text, format, copy);
  va_end(copy);
  return !strncmp(text, "Discarding 1 bytes", 18);
}
// Damage of coded samples is a warning of libjpeg, whose old streams have a module of their own, of
// the fax codecs and of PackBits: they go on with gray, with white or with what is left. All other
// warnings are of what does no harm.
static inline int ctiff_keep_damage(
    TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
  if (module && (!strcmp(module, "JPEGLib") || !strcmp(module, "LibJpeg")
                 || !strncmp(module, "Fax", 3) || !strncmp(module, "PackBits", 8))
      && !ctiff_is_padding(tiff, module, format, values))
    return ctiff_keep(tiff, user, module, format, values);
  return 1;
}
// Errors of handles opened with `options` and warnings of damage go to `message`, others nowhere.
static inline void ctiff_collect(TIFFOpenOptions *options, ctiff_message *message) {
  TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_keep, message);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_keep_damage, message);
}

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

// Datasets of IPTC-IIM; `count` bytes, a multiple of four: some versions of libtiff count longs.
static inline int ctiff_set_iptc(TIFF *tiff, uint32_t count, const void *value) {
  const TIFFField *field = TIFFFieldWithTag(tiff, TIFFTAG_RICHTIFFIPTC);
  int longs = field && TIFFFieldDataType(field) == TIFF_LONG;
  return TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, longs ? count / 4 : count, value);
}

static inline int ctiff_get_short(TIFF *tiff, uint32_t tag, uint16_t *value) {
  return TIFFGetFieldDefaulted(tiff, tag, value);
}
// 0 where the directory has no such field.
static inline int ctiff_get_stored_short(TIFF *tiff, uint32_t tag, uint16_t *value) {
  return TIFFGetField(tiff, tag, value);
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
