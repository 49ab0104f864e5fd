import ImageCore
import RawData

/// Full color from a mosaic: the missing colors of each photosite, interpolated. A conforming type
/// is one algorithm for one or several patterns, and listed in ``Demosaics``.
protocol Demosaic: Sendable {
  /// Working memory of one worker, with what the next strip below needs.
  associatedtype Workspace = Void

  /// The method by which mosaics of `cfa` are demosaiced here where `asked` is asked for; nil where
  /// they are not. The same for all that give the same pixels, and never `automatic`.
  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod?

  /// Nil where there is no ``method(_:_:)``.
  init?(_ settings: DemosaicSettings)

  /// Rows of the mosaic that are read above and below the pixels written.
  var reach: Int { get }
  /// Columns that are read to the left and right of them.
  var columnReach: Int { get }
  /// The first column of what is demosaiced is a multiple of this.
  var alignment: Int { get }
  /// Whether a strip right below the last one reads only what that has not read.
  var keepsRows: Bool { get }

  /// Memory for rectangles in the columns of `rect`: `last` where it serves.
  func workspace(for rect: PixelRect, last: Workspace?) throws(PixelError) -> Workspace

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the sensor position of its first
  /// pixel. `mosaic`, which is changed, must hold ``input(_:continues:)``. If it `continues`, the
  /// last rectangle of `work` was the one right above, in the same columns.
  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ work: Workspace, continues: Bool
  ) throws(PixelError)
}

/// What a demosaic is made for.
struct DemosaicSettings: Sendable {
  let cfa: CFA
  var method: DemosaicMethod
  /// The noise of the picture; nil where ``method`` is not to look at it.
  var noise: NoiseModel?
  let scale: DemosaicScale
  /// Of four colors to three.
  let matrix: ChannelMatrix
}

extension Demosaic {
  var columnReach: Int { reach }
  var alignment: Int { 1 }
  var keepsRows: Bool { false }

  /// The part of the mosaic from which `rect` is made.
  func input(_ rect: PixelRect, continues: Bool) -> PixelRect {
    let columns = rect.expanded(by: columnReach)
    let first = continues ? rect.y + reach : rect.y - reach
    return PixelRect(
      x: columns.x, y: first, width: columns.width, height: rect.endY + reach - first)
  }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel.
  /// With a demosaic that keeps rows `rect` is read in strips, for which each row of `mosaic` is
  /// made once, and `work` must have served this demosaic and this mosaic alone.
  func read(
    _ rect: PixelRect, of mosaic: BalancedMosaic, into buffer: PlanarBuffer, origin: PixelPoint,
    _ work: SensorWorkspace
  ) throws(PixelError) {
    let before = floorModulo(rect.x, alignment)
    let aligned = PixelRect(
      x: rect.x - before, y: rect.y, width: rect.width + before, height: rect.height)
    let own = try workspace(for: aligned, last: work.demosaicWorkspace as? Workspace)
    work.demosaicWorkspace = own
    let height = keepsRows ? DemosaicStrips.height : SensorPipeline.tileHeight
    for strip in aligned.tiles(width: .max, height: height) {
      let continues = keepsRows && work.isLast(above: strip)
      let plane = try mosaic.load(
        input(strip, continues: continues), work, continues: continues)
      try demosaic(plane, strip, into: buffer, origin: origin, own, continues: continues)
      work.demosaiced = strip
    }
  }
}

extension Demosaic where Workspace == Void {
  func workspace(for rect: PixelRect, last: Void?) {}
}

/// How a picture is cut for demosaics that keep rows.
enum DemosaicStrips {
  /// Rows that go through all steps together, so that they stay in the cache.
  static let height = 32
  /// Widest rectangle, without the columns before it.
  private static let width = 768

  /// `rect` in equal columns that are narrow enough, from left to right.
  static func columns(_ rect: PixelRect) -> [PixelRect] {
    let count = (rect.width + width - 1) / width
    let cuts = (0...count).map { $0 == count ? rect.width : rect.width * $0 / count & ~1 }
    return zip(cuts, cuts.dropFirst()).map {
      PixelRect(x: rect.x + $0, y: rect.y, width: $1 - $0, height: rect.height)
    }
  }
}
