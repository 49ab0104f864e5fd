// libpng reports errors by longjmp, which must not cross Swift: this function holds the jump's target
// and everything that libpng may leave in a jump. `row` is called between libpng's own calls only.
#pragma once
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  int descriptor;
  int system_error; // errno of a write that failed, else 0
  char message[160];
} cpng_channel;

static inline void cpng_fail(png_structp png, png_const_charp message) {
  cpng_channel *channel = (cpng_channel *)png_get_error_ptr(png);
  strncpy(channel->message, message, sizeof channel->message - 1);
  png_longjmp(png, 1);
}
static inline void cpng_ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}
static inline void cpng_write_bytes(png_structp png, png_bytep bytes, size_t count) {
  cpng_channel *channel = (cpng_channel *)png_get_io_ptr(png);
  while (count > 0) {
    ssize_t done = write(channel->descriptor, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      channel->system_error = errno;
      png_error(png, "write failed");
    }
    bytes += done;
    count -= (size_t)done;
  }
}
static inline void cpng_flush(png_structp png) { (void)png; }

// Writes a PNG of `channels` (1 grey, 3 RGB) samples a pixel of `bits` (8, or 16 in the machine's byte
// order). Returns 0, or 1 with the reason in `channel`.
static inline int cpng_write(
    cpng_channel *channel, uint32_t width, uint32_t height, int bits, int channels,
    const uint8_t *(*row)(void *user, uint32_t y), void *user) {
  png_infop info = NULL;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, channel, cpng_fail, cpng_ignore);
  if (png) info = png_create_info_struct(png);
  if (!info) {
    png_destroy_write_struct(&png, NULL);
    strncpy(channel->message, "out of memory", sizeof channel->message - 1);
    return 1;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 1;
  }
  png_set_write_fn(png, channel, cpng_write_bytes, cpng_flush);
  png_set_IHDR(
      png, info, width, height, bits, channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (bits == 16) png_set_swap(png);
#endif
  for (uint32_t y = 0; y < height; y++) png_write_row(png, row(user, y));
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return 0;
}
