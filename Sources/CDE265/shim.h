#pragma once
#include <libde265/de265.h>
#include <stdint.h>
#include <string.h>

// The library's own memory for a picture, gray all over: what no slice fills is gray then, and not what
// was in that memory before.
static inline int cde265_get_gray(
    de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image,
    void *user) {
  int done = de265_get_default_image_allocation_functions()->get_buffer(context, spec, image, user);
  if (!done) return done;
  int planes = de265_get_chroma_format(image) == de265_chroma_mono ? 1 : 3;
  for (int plane = 0; plane < planes; plane++) {
    int stride = 0;
    uint8_t *samples = (uint8_t *)de265_get_image_plane(image, plane, &stride);
    int bits = de265_get_bits_per_pixel(image, plane);
    size_t bytes = (size_t)stride * (size_t)de265_get_image_height(image, plane);
    if (!samples) continue;
    if (bits <= 8) {
      memset(samples, 1 << (bits - 1), bytes);
    } else {
      for (size_t i = 0; i < bytes / 2; i++) ((uint16_t *)samples)[i] = (uint16_t)(1 << (bits - 1));
    }
  }
  return done;
}
static inline void cde265_release(
    de265_decoder_context *context, struct de265_image *image, void *user) {
  de265_get_default_image_allocation_functions()->release_buffer(context, image, user);
}
// Has pictures begin gray.
static inline void cde265_begin_gray(de265_decoder_context *context) {
  struct de265_image_allocation gray = {cde265_get_gray, cde265_release};
  de265_set_image_allocation_functions(context, &gray, NULL);
}
