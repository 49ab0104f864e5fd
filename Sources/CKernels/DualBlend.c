#include "BayerRows.h"

/// One over three times the variance, around photosites of `channel` that are `y` on the mean.
CK_BODY cv_f8 precision(const ck_dualBlend *blend, cv_f8 y, int64_t channel) {
  cv_f8 linear = larger(ck_fromScale(blend->scale, y), 0);
  cv_f8 variance = linear * blend->shot[channel] + blend->read[channel];
  return blend->scale.isLinear ? 1.0f / (variance * 3) : y * y / (variance * 0.75f);
}

/// e of photosites `i` of `row`, from their four neighbors of the same color.
CK_BODY cv_f8 activityOf(
    const ck_dualBlend *blend, const float *row, const float *north, const float *south, int64_t i,
    int64_t channel) {
  cv_f8 c = f8(row + i);
  cv_f8 h = f8(row + i - 1) + f8(row + i + 1), v = f8(north + i) + f8(south + i), twice = c + c;
  cv_f8 a = h - twice, b = v - twice, d = h - v;
  cv_f8 squares = (a * a + b * b) * (1.0f / 6) + d * d * 0.25f;
  return squares * precision(blend, (h + v + twice + twice) * 0.125f, channel);
}

CK_KERNEL(
    ck_activity,
    (const ck_bayerRows *rows, int64_t y, const ck_dualBlend *settings, int64_t chroma,
     int64_t count),
    (rows, y, settings, chroma, count)) {
  const ck_dualBlend blend = *settings;
  const float *g = rowOf(rows, rows->mosaic.green, y);
  const float *gN = rowOf(rows, rows->mosaic.green, y - 2);
  const float *gS = rowOf(rows, rows->mosaic.green, y + 2);
  const float *c = rowOf(rows, rows->mosaic.chroma, y);
  const float *cN = rowOf(rows, rows->mosaic.chroma, y - 2);
  const float *cS = rowOf(rows, rows->mosaic.chroma, y + 2);
  float *out = rowOf(rows, rows->activity, y);
  for (int64_t i = 0; i < count; i += 8) {
    put(
        out + i,
        activityOf(&blend, g, gN, gS, i, 1) + activityOf(&blend, c, cN, cS, i, chroma));
  }
}

/// The weighted sum of activity over seven rows.
CK_BODY void sumActivity(const ck_bayerRows *rows, int64_t y, float *out, int64_t count) {
  const float *a[7];
  for (int k = 0; k < 7; k++) a[k] = rowOf(rows, rows->activity, y + k - 3);
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 far = f8(a[0] + i) + f8(a[6] + i);
    cv_f8 middle = f8(a[1] + i) + f8(a[5] + i);
    cv_f8 near = f8(a[2] + i) + f8(a[4] + i);
    put(out + i, far + middle * 2 + near * 3 + f8(a[3] + i) * 4);
  }
}

/// Weight of the edge-directed result where the mean of e is `activity`.
CK_BODY cv_f8 directedWeight(const ck_dualBlend *blend, cv_f8 activity) {
  cv_f8 t = limited(
      (activity - blend->low) * (1 / (blend->high - blend->low)), 0, 1);
  return t * t * (3 - t - t);
}

CK_BODY cv_f8 blended(cv_f8 smooth, cv_f8 directed, cv_f8 weight) {
  return smooth + weight * (directed - smooth);
}

CK_KERNEL(
    ck_blendRow,
    (const ck_bayerRows *rows, int64_t y, int64_t shift, const ck_dualBlend *settings,
     int64_t count),
    (rows, y, shift, settings, count)) {
  const ck_dualBlend blend = *settings;
  float *column = rowOf(rows, rows->activitySums, y);
  sumActivity(rows, y, column, count);
  const float *g = rowOf(rows, rows->mosaic.green, y);
  const float *gN = rowOf(rows, rows->mosaic.green, y - 1);
  const float *gS = rowOf(rows, rows->mosaic.green, y + 1);
  const float *c = rowOf(rows, rows->mosaic.chroma, y);
  const float *cN = rowOf(rows, rows->mosaic.chroma, y - 1);
  const float *cS = rowOf(rows, rows->mosaic.chroma, y + 1);
  const float *green = rowOf(rows, rows->greenAtChroma, y);
  const float *opposite = rowOf(rows, rows->oppositeAtChroma, y);
  float *own = rowOf(rows, rows->ownAtGreen, y), *other = rowOf(rows, rows->oppositeAtGreen, y);
  float *mixedGreen = rowOf(rows, rows->blendedGreen, y);
  float *mixedOpposite = rowOf(rows, rows->blendedOpposite, y);
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 near = f8(column + i - 1) + f8(column + i + 1);
    cv_f8 far = f8(column + i - 2) + f8(column + i + 2);
    cv_f8 t = directedWeight(&blend, (far + near * 2 + f8(column + i) * 3) * (1.0f / 288));
    int64_t left = i - 1 + shift, right = i + shift;
    cv_f8 meanGreen = (f8(g + left) + f8(g + right) + f8(gN + i) + f8(gS + i)) * 0.25f;
    cv_f8 corners = f8(cN + left) + f8(cN + right) + f8(cS + left) + f8(cS + right);
    put(mixedGreen + i, blended(meanGreen, f8(green + i), t));
    put(mixedOpposite + i, blended(corners * 0.25f, f8(opposite + i), t));
    int64_t west = i - shift, east = i + 1 - shift;
    put(own + i, blended((f8(c + west) + f8(c + east)) * 0.5f, f8(own + i), t));
    put(other + i, blended((f8(cN + i) + f8(cS + i)) * 0.5f, f8(other + i), t));
  }
}
