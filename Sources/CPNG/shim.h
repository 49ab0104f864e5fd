// libpng reports errors by longjmp, which must not cross Swift: these functions hold the jump's target
// and everything that libpng may leave in a jump.
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

// What is written before the pixels, beside the header.
typedef struct {
  const char *profile_name; // NULL for no ICC profile
  const uint8_t *profile;
  uint32_t profile_size;
  const uint8_t *exif; // NULL for none
  uint32_t exif_size;
  const char *xmp; // NULL for none; ends with NUL
  // Whole ancillary chunks, one behind the other: length (big-endian), name, data.
  const uint8_t *chunks;
  size_t chunks_size;
} cpng_extras;

// A PNG that is being written; `channel` must outlive it.
typedef struct {
  png_structp png;
  png_infop info;
} cpng_writer;

static inline void cpng_close(cpng_writer *writer) {
  png_destroy_write_struct(&writer->png, &writer->info);
}

// Starts a PNG of `channels` (1 gray, 3 RGB, one more with alpha) samples a pixel of `bits` (8, or 16 in the machine's byte
// order), deflated at `level`. Returns 0, or 1 with the reason in `channel` and the writer closed.
static inline int cpng_begin(
    cpng_writer *writer, cpng_channel *channel, uint32_t width, uint32_t height, int bits,
    int channels, int level, const cpng_extras *extras) {
  writer->info = NULL;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, channel, cpng_fail, cpng_ignore);
  if (writer->png) writer->info = png_create_info_struct(writer->png);
  if (!writer->info) {
    cpng_close(writer);
    strncpy(channel->message, "out of memory", sizeof channel->message - 1);
    return 1;
  }
  png_structp png = writer->png;
  png_infop info = writer->info;
  if (setjmp(png_jmpbuf(png))) {
    cpng_close(writer);
    return 1;
  }
  png_set_write_fn(png, channel, cpng_write_bytes, cpng_flush);
  png_set_compression_level(png, level);
  if (level == 1) png_set_filter(png, 0, PNG_FILTER_SUB);
  png_set_IHDR(
      png, info, width, height, bits,
      (channels > 2 ? PNG_COLOR_MASK_COLOR : 0) | (channels % 2 == 0 ? PNG_COLOR_MASK_ALPHA : 0),
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (extras->profile_name)
    png_set_iCCP(
        png, info, extras->profile_name, PNG_COMPRESSION_TYPE_BASE, extras->profile,
        extras->profile_size);
  // libpng drops a profile that it does not like.
  if (extras->profile_name && !png_get_valid(png, info, PNG_INFO_iCCP))
    png_error(png, "the ICC profile breaks PNG's rules; write a TIFF");
  if (extras->exif) png_set_eXIf_1(png, info, extras->exif_size, (png_bytep)extras->exif);
  if (extras->xmp) {
    png_text text = {0};
    text.compression = PNG_ITXT_COMPRESSION_NONE;
    text.key = (png_charp) "XML:com.adobe.xmp";
    text.text = (png_charp)extras->xmp;
    text.itxt_length = strlen(extras->xmp);
    png_set_text(png, info, &text, 1);
  }
  png_write_info_before_PLTE(png, info);
  for (size_t at = 0; at + 8 <= extras->chunks_size;) {
    const uint8_t *chunk = extras->chunks + at;
    uint32_t size = png_get_uint_32(chunk);
    png_write_chunk(png, chunk + 4, chunk + 8, size);
    at += 8 + size;
  }
  png_write_info(png, info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (bits == 16) png_set_swap(png);
#endif
  return 0;
}

// Writes `count` rows, `stride` bytes apart. As above.
static inline int cpng_rows(
    cpng_writer *writer, const uint8_t *rows, size_t stride, uint32_t count) {
  if (setjmp(png_jmpbuf(writer->png))) {
    cpng_close(writer);
    return 1;
  }
  for (uint32_t y = 0; y < count; y++) png_write_row(writer->png, rows + y * stride);
  return 0;
}

// Ends and closes the PNG. As above.
static inline int cpng_end(cpng_writer *writer) {
  if (setjmp(png_jmpbuf(writer->png))) {
    cpng_close(writer);
    return 1;
  }
  png_write_end(writer->png, NULL);
  cpng_close(writer);
  return 0;
}

typedef struct {
  const uint8_t *bytes; // the whole file
  size_t count;
  size_t position;
  // Whether to stop, asked for each row with `context`; NULL for never.
  int (*is_over)(const void *context);
  const void *context;
  int is_tolerant; // Whether as much as there is is wanted of pixels that are damaged or end early.
  char message[160];
} cpng_source;

static inline void cpng_source_fail(png_structp png, png_const_charp message) {
  cpng_source *source = (cpng_source *)png_get_error_ptr(png);
  strncpy(source->message, message, sizeof source->message - 1);
  png_longjmp(png, 1);
}
static inline void cpng_read_bytes(png_structp png, png_bytep bytes, size_t count) {
  cpng_source *source = (cpng_source *)png_get_io_ptr(png);
  if (count > source->count - source->position) png_error(png, "the file ends early");
  memcpy(bytes, source->bytes + source->position, count);
  source->position += count;
}

// Reads the pixels of a PNG of `width` x `height` into `rows`, each `stride` bytes: gray or RGB, with
// alpha behind them or without; 16 bits in the machine's byte order, fewer in one byte each as they are, palettes as 8-bit RGB.
// `row_bytes` is what a row has to take. Returns 0, or 1 with the reason in `source`.
static inline int cpng_read(
    cpng_source *source, uint32_t width, uint32_t height, size_t row_bytes, size_t stride,
    int with_alpha, uint8_t *rows) {
  png_infop info = NULL;
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, source, cpng_source_fail, cpng_ignore);
  if (png) info = png_create_info_struct(png);
  if (!info) {
    png_destroy_read_struct(&png, NULL, NULL);
    strncpy(source->message, "out of memory", sizeof source->message - 1);
    return 1;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return 1;
  }
  png_set_read_fn(png, source, cpng_read_bytes);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_benign_errors(png, 1);
  if (source->is_tolerant) {
    // What is read in one piece is lost with its end.
    png_set_compression_buffer_size(png, 64);
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  }
#ifdef PNG_SET_OPTION_SUPPORTED
  // Writers before libpng 1.6 declared too small a window of their zlib streams.
  png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
#endif
  // Only IHDR, PLTE, IDAT and IEND are read.
  static const png_byte transparency[5] = "tRNS";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  if (!with_alpha) png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, transparency, 1);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height)
    png_error(png, "two sizes");
  png_set_packing(png);
  if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (with_alpha && png_get_valid(png, info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(png);
  if (!with_alpha && png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) png_set_strip_alpha(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (png_get_bit_depth(png, info) == 16) png_set_swap(png);
#endif
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != row_bytes || row_bytes > stride)
    png_error(png, "rows of another length");
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++) {
      if (source->is_over && source->is_over(source->context)) png_error(png, "stopped");
      png_read_row(png, rows + y * stride, NULL);
    }
  png_destroy_read_struct(&png, &info, NULL);
  return 0;
}
