// The C core of OpenEXR, writing one part of scan lines or tiles: what it says by callbacks with variadic
// functions, and the pipeline whose buffers it owns, as functions that Swift can call.
#pragma once
#include <OpenEXR/openexr.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where a file's bytes go, and the last error that its context told, printable ASCII. Alive as long as
// the context.
typedef struct {
  int descriptor;
  int system_error; // errno of a write that failed, else 0
  char message[200];
} cexr_channel;

static inline void cexr_keep(exr_const_context_t context, exr_result_t code, const char *text) {
  void *user = NULL;
  (void)code;
  if (exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user) return;
  cexr_channel *channel = (cexr_channel *)user;
  // The first one says why, those behind it that the call failed.
  if (channel->message[0]) return;
  strncpy(channel->message, text, sizeof channel->message - 1);
  for (char *letter = channel->message; *letter; letter++)
    if (*letter < 32 || *letter > 126) *letter = ' ';
}
static inline int64_t cexr_write(
    exr_const_context_t context, void *user, const void *bytes, uint64_t count, uint64_t offset,
    exr_stream_error_func_ptr_t report) {
  cexr_channel *channel = (cexr_channel *)user;
  uint64_t done = 0;
  while (done < count) {
    ssize_t now = pwrite(
        channel->descriptor, (const char *)bytes + done, count - done, (off_t)(offset + done));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) {
      channel->system_error = errno;
      report(context, EXR_ERR_WRITE_IO, "write failed");
      return -1;
    }
    done += (uint64_t)now;
  }
  return (int64_t)count;
}

// Opens a context for a file at `channel`'s descriptor, `name` for messages, and describes its only
// part: R, G and B, `is_half` or floats, in tiles of that side, or 0 for scan lines. Returns 0, or a
// code; `context` is then NULL.
static inline exr_result_t cexr_begin(
    exr_context_t *context, cexr_channel *channel, const char *name, int32_t width, int32_t height,
    int32_t tile, exr_compression_t compression, int is_half) {
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  settings.user_data = channel;
  settings.error_handler_fn = cexr_keep;
  settings.write_fn = cexr_write;
  int part = 0;
  *context = NULL;
  exr_result_t result = exr_start_write(context, name, EXR_WRITE_FILE_DIRECTLY, &settings);
  if (result == EXR_ERR_SUCCESS)
    result = exr_add_part(
        *context, NULL, tile ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE, &part);
  if (result == EXR_ERR_SUCCESS)
    result = exr_initialize_required_attr_simple(*context, part, width, height, compression);
  if (result == EXR_ERR_SUCCESS && tile)
    result = exr_set_tile_descriptor(
        *context, part, (uint32_t)tile, (uint32_t)tile, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN);
  static const char *const names[3] = {"B", "G", "R"};
  for (int index = 0; index < 3 && result == EXR_ERR_SUCCESS; index++)
    result = exr_add_channel(
        *context, part, names[index], is_half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
        EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
  if (result != EXR_ERR_SUCCESS && *context) exr_finish(context);
  return result;
}

// What one thread compresses with.
typedef struct {
  exr_encode_pipeline_t pipeline;
  int is_used;
  const void *packed; // The next chunk as it is stored without compression.
} cexr_compressor;

static inline exr_result_t cexr_take_packed(exr_encode_pipeline_t *pipeline) {
  const cexr_compressor *compressor = (const cexr_compressor *)pipeline->encoding_user_data;
  uint64_t count = 0;
  for (int index = 0; index < pipeline->channel_count; index++) {
    const exr_coding_channel_info_t *channel = pipeline->channels + index;
    count += (uint64_t)channel->height * channel->width * channel->bytes_per_element;
  }
  memcpy(pipeline->packed_buffer, compressor->packed, count);
  pipeline->packed_bytes = count;
  return EXR_ERR_SUCCESS;
}
static inline exr_result_t cexr_do_not_write(exr_encode_pipeline_t *pipeline) {
  (void)pipeline;
  return EXR_ERR_SUCCESS;
}

// Compresses the chunk that begins in row `y`, or of tiles the one in that column and row of them, whose
// lines are at `packed`: of each line all B, then G, then R, little-endian. `bytes` and `count` are what
// the file stores, valid until the next call.
static inline exr_result_t cexr_compress(
    exr_context_t context, cexr_compressor *compressor, int is_tile, int32_t x, int32_t y,
    const void *packed, const void **bytes, uint64_t *count) {
  exr_chunk_info_t chunk;
  exr_encode_pipeline_t *pipeline = &compressor->pipeline;
  exr_result_t result = is_tile ? exr_write_tile_chunk_info(context, 0, x, y, 0, 0, &chunk)
                                : exr_write_scanline_chunk_info(context, 0, y, &chunk);
  if (result != EXR_ERR_SUCCESS) return result;
  result = compressor->is_used ? exr_encoding_update(context, 0, &chunk, pipeline)
                               : exr_encoding_initialize(context, 0, &chunk, pipeline);
  if (result != EXR_ERR_SUCCESS) return result;
  // The core asks for pointers to unpacked channels, though they are packed already.
  for (int index = 0; index < pipeline->channel_count; index++) {
    exr_coding_channel_info_t *channel = pipeline->channels + index;
    channel->encode_from_ptr = (const uint8_t *)packed;
    channel->user_pixel_stride = channel->bytes_per_element;
    channel->user_line_stride = channel->width * channel->bytes_per_element;
    channel->user_bytes_per_element = channel->bytes_per_element;
    channel->user_data_type = channel->data_type;
  }
  if (!compressor->is_used) {
    result = exr_encoding_choose_default_routines(context, 0, pipeline);
    if (result != EXR_ERR_SUCCESS) return result;
  }
  compressor->is_used = 1;
  compressor->packed = packed;
  pipeline->encoding_user_data = compressor;
  pipeline->convert_and_pack_fn = cexr_take_packed;
  pipeline->yield_until_ready_fn = NULL;
  pipeline->write_fn = cexr_do_not_write;
  result = exr_encoding_run(context, 0, pipeline);
  *bytes = pipeline->compressed_buffer;
  *count = pipeline->compressed_bytes;
  // Readers take a chunk of the length of its pixels for uncompressed; version 3.1.5 writes compressed
  // ones of exactly that length.
  if (result == EXR_ERR_SUCCESS && (!*bytes || *count >= pipeline->packed_bytes)) {
    *bytes = packed;
    *count = pipeline->packed_bytes;
  }
  return result;
}
static inline void cexr_end_compressor(exr_context_t context, cexr_compressor *compressor) {
  if (compressor->is_used) exr_encoding_destroy(context, &compressor->pipeline);
  compressor->is_used = 0;
}
