#pragma once
#include <x265.h>

// x265's functions are reached through the table of the library built for one bit depth; its own
// names are macros that carry the library's build number.
static inline const x265_api *cx265_api(int bit_depth) { return x265_api_get(bit_depth); }

static inline x265_param *cx265_param_alloc(const x265_api *api) { return api->param_alloc(); }
static inline void cx265_param_free(const x265_api *api, x265_param *p) { api->param_free(p); }
static inline int cx265_param_preset(const x265_api *api, x265_param *p, const char *preset) {
  return api->param_default_preset(p, preset, 0);
}
static inline int cx265_param_parse(
    const x265_api *api, x265_param *p, const char *name, const char *value) {
  return api->param_parse(p, name, value);
}
static inline int cx265_param_profile(const x265_api *api, x265_param *p, const char *profile) {
  return api->param_apply_profile(p, profile);
}

static inline x265_picture *cx265_picture_alloc(const x265_api *api, x265_param *p) {
  x265_picture *picture = api->picture_alloc();
  if (picture) api->picture_init(p, picture);
  return picture;
}
static inline void cx265_picture_free(const x265_api *api, x265_picture *p) {
  api->picture_free(p);
}
static inline void cx265_picture_planes(
    x265_picture *p, void *y, void *cb, void *cr, int luma_stride, int chroma_stride) {
  p->planes[0] = y;
  p->planes[1] = cb;
  p->planes[2] = cr;
  p->stride[0] = luma_stride;
  p->stride[1] = chroma_stride;
  p->stride[2] = chroma_stride;
}

static inline x265_encoder *cx265_open(const x265_api *api, x265_param *p) {
  return api->encoder_open(p);
}
static inline void cx265_close(const x265_api *api, x265_encoder *e) { api->encoder_close(e); }
static inline int cx265_headers(
    const x265_api *api, x265_encoder *e, x265_nal **nals, uint32_t *count) {
  return api->encoder_headers(e, nals, count);
}
static inline int cx265_encode(
    const x265_api *api, x265_encoder *e, x265_nal **nals, uint32_t *count, x265_picture *p) {
  return api->encoder_encode(e, nals, count, p, 0);
}
