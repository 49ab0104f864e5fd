import CKernels
import ImageCore
import RawDecode

/// Removes the airlight of haze from a picture, or adds it.
///
/// Source: He, Sun & Tang 2011, with ``HazeMap``'s fraction of airlight h = 1 − t and its color A.
/// With the smallest channel o of I / A of the pixel,
///
///     v  = amount · h,  w = v · o / √(v² + o²),  J = (I − A · w) / (1 − w)      amount > 0
///     w  = −0.4 · amount · (0.25 + 0.75 · h),    J = I + (A − I) · w            amount < 0
///
/// where added airlight A is limited to 0.8, so that it is not as bright as a lamp. w stays below
/// o, so no channel falls below 0 and dark objects in front of the haze do not become black.
/// Scene-linear in and out, 1.0 = reference white; no channel is raised above the picture's peak.
/// Pixels are independent of each other, so no halo is read. An amount of 0 leaves the stage out.
/// Known failures: as of ``HazeMap``; noise of distant objects is amplified.
struct Dehaze: PixelSource {
  typealias State = SceneLinear

  struct Settings: Sendable, Hashable {
    let amount: Float

    /// Throws `.badSetting` for an amount outside its range.
    init(amount: Float = 0) throws(RAWError) {
      try Adjustment.check(amount, at: \.dehazeAmount)
      self.amount = amount
    }

    /// Whether the source comes back bit for bit.
    var isNeutral: Bool { amount == 0 }
  }

  /// Maximum fraction of airlight that is added.
  static let added: Float = 0.4
  /// Maximum channel of airlight that is added.
  static let brightest: Float = 0.8

  var size: PixelSize { source.size }
  var info: SceneLinear.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  private let source: any PixelSource<SceneLinear>
  private let lines: InterpolatedLines
  private let kernel: ck_haze

  /// `map`: of the same picture, at any size.
  init(_ source: any PixelSource<SceneLinear>, _ settings: Settings, map: HazeMap) {
    self.source = source
    lines = InterpolatedLines(map.lines, for: source.size)
    let air =
      settings.amount > 0 ? map.air : map.air * min(Self.brightest / map.air.max(), 1)
    kernel = ck_haze(
      air: ck_threeValues(air), weights: LuminanceGain.channels, floor: LogLuminance.floor,
      maxPart: HazeMap.part,
      removed: max(settings.amount, 0), added: max(-settings.amount, 0) * Self.added,
      peak: source.info.peak)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    var kernel = kernel
    try lines.forEachRow(of: rect) { y, slope, offset in
      let rows = buffer.rows(y)
      ck_dehazeRow(&kernel, slope.start, offset.start, rows.kernel, Int64(rows.count))
    }
  }
}
