// The C core of OpenEXR, writing and reading one part of scan lines or tiles: what it says by callbacks
// with variadic functions, and the pipelines whose buffers it owns, as functions that Swift can call.
#pragma once
#include <OpenEXR/openexr.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where a file's bytes go or come from, and the last error that its context reported, printable ASCII. Alive
// as long as the context.
typedef struct {
  int descriptor;
  int system_error; // errno of a write that failed, else 0
  const uint8_t *bytes; // Of a file that is read.
  uint64_t count;
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
// part: R, G and B, with `has_alpha` A, `is_half` or floats, in tiles of that side, or 0 for scan lines.
// Returns 0, or a code; `context` is then NULL.
static inline exr_result_t cexr_begin(
    exr_context_t *context, cexr_channel *channel, const char *name, int32_t width, int32_t height,
    int32_t tile, exr_compression_t compression, int is_half, int has_alpha) {
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
  static const char *const names[4] = {"A", "B", "G", "R"};
  for (int index = has_alpha ? 0 : 1; index < 4 && result == EXR_ERR_SUCCESS; index++)
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
// lines are at `packed`: of each line all A, if there is one, all B, then G, then R, little-endian.
// `bytes` and `count` are what the file stores, valid until the next call.
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

static inline int64_t cexr_read(
    exr_const_context_t context, void *user, void *buffer, uint64_t count, uint64_t offset,
    exr_stream_error_func_ptr_t report) {
  const cexr_channel *channel = (const cexr_channel *)user;
  (void)context;
  (void)report;
  if (offset >= channel->count) return 0;
  if (count > channel->count - offset) count = channel->count - offset;
  memcpy(buffer, channel->bytes + offset, count);
  return (int64_t)count;
}
static inline int64_t cexr_size(exr_const_context_t context, void *user) {
  (void)context;
  return (int64_t)((const cexr_channel *)user)->count;
}

// Opens a context that reads the bytes of `channel`. Returns 0, or a code; `context` is then NULL.
static inline exr_result_t cexr_open(exr_context_t *context, cexr_channel *channel, int longest_side) {
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  settings.user_data = channel;
  settings.error_handler_fn = cexr_keep;
  settings.read_fn = cexr_read;
  settings.size_fn = cexr_size;
  settings.max_image_width = longest_side;
  settings.max_image_height = longest_side;
  *context = NULL;
  exr_result_t result = exr_start_read(context, "picture.exr", &settings);
  if (result != EXR_ERR_SUCCESS && *context) exr_finish(context);
  return result;
}

// The first part of a file that is a flat picture.
typedef struct {
  int part, parts;
  int is_tiled;
  exr_compression_t compression;
  exr_attr_box2i_t data, display;
  int32_t lines_per_chunk, chunks; // Of scan lines.
  uint32_t tile_width, tile_height;
  const exr_attr_chlist_t *channels;
  int has_chromaticities;
  exr_attr_chromaticities_t chromaticities;
  float aspect;
} cexr_picture;

// Returns 0, or a code: EXR_ERR_INVALID_ARGUMENT where all parts are deep.
static inline exr_result_t cexr_describe(exr_const_context_t context, cexr_picture *picture) {
  exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
  memset(picture, 0, sizeof *picture);
  exr_result_t result = exr_get_count(context, &picture->parts);
  if (result != EXR_ERR_SUCCESS) return result;
  for (picture->part = 0; picture->part < picture->parts; picture->part++) {
    result = exr_get_storage(context, picture->part, &storage);
    if (result != EXR_ERR_SUCCESS) return result;
    if (storage == EXR_STORAGE_SCANLINE || storage == EXR_STORAGE_TILED) break;
  }
  if (picture->part == picture->parts) return EXR_ERR_INVALID_ARGUMENT;
  int part = picture->part;
  picture->is_tiled = storage == EXR_STORAGE_TILED;
  result = exr_get_data_window(context, part, &picture->data);
  if (result == EXR_ERR_SUCCESS) result = exr_get_display_window(context, part, &picture->display);
  if (result == EXR_ERR_SUCCESS) result = exr_get_channels(context, part, &picture->channels);
  if (result == EXR_ERR_SUCCESS) result = exr_get_compression(context, part, &picture->compression);
  if (result == EXR_ERR_SUCCESS) result = exr_get_chunk_count(context, part, &picture->chunks);
  exr_tile_level_mode_t levels;
  exr_tile_round_mode_t rounding;
  if (result == EXR_ERR_SUCCESS)
    result = picture->is_tiled
                 ? exr_get_tile_descriptor(
                       context, part, &picture->tile_width, &picture->tile_height, &levels, &rounding)
                 : exr_get_scanlines_per_chunk(context, part, &picture->lines_per_chunk);
  if (result != EXR_ERR_SUCCESS) return result;
  if (exr_get_pixel_aspect_ratio(context, part, &picture->aspect) != EXR_ERR_SUCCESS)
    picture->aspect = 1;
  const exr_attribute_t *attribute = NULL;
  if (exr_get_attribute_by_name(context, part, "chromaticities", &attribute) == EXR_ERR_SUCCESS &&
      attribute->type == EXR_ATTR_CHROMATICITIES) {
    picture->has_chromaticities = 1;
    picture->chromaticities = *attribute->chromaticities;
  }
  return EXR_ERR_SUCCESS;
}

// What chunks are decoded with.
typedef struct {
  exr_decode_pipeline_t pipeline;
  int is_used;
} cexr_decompressor;

static inline exr_result_t cexr_find_chunk(
    exr_const_context_t context, const cexr_picture *picture, int32_t x, int32_t y,
    exr_chunk_info_t *chunk) {
  return picture->is_tiled ? exr_read_tile_chunk_info(context, picture->part, x, y, 0, 0, chunk)
                           : exr_read_scanline_chunk_info(context, picture->part, y, chunk);
}

// The bytes that the file stores of the chunk that begins in row `y`, or of tiles of the one in that
// column and row of them, at most `capacity`.
static inline exr_result_t cexr_read_packed(
    exr_const_context_t context, const cexr_picture *picture, int32_t x, int32_t y, uint8_t *bytes,
    uint64_t capacity, uint64_t *count) {
  exr_chunk_info_t chunk;
  exr_result_t result = cexr_find_chunk(context, picture, x, y, &chunk);
  if (result != EXR_ERR_SUCCESS) return result;
  if (chunk.packed_size > capacity) return EXR_ERR_CORRUPT_CHUNK;
  *count = chunk.packed_size;
  return exr_read_chunk(context, picture->part, &chunk, bytes);
}

// Decodes the chunk that begins in row `y`, or of tiles the one in that column and row of them: the
// channels whose bits of `wanted` are set, one behind the other, as they are stored, into `samples`. The
// whole chunk may take `capacity` bytes.
static inline exr_result_t cexr_decode(
    exr_const_context_t context, cexr_decompressor *decompressor, const cexr_picture *picture,
    int32_t x, int32_t y, uint64_t wanted, uint8_t *samples, uint64_t capacity) {
  exr_chunk_info_t chunk;
  exr_decode_pipeline_t *pipeline = &decompressor->pipeline;
  exr_result_t result = cexr_find_chunk(context, picture, x, y, &chunk);
  if (result != EXR_ERR_SUCCESS) return result;
  if (chunk.unpacked_size > capacity || chunk.packed_size > capacity) return EXR_ERR_CORRUPT_CHUNK;
  result = decompressor->is_used
               ? exr_decoding_update(context, picture->part, &chunk, pipeline)
               : exr_decoding_initialize(context, picture->part, &chunk, pipeline);
  if (result != EXR_ERR_SUCCESS) return result;
  decompressor->is_used = 1;
  uint64_t used = 0;
  for (int index = 0; index < pipeline->channel_count; index++) {
    exr_coding_channel_info_t *channel = pipeline->channels + index;
    channel->decode_to_ptr = NULL;
    if (index >= 64 || !(wanted >> index & 1)) continue;
    uint64_t bytes = (uint64_t)channel->height * channel->width * channel->bytes_per_element;
    if (bytes > capacity - used) return EXR_ERR_CORRUPT_CHUNK;
    channel->decode_to_ptr = samples + used;
    channel->user_pixel_stride = channel->bytes_per_element;
    channel->user_line_stride = channel->width * channel->bytes_per_element;
    channel->user_bytes_per_element = channel->bytes_per_element;
    channel->user_data_type = channel->data_type;
    used += bytes;
  }
  result = exr_decoding_choose_default_routines(context, picture->part, pipeline);
  return result == EXR_ERR_SUCCESS ? exr_decoding_run(context, picture->part, pipeline) : result;
}
static inline void cexr_end_decompressor(exr_const_context_t context, cexr_decompressor *decompressor) {
  if (decompressor->is_used) exr_decoding_destroy(context, &decompressor->pipeline);
  decompressor->is_used = 0;
}
