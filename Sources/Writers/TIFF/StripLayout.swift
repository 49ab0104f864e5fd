import ImageCore

/// How a picture is divided into strips, which are compressed one by one.
struct StripLayout: Sendable {
  let size: PixelSize
  /// Bytes of one sample: 1, 2 or 4.
  let sampleBytes: Int
  /// Colors of a pixel: 1 or 3.
  let colors: Int
  let hasAlpha: Bool
  let rowsPerStrip: Int

  /// At most 64 rows or 2 MiB a strip: smaller ones lose ratio and speed, larger ones gain nothing;
  /// a power of two, so that a band of the picture's preferred height is a number of complete
  /// strips.
  init(size: PixelSize, sampleBytes: Int, colors: Int, hasAlpha: Bool) {
    (self.size, self.sampleBytes) = (size, sampleBytes)
    (self.colors, self.hasAlpha) = (colors, hasAlpha)
    let channels = colors + (hasAlpha ? 1 : 0)
    let rowBytes = max(1, size.width * channels * sampleBytes)
    let rows = max(1, min(64, size.height, (2 << 20) / rowBytes))
    rowsPerStrip = 1 << (Int.bitWidth - 1 - rows.leadingZeroBitCount)
  }

  /// Samples of a pixel.
  var channels: Int { colors + (hasAlpha ? 1 : 0) }
  var rowBytes: Int { size.width * channels * sampleBytes }
}
