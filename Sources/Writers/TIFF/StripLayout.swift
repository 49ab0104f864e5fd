import ImageCore

/// How a picture is divided into strips, which are compressed one by one.
struct StripLayout: Sendable {
  let size: PixelSize
  /// Bytes of one sample: 1, 2 or 4.
  let sampleBytes: Int
  /// Samples of a pixel: 1 or 3, one more with alpha.
  let channels: Int
  let rowsPerStrip: Int

  /// At most 64 rows or 2 MiB a strip: smaller ones lose ratio and speed, larger ones gain nothing;
  /// a power of two, so that whole strips make a band of the height that the picture prefers.
  init(size: PixelSize, sampleBytes: Int, channels: Int = 3) {
    (self.size, self.sampleBytes, self.channels) = (size, sampleBytes, channels)
    let rowBytes = max(1, size.width * channels * sampleBytes)
    let rows = max(1, min(64, size.height, (2 << 20) / rowBytes))
    rowsPerStrip = 1 << (Int.bitWidth - 1 - rows.leadingZeroBitCount)
  }

  var rowBytes: Int { size.width * channels * sampleBytes }
}
