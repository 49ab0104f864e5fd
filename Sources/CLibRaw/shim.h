// LibRaw 0.20 to 0.22: what differs between them is settled here.
#pragma once
#include <libraw/libraw.h>

// The name of a function in C++'s ABI, on macOS with an underscore.
#ifdef __APPLE__
#define CLIBRAW_NAMED(name) __asm__("_" name)
#else
#define CLIBRAW_NAMED(name) __asm__(name)
#endif

// Damage is reported by our own handler, and nothing is printed. From 0.21 on no handler of memory
// errors exists that would have to be switched off.
static inline libraw_data_t *clibraw_init(void) {
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  return libraw_init(LIBRAW_OPIONS_NO_MEMERR_CALLBACK | LIBRAW_OPIONS_NO_DATAERR_CALLBACK);
#else
  return libraw_init(LIBRAW_OPTIONS_NO_DATAERR_CALLBACK);
#endif
}

// The limit of memory for decoding, in MiB; which of several raw pictures is read, from 0 on; and no
// decoder but LibRaw's own, whatever it was built with.
static inline void clibraw_configure(libraw_data_t *data, unsigned max_mebibytes, unsigned picture) {
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  libraw_output_params_t *settings = &data->params;
#else
  libraw_raw_unpack_params_t *settings = &data->rawparams;
#endif
  settings->max_raw_memory_mb = max_mebibytes;
  settings->shot_select = picture;
  settings->use_rawspeed = 0;
  settings->use_dngsdk = 0;
}

// LibRaw::setCancelFlag(), for which there is no function in C: what another thread decodes ends at its
// next row.
extern void clibraw_cancel(void *raw) CLIBRAW_NAMED("_ZN6LibRaw13setCancelFlagEv");
static inline void clibraw_stop(libraw_data_t *data) { clibraw_cancel(data->parent_class); }

// LibRaw::checkCancel(), which leaves what LibRaw does by an exception of its own once it is cancelled.
extern void clibraw_leave(void *raw) CLIBRAW_NAMED("_ZN6LibRaw11checkCancelEv");

// LibRaw::calloc(), whose memory is released with the handle.
extern void *clibraw_calloc(void *raw, size_t count, size_t size) CLIBRAW_NAMED("_ZN6LibRaw6callocEmm");

// LibRaw::is_jpeg_thumb(), whether the thumbnail is a JPEG for LibRaw; in an X3F it may be one all the same.
extern int clibraw_thumbnail_is_jpeg(void *raw) CLIBRAW_NAMED("_ZN6LibRaw13is_jpeg_thumbEv");
static inline int clibraw_has_jpeg(libraw_data_t *data) { return clibraw_thumbnail_is_jpeg(data->parent_class); }

// Called in front of each tag that LibRaw reads of a directory, wherever a container has one. 36 filters in CFAPattern
// (33422) or Kodak's tag of that use (64777) end the opening with LIBRAW_CANCELLED_BY_CALLBACK, unless LibRaw knows by
// then that they repeat after 6 x 6: compilers take its copying of them for endless, and it writes over all memory
// behind. Cameras of Kodak store 4 filters there.
static inline void clibraw_watch_tag(void *context, int tag, int type, int count, unsigned order, void *stream,
                                     INT64 base) {
  libraw_data_t *data = (libraw_data_t *)context;
  // Above them is which directory it is.
  tag &= 0xFFFF;
  (void)type, (void)order, (void)stream, (void)base;
  if (count != 36 || (tag != 64777 && (tag != 33422 || data->idata.filters == 9))) return;
  clibraw_cancel(data->parent_class);
  clibraw_leave(data->parent_class);
}
static inline void clibraw_watch(libraw_data_t *data) {
  libraw_set_exifparser_handler(data, clibraw_watch_tag, data);
}

// The version whose headers these are; `libraw_versionNumber()` is that of the library.
static inline int clibraw_header_version(void) { return LIBRAW_VERSION; }

// Whether LibRaw knows the storage of the pixels but cannot decode it (from 0.21 on; earlier ones do
// not open such files).
static inline int clibraw_cannot_decode(libraw_data_t *data) {
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  (void)data;
  return 0;
#else
  libraw_decoder_info_t info = {0};
  return libraw_get_decoder_info(data, &info) == LIBRAW_SUCCESS &&
         (info.decoder_flags & LIBRAW_DECODER_UNSUPPORTED_FORMAT) != 0;
#endif
}

// The part of the stored picture that the camera considers the picture: first column and row, columns and rows; all
// 0 where the file does not say.
static inline void clibraw_camera_frame(const libraw_data_t *data, int frame[4]) {
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  libraw_raw_inset_crop_t crop = data->sizes.raw_inset_crop;
#else
  libraw_raw_inset_crop_t crop = data->sizes.raw_inset_crops[0];
#endif
  frame[0] = crop.cleft;
  frame[1] = crop.ctop;
  frame[2] = crop.cwidth;
  frame[3] = crop.cheight;
#if LIBRAW_VERSION >= LIBRAW_MAKE_VERSION(0, 22, 0)
  // 0.22 begins Canon's at even rows and columns, and loses one of those that the camera delivers.
  libraw_area_t canon = data->makernotes.canon.DefaultCropAbsolute;
  int left = crop.cleft - canon.l, top = crop.ctop - canon.t;
  if (crop.cwidth > 0 && left >= 0 && left <= 1 && top >= 0 && top <= 1 &&
      crop.cleft + crop.cwidth == canon.r + 1 && crop.ctop + crop.cheight == canon.b + 1) {
    frame[0] -= left;
    frame[1] -= top;
    frame[2] += left;
    frame[3] += top;
  }
#endif
}

// The name of the function that would decode the samples; empty where it has none.
static inline const char *clibraw_decoder(libraw_data_t *data) {
  libraw_decoder_info_t info = {0};
  if (libraw_get_decoder_info(data, &info) != LIBRAW_SUCCESS || !info.decoder_name) return "";
  return info.decoder_name;
}

// Whether the samples already carry the white balance.
static inline int clibraw_is_balanced(const libraw_data_t *data) {
  return (data->color.as_shot_wb_applied & LIBRAW_ASWB_APPLIED) != 0;
}

// `long` up to 0.21, `unsigned` from 0.22 on.
static inline double clibraw_linear_maximum(const libraw_data_t *data, int channel) {
  return (double)data->color.linear_max[channel];
}

// Arrays of more than 4096 elements do not import into Swift.
static inline unsigned clibraw_black(const libraw_data_t *data, unsigned i) {
  return i < LIBRAW_CBLACK_SIZE ? data->color.cblack[i] : 0;
}
