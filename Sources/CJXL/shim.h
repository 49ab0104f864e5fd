// libjxl 0.7 to 0.11: what differs between them is settled here.
#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

// Up to 0.8 a pixel format is given, which nothing reads.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define CJXL_FORMAT NULL,
#else
#define CJXL_FORMAT
#endif

static inline JxlDecoderStatus cjxl_color_encoding(
    const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *encoding) {
  return JxlDecoderGetColorAsEncodedProfile(decoder, CJXL_FORMAT target, encoding);
}
static inline JxlDecoderStatus cjxl_icc_size(
    const JxlDecoder *decoder, JxlColorProfileTarget target, size_t *size) {
  return JxlDecoderGetICCProfileSize(decoder, CJXL_FORMAT target, size);
}
static inline JxlDecoderStatus cjxl_icc_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile, size_t size) {
  return JxlDecoderGetColorAsICCProfile(decoder, CJXL_FORMAT target, profile, size);
}
