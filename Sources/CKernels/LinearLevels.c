#include "Kernel.h"

/// Eight code values in a row as floats.
CK_BODY cv_f8 counts(const uint16_t *in) {
  return __builtin_convertvector(__builtin_convertvector(cv_codes8(in), cv_i8), cv_f8);
}

/// Every third of 24 values in a row, from the first on.
CK_BODY cv_f8 first3(cv_f8 a, cv_f8 b, cv_f8 c) {
  cv_f8 x = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
  return __builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 5, 10, 13);
}
/// Every third, from the second on.
CK_BODY cv_f8 second3(cv_f8 a, cv_f8 b, cv_f8 c) {
  cv_f8 x = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1);
  return __builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 8, 11, 14);
}
/// Every third, from the third on.
CK_BODY cv_f8 third3(cv_f8 a, cv_f8 b, cv_f8 c) {
  cv_f8 x = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
  return __builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 9, 12, 15);
}

CK_KERNEL(
    ck_balanceCounts,
    (const ck_levelRow *row, const uint16_t *samples, float *out, int64_t count),
    (row, samples, out, count)) {
  const ck_levelRow r = *row;
  int64_t i = 0;
  if (r.step == 1 && r.gains) {
    // Stored rows have no margin.
    for (; i + 8 <= count; i += 8) {
      cv_f8 light = counts(samples + i) - f8(r.black + i) - r.delta;
      ck_store8(out + i, light * f8(r.gains + i));
    }
  }
  for (; i < count; i++) {
    float light = (float)samples[i * r.step] - r.black[i] - r.delta;
    out[i] = light * (r.gains ? r.gains[i] : r.gain);
  }
}

CK_KERNEL(
    ck_balanceByCurve,
    (const ck_levelRow *row, const float *curve, const uint16_t *samples, float *out,
     int64_t count),
    (row, curve, samples, out, count)) {
  const ck_levelRow r = *row;
  for (int64_t i = 0; i < count; i++) {
    out[i] = curve[samples[i * r.step]] * (r.gains ? r.gains[i] : r.gain);
  }
}

CK_KERNEL(
    ck_balanceFloats,
    (const ck_levelRow *row, float largest, const float *samples, float *out, int64_t count),
    (row, largest, samples, out, count)) {
  const ck_levelRow r = *row;
  for (int64_t i = 0; i < count; i++) {
    float light = samples[i * r.step] - r.black[i] - r.delta;
    float value = light * (r.gains ? r.gains[i] : r.gain);
    value = value == value ? value : 0.0f;
    value = value < -largest ? -largest : value;
    out[i] = value > largest ? largest : value;
  }
}

CK_KERNEL(
    ck_balancePixels,
    (const ck_levelRow *rows, const uint16_t *samples, ck_threeRows out, int64_t count),
    (rows, samples, out, count)) {
  const ck_levelRow r[3] = {rows[0], rows[1], rows[2]};
  int64_t i = 0;
  // Stored rows have no margin.
  for (; i + 8 <= count; i += 8) {
    cv_f8 a = counts(samples + 3 * i);
    cv_f8 b = counts(samples + 3 * i + 8), c = counts(samples + 3 * i + 16);
    cv_f8 v[3] = {first3(a, b, c), second3(a, b, c), third3(a, b, c)};
    for (int k = 0; k < 3; k++) {
      ck_store8(out.row[k] + i, (v[k] - f8(r[k].black + i) - r[k].delta) * r[k].gain);
    }
  }
  for (; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      out.row[k][i] = ((float)samples[3 * i + k] - r[k].black[i] - r[k].delta) * r[k].gain;
    }
  }
}
