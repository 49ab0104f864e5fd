#pragma once
#include <aom/aom_decoder.h>
#include <aom/aom_encoder.h>
#include <aom/aomcx.h>
#include <aom/aomdx.h>

// What libaom's header gives as macros with the ABI version, or with a variable number of arguments.
static inline aom_codec_err_t caom_open(
    aom_codec_ctx_t *codec, const aom_codec_enc_cfg_t *settings, aom_codec_flags_t flags) {
  return aom_codec_enc_init(codec, aom_codec_av1_cx(), settings, flags);
}
static inline aom_codec_err_t caom_open_decoder(
    aom_codec_ctx_t *codec, const aom_codec_dec_cfg_t *settings) {
  return aom_codec_dec_init(codec, aom_codec_av1_dx(), settings, 0);
}
static inline aom_codec_err_t caom_set(aom_codec_ctx_t *codec, int control, int value) {
  return aom_codec_control(codec, control, value);
}
