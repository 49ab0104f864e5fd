// libjxl 0.7 to 0.11: what differs between them is settled here.
//
// The library is loaded at its first use and not with the program: Debian 12's needs libhwy 1.0.3,
// which measures its timer when it is loaded, 5 ms of every start; and few files need it.
#pragma once
#include <dlfcn.h>
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>
#include <stddef.h>

#define CJXL_TEXT_OF(number) #number
#define CJXL_TEXT(number) CJXL_TEXT_OF(number)
// The version with which binaries of these headers work.
#if JPEGXL_MAJOR_VERSION == 0
#define CJXL_ABI "0." CJXL_TEXT(JPEGXL_MINOR_VERSION)
#else
#define CJXL_ABI CJXL_TEXT(JPEGXL_MAJOR_VERSION)
#endif

// The library's file, which the loader looks for.
static inline const char *_Nonnull cjxl_library(void) {
#ifdef __APPLE__
  return "@rpath/libjxl." CJXL_ABI ".dylib";
#else
  return "libjxl.so." CJXL_ABI;
#endif
}

#define CJXL_FUNCTIONS(use)             \
  use(JxlDecoderCloseInput)             \
  use(JxlDecoderCreate)                 \
  use(JxlDecoderDestroy)                \
  use(JxlDecoderFlushImage)             \
  use(JxlDecoderGetBasicInfo)           \
  use(JxlDecoderGetBoxType)             \
  use(JxlDecoderGetColorAsEncodedProfile) \
  use(JxlDecoderGetColorAsICCProfile)   \
  use(JxlDecoderGetExtraChannelInfo)    \
  use(JxlDecoderGetICCProfileSize)      \
  use(JxlDecoderImageOutBufferSize)     \
  use(JxlDecoderProcessInput)           \
  use(JxlDecoderReleaseBoxBuffer)       \
  use(JxlDecoderReset)                  \
  use(JxlDecoderSetBoxBuffer)           \
  use(JxlDecoderSetCoalescing)          \
  use(JxlDecoderSetDecompressBoxes)     \
  use(JxlDecoderSetImageOutBuffer)      \
  use(JxlDecoderSetImageOutCallback)    \
  use(JxlDecoderSetInput)               \
  use(JxlDecoderSetKeepOrientation)     \
  use(JxlDecoderSetParallelRunner)      \
  use(JxlDecoderSetPreferredColorProfile) \
  use(JxlDecoderSubscribeEvents)        \
  use(JxlEncoderAddBox)                 \
  use(JxlEncoderAddImageFrame)          \
  use(JxlEncoderCloseInput)             \
  use(JxlEncoderCreate)                 \
  use(JxlEncoderDestroy)                \
  use(JxlEncoderFrameSettingsCreate)    \
  use(JxlEncoderFrameSettingsSetOption) \
  use(JxlEncoderGetError)               \
  use(JxlEncoderInitBasicInfo)          \
  use(JxlEncoderProcessOutput)          \
  use(JxlEncoderSetBasicInfo)           \
  use(JxlEncoderSetCodestreamLevel)     \
  use(JxlEncoderSetColorEncoding)       \
  use(JxlEncoderSetFrameDistance)       \
  use(JxlEncoderSetFrameLossless)       \
  use(JxlEncoderSetICCProfile)          \
  use(JxlEncoderSetParallelRunner)      \
  use(JxlEncoderUseBoxes)               \
  use(JxlEncoderUseContainer)

// libjxl's functions under their names.
typedef struct {
#define CJXL_FIELD(name) __typeof__(name) *_Nonnull name;
  CJXL_FUNCTIONS(CJXL_FIELD)
} CJXLFunctions;

// Loads libjxl for good; NULL where it is missing or lacks a function. Not for two threads at once.
static inline const CJXLFunctions *_Nullable cjxl_load(void) {
  static CJXLFunctions functions;
  void *library = dlopen(cjxl_library(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return NULL;
#define CJXL_FIND(name)                                     \
  void *found_##name = dlsym(library, #name);               \
  if (!found_##name) return NULL;                           \
  functions.name = (__typeof__(functions.name))found_##name;
  CJXL_FUNCTIONS(CJXL_FIND)
  return &functions;
}

// Up to 0.8 a pixel format is given, which nothing reads.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define CJXL_FORMAT NULL,
#else
#define CJXL_FORMAT
#endif

static inline JxlDecoderStatus cjxl_color_encoding(
    const CJXLFunctions *_Nonnull jxl, const JxlDecoder *decoder, JxlColorProfileTarget target,
    JxlColorEncoding *encoding) {
  return jxl->JxlDecoderGetColorAsEncodedProfile(decoder, CJXL_FORMAT target, encoding);
}
static inline JxlDecoderStatus cjxl_icc_size(
    const CJXLFunctions *_Nonnull jxl, const JxlDecoder *decoder, JxlColorProfileTarget target,
    size_t *size) {
  return jxl->JxlDecoderGetICCProfileSize(decoder, CJXL_FORMAT target, size);
}
static inline JxlDecoderStatus cjxl_icc_profile(
    const CJXLFunctions *_Nonnull jxl, const JxlDecoder *decoder, JxlColorProfileTarget target,
    uint8_t *profile, size_t size) {
  return jxl->JxlDecoderGetColorAsICCProfile(decoder, CJXL_FORMAT target, profile, size);
}
