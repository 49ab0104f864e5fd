import ImageCore
import RawData

/// Full color from a mosaic: the missing colors of each photosite, interpolated. A conforming type
/// is one algorithm for one or several patterns, and is listed in ``Demosaics``.
protocol Demosaic: Sendable {
  /// Working memory of one worker, including the rows that the next strip below needs.
  associatedtype Workspace = Void

  /// The method used for mosaics of `cfa` if `asked` is requested, the nearest where it has not got
  /// that one; nil to leave them to those behind it in the list. Equal for methods with equal
  /// pixels, never `automatic`.
  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod?

  /// Nil if ``method(_:_:)`` is nil.
  init?(_ settings: DemosaicSettings)

  /// Rows of the mosaic that are read above and below the pixels written.
  var reach: Int { get }
  /// Columns that are read to the left and right of them.
  var columnReach: Int { get }
  /// The first column of what is demosaiced is a multiple of this.
  var alignment: Int { get }
  /// Whether a strip directly below the last one reads only new rows.
  var keepsRows: Bool { get }

  /// Memory for rectangles in the columns of `rect`: `last` if it fits.
  func workspace(for rect: PixelRect, last: Workspace?) throws(PixelError) -> Workspace

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the sensor position of its first
  /// pixel. `mosaic`, which is overwritten, must contain ``input(_:continues:)``. `continues`: the
  /// last rectangle of `work` was directly above, in the same columns.
  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ work: Workspace, continues: Bool
  ) throws(PixelError)
}

/// The settings of a demosaic.
struct DemosaicSettings: Sendable {
  let cfa: CFA
  var method: DemosaicMethod
  /// Noise model of the picture; nil if ``method`` is not to use it.
  var noise: NoiseModel?
  let scale: DemosaicScale
  /// Converts four colors to three.
  let matrix: ChannelMatrix
}

extension Demosaic {
  var columnReach: Int { reach }
  var alignment: Int { 1 }
  var keepsRows: Bool { false }

  /// The part of the mosaic that `rect` needs.
  func input(_ rect: PixelRect, continues: Bool) -> PixelRect {
    let columns = rect.expanded(by: columnReach)
    let first = continues ? rect.y + reach : rect.y - reach
    return PixelRect(
      x: columns.x, y: first, width: columns.width, height: rect.endY + reach - first)
  }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel. A
  /// demosaic that keeps rows reads `rect` in strips, for which each row of `mosaic` is computed
  /// once; `work` must not have been used with another demosaic or mosaic.
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

/// Divides a picture for demosaics that keep rows.
enum DemosaicStrips {
  /// Rows that are processed together, so that they stay in the cache.
  static let height = 32
  /// Maximum width of a rectangle, without the columns before it.
  private static let width = 768

  /// `rect` divided into columns of equal width, from left to right.
  static func columns(_ rect: PixelRect) -> [PixelRect] {
    let count = (rect.width + width - 1) / width
    let cuts = (0...count).map { $0 == count ? rect.width : rect.width * $0 / count & ~1 }
    return zip(cuts, cuts.dropFirst()).map {
      PixelRect(x: rect.x + $0, y: rect.y, width: $1 - $0, height: rect.height)
    }
  }
}
