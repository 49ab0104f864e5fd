#include "LogLuminance.h"

CK_KERNEL(ck_stopsRow, (float *row, float floor, int64_t count), (row, floor, count)) {
  for (int64_t i = 0; i < count; i += 8) put(row + i, ck_stops(f8(row + i), floor));
}
