#include "Kernel.h"

CK_KERNEL(
    ck_balanceCounts,
    (const ck_levelRow *row, const uint16_t *samples, float *out, int64_t count),
    (row, samples, out, count)) {
  const ck_levelRow r = *row;
  int64_t i = 0;
  if (r.step == 1 && r.gains) {
    // Stored rows have no margin.
    for (; i + 8 <= count; i += 8) {
      cv_f8 light = cv_floats8(samples + i) - ck_load8(r.black + i) - r.delta;
      ck_store8(out + i, light * ck_load8(r.gains + i));
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
    cv_f8 a = cv_floats8(samples + 3 * i);
    cv_f8 b = cv_floats8(samples + 3 * i + 8), c = cv_floats8(samples + 3 * i + 16);
    cv_f8 v[3] = {cv_first3(a, b, c), cv_second3(a, b, c), cv_third3(a, b, c)};
    for (int k = 0; k < 3; k++) {
      ck_store8(out.row[k] + i, (v[k] - ck_load8(r[k].black + i) - r[k].delta) * r[k].gain);
    }
  }
  for (; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      out.row[k][i] = ((float)samples[3 * i + k] - r[k].black[i] - r[k].delta) * r[k].gain;
    }
  }
}
