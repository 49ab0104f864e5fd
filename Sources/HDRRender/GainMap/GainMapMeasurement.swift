package import ImageCore
import Synchronization

/// The base of a file with a gain map, to be read once: the gains to its other rendition are
/// measured during the read, so that both are rendered once and neither is stored.
///
/// Each pixel must be read once. A rectangle that starts at an odd column or row repeats one of the
/// rectangle to its left or above, as encoders with subsampled chroma read; the repeated pixels do
/// not count.
package struct GainMapMeasurement: PixelSource {
  package typealias State = DisplayReferred

  private let creation: GainMapCreation
  private let base: any PixelSource<DisplayReferred>
  private let other: any PixelSource<DisplayReferred>
  private let rows: LogRatioKernel
  private let gains: GainRatios
  private let levels = Levels()
  private let pool = BufferPool()

  /// The levels of each rectangle, for sums that do not depend on the order of reading.
  private final class Levels: Sendable {
    typealias Part = (
      at: PixelPoint, base: ContentLightStatistics, other: ContentLightStatistics
    )
    let parts = Mutex<[Part]>([])
  }

  /// Throws when the sizes differ or are empty. Where primaries differ, gains are computed in the
  /// primaries of `high`.
  package init(
    _ creation: GainMapCreation, standard: any PixelSource<DisplayReferred>,
    high: any PixelSource<DisplayReferred>
  ) throws(GainMapError) {
    let size = standard.size
    guard size == high.size, size.width > 0, size.height > 0 else {
      throw GainMapError(
        .badSetting,
        "the renditions are \(size) and \(high.size); give two of one size with a pixel or more")
    }
    self.creation = creation
    (base, other) = creation.isBaseHDR ? (high, standard) : (standard, high)
    rows = LogRatioKernel(
      kind: creation.kind, offset: Float(creation.offset), standard: standard.info,
      high: high.info)
    func half(_ count: Int) -> Int { (count + 1) / 2 }
    gains = try GainMapError.translating { () throws(PixelError) in
      try GainRatios(
        creation.scale == .full
          ? size : PixelSize(width: half(size.width), height: half(size.height)),
        of: size, channels: creation.kind == .luminance ? 1 : 3)
    }
  }

  package var size: PixelSize { base.size }
  package var info: DisplayReferred.Info { base.info }
  package var bandHeight: Int { max(base.bandHeight, other.bandHeight) }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try base.read(rect, into: buffer)
    try pool.withBuffer(rect.size) { second throws(PixelError) in
      try other.read(rect, into: second)
      let (left, above) = (rect.x % 2, rect.y % 2)
      let counted = PixelRect(
        x: left, y: above, width: rect.width - left, height: rect.height - above)
      guard counted.width > 0, counted.height > 0 else { return }
      var part = (
        at: PixelPoint(x: rect.x + left, y: rect.y + above), base: ContentLightStatistics(),
        other: ContentLightStatistics()
      )
      part.base.add(buffer, in: counted)
      part.other.add(second, in: counted)
      levels.parts.withLock { $0.append(part) }
      try MeasuredStage.gainMap.measure { () throws(PixelError) in
        try measure(counted, at: part.at, of: buffer, second)
      }
    }
  }

  /// Adds the gains of the part `counted` of both renditions, whose first pixel is at `origin`.
  private func measure(
    _ counted: PixelRect, at origin: PixelPoint, of base: PlanarBuffer, _ other: PlanarBuffer
  ) throws(PixelError) {
    try pool.withBuffer(counted.size) { gains in
      for y in 0..<counted.height {
        let first = base.rows(counted.y + y).from(counted.x)
        let second = other.rows(counted.y + y).from(counted.x)
        let (high, standard) = creation.isBaseHDR ? (first, second) : (second, first)
        rows.gains(of: high, over: standard, into: gains.rows(y))
      }
      self.gains.add(
        gains,
        at: PixelRect(x: origin.x, y: origin.y, width: counted.width, height: counted.height))
    }
  }

  /// The map, once all pixels have been read; to be asked for once.
  package func result() throws(GainMapError) -> GainMapCreation.Result {
    let parts = levels.parts.withLock { $0 }.sorted { ($0.at.y, $0.at.x) < ($1.at.y, $1.at.x) }
    let (base, other) = parts.reduce(
      into: (ContentLightStatistics(), ContentLightStatistics())
    ) {
      $0.0.add($1.base)
      $0.1.add($1.other)
    }
    return try MeasuredStage.gainMap.measure { () throws(GainMapError) in
      creation.isBaseHDR
        ? try creation.map(gains, standard: self.other.info, other, high: info, base)
        : try creation.map(gains, standard: info, base, high: self.other.info, other)
    }
  }
}
