import ImageCore

/// A base with its map applied for one display, rectangle by rectangle.
struct GainMapRendition: PixelSource {
  typealias State = DisplayReferred

  private let base: any PixelSource<DisplayReferred>
  private let sampler: GainMapSampler
  private let channels: Int
  private let rows: any GainMapOperator
  private let matrix: ColorMatrix
  private let pool = BufferPool()
  let info: DisplayReferred.Info

  var size: PixelSize { base.size }
  var bandHeight: Int { base.bandHeight }

  /// The gain acts in `primaries`, which the result has, too.
  init(
    base: any PixelSource<DisplayReferred>, map: GainMapImage, rows: any GainMapOperator,
    primaries: Primaries
  ) {
    self.base = base
    self.rows = rows
    channels = map.channels
    sampler = GainMapSampler(map, over: base.size)
    let conversion = base.info.primaries.conversion(to: primaries)
    matrix = ColorMatrix(conversion)
    info = DisplayReferred.Info(
      primaries: primaries,
      headroom: rows.bound(base.info.headroom * Float(conversion.largestGain)),
      sources: base.info.sources)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try base.read(rect, into: buffer)
    guard !rect.isEmpty else { return }
    let length = sampler.lineLength(x: rect.x, count: rect.width)
    try pool.withBuffer(PixelSize(width: max(rect.width, length), height: 2)) { work in
      let maps = (0..<channels).map { work.row($0, 0) }
      for y in 0..<rect.height {
        sampler.read(
          y: rect.y + y, x: rect.x, count: rect.width, line: work.row(0, 1), rows: maps)
        let pixels = buffer.rows(y)
        matrix.apply(pixels)
        rows.apply(pixels, map: maps)
      }
    }
  }
}
