// lensfun 0.3.3 to 0.3.95: what differs between them is settled here.
#pragma once
#include <lensfun/lensfun.h>
#include <sys/types.h>

// From 0.3.95 on calibrations are scaled to a crop factor; the lens's own leaves them as they are.
#if LF_VERSION < ((0 << 24) | (3 << 16) | (95 << 8))
#define CLENSFUN_CROP(lens)
#else
#define CLENSFUN_CROP(lens) (lens)->CropFactor,
#endif

static inline int clensfun_distortion(
    const lfLens *lens, float focal, lfLensCalibDistortion *result) {
  return lf_lens_interpolate_distortion(lens, CLENSFUN_CROP(lens) focal, result);
}
static inline int clensfun_lateral_color(const lfLens *lens, float focal, lfLensCalibTCA *result) {
  return lf_lens_interpolate_tca(lens, CLENSFUN_CROP(lens) focal, result);
}
static inline int clensfun_vignetting(
    const lfLens *lens, float focal, float aperture, float distance,
    lfLensCalibVignetting *result) {
  return lf_lens_interpolate_vignetting(
      lens, CLENSFUN_CROP(lens) focal, aperture, distance, result);
}

// Where `text` contains `words`; -1 for nowhere. glibc before 2.41 shows memmem only with GNU
// extensions, which Swift's imports are without.
static inline ssize_t clensfun_find(
    const void *text, size_t count, const void *words, size_t word_count) {
  extern void *memmem(const void *, size_t, const void *, size_t);
  const char *found = memmem(text, count, words, word_count);
  return found ? found - (const char *)text : -1;
}
