import ImageCore

/// A Bayer mosaic and its demosaic, read down the picture in strips: each row is made once by every
/// step, which keep what the strip below needs.
struct BayerReading {
  /// Widest rectangle, without an odd column before it.
  private static let tileWidth = 768
  /// Rows that go through all steps together, so that they stay in the cache.
  static let strip = 32

  let mosaic: BalancedMosaic
  let demosaic: RatioCorrectedDemosaic

  /// `rect` in equal columns that are narrow enough, from left to right.
  static func columns(_ rect: PixelRect) -> [PixelRect] {
    let count = (rect.width + tileWidth - 1) / tileWidth
    let cuts = (0...count).map { $0 == count ? rect.width : rect.width * $0 / count & ~1 }
    return zip(cuts, cuts.dropFirst()).map {
      PixelRect(x: rect.x + $0, y: rect.y, width: $1 - $0, height: rect.height)
    }
  }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel.
  /// `work` must have served these settings alone.
  func read(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) throws(PixelError) {
    let odd = rect.x & 1
    let aligned = PixelRect(
      x: rect.x - odd, y: rect.y, width: rect.width + odd, height: rect.height)
    try work.forEachStrip(of: aligned, height: Self.strip) { strip, continues throws(PixelError) in
      let plane = try mosaic.load(
        demosaic.input(strip, continues: continues), work, continues: continues)
      try demosaic.demosaic(
        plane, strip, into: buffer, origin: origin, work, continues: continues)
    }
  }
}
