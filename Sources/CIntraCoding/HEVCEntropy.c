#include "HEVCEntropy.h"

/// Tables 9-5 to 9-37 for intra slices, in the order of the contexts.
static const uint8_t initValues[ck_hevcContexts] = {
  139, 141, 157, 184, 184, 63, 111, 141, 94, 138, 182, 154,
  110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63,
  110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63,
  91, 171, 134, 141,
  111, 111, 125, 110, 110, 94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153,
  125, 107, 125, 141, 179, 153, 125,
  140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139, 111, 136, 139, 111,
  140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166, 182,
  140, 227, 122, 197,
  138, 153, 136, 167, 152, 152,
};

void ck_hevcBegin(ck_hevcCoder *coder, int32_t parameter, uint8_t *out) {
  coder->low = 0;
  coder->range = 510;
  coder->pending = 0;
  coder->out = out;
  for (int i = 0; i < ck_hevcContexts; i++) {
    int slope = (initValues[i] >> 4) * 5 - 45, offset = ((initValues[i] & 15) << 3) - 16;
    int state = ((slope * parameter) >> 4) + offset;
    state = state < 1 ? 1 : state > 126 ? 126 : state;
    coder->contexts[i] = (uint8_t)(state <= 63 ? (63 - state) * 2 : (state - 64) * 2 + 1);
  }
}

void ck_hevcEnd(ck_hevcCoder *coder) {
  // Two bits of the lower end remain; the second is the stop bit.
  uint64_t bits = (coder->low | 1 << 7) >> 7;
  int count = coder->pending + 2;
  if (bits >> count) carryInto(coder->out);
  bits <<= -count & 7;
  count += -count & 7;
  for (; count > 0; count -= 8) *coder->out++ = (uint8_t)(bits >> (count - 8));
}
