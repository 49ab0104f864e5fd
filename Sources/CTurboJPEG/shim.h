// TurboJPEG 2 and 3: what differs between them is settled here.
#pragma once
#include <turbojpeg.h>

// Whether the JPEG whose header was read last is a lossless one, which version 2 does not open.
static inline int cturbojpeg_is_lossless(tjhandle handle) {
#ifdef TJ_NUMINIT
  return tj3Get(handle, TJPARAM_LOSSLESS) == 1;
#else
  (void)handle;
  return 0;
#endif
}
