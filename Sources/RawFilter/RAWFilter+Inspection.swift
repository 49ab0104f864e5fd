import HDRRender
import ImageCore
public import RawDecode
import RawSensor

/// Properties of a raw, for inspection rather than development.
public struct RAWInspection: Sendable, Hashable, Codable {
  /// Maker and model, or the DNG's unique camera name.
  public var camera: String
  /// `bayer`, `x-trans`, `four-color`, `other mosaic`, `monochrome` or `linear`.
  public var layout: String
  /// Channels of the color filter pattern, one letter each, rows separated by `/`; empty without.
  public var pattern: String
  /// Columns of the active area.
  public var sensorWidth: Int
  /// Rows of the active area.
  public var sensorHeight: Int
  /// Black levels of the repeating pattern, in stored values.
  public var black: [Float]
  /// White levels of the channels, in stored values.
  public var white: [Float]
  /// The origin of the black levels.
  public var blackOrigin: FactOrigin
  /// The origin of the white levels.
  public var whiteOrigin: FactOrigin
  /// Fraction of the pixels of each channel that are clipped.
  public var clipped: [Float]
  /// Camera values of the as-shot white, the largest 1; empty without colors.
  public var asShotNeutral: [Double]
  /// From camera values to linear BT.2020 under the as-shot white, row by row; empty without
  /// colors.
  public var cameraToBT2020: [Double]
  /// The measured lateral color; nil if it is not measured.
  public var lateralColor: [LateralColorMeasurement]?
  /// Brightest scene value at the default settings, as a multiple of reference white.
  public var scenePeak: Float
  /// Headroom at `extendedDynamicRangeAmount` 1, as a multiple of reference white.
  public var headroom: Float
}

/// The lateral color of one color of a picture.
public struct LateralColorMeasurement: Sendable, Hashable, Codable {
  /// `red` or `blue`.
  public var color: String
  /// Shift from green, root mean square over the picture, in pixels of the sensor.
  public var amount: Float
  /// Difference of two fits, each to half of the positions, in the same units.
  public var disagreement: Float
  /// Whether it is significant, and so corrected.
  public var isCorrected: Bool

  init(_ color: String, _ fit: LateralColorFit.Fit) {
    (self.color, amount, disagreement) = (color, fit.amount, fit.disagreement)
    isCorrected = fit.isSignificant
  }
}

extension RAWFilter {
  /// Decodes the picture and describes it.
  public func inspection() throws(RAWError) -> RAWInspection {
    let info = picture.file.info
    let plan = try plan()
    let levels = try picture.samples(opcodes, workers: workers).levels
    let scene = try scenePipeline()
    let pipeline = try picture.pipeline(
      picture.sensorPlan(opcodes, .guided, profile, defects: measuredDefects()), workers: workers)
    let names = ["R", "G", "B", "E"]
    var (layout, pattern, channels) = ("linear", "", 3)
    switch info.layout {
    case .mosaic(let cfa):
      (layout, channels) = (cfa.kind.rawValue, cfa.channelCount)
      pattern = (0..<cfa.height).map { y in
        (0..<cfa.width).map { names[cfa.channel(x: $0, y: y)] }.joined()
      }.joined(separator: "/")
    case .monochrome: (layout, channels) = ("monochrome", 1)
    case .linear: break
    }
    let darkest = levels.black.max() ?? 0
    let white = try resolvedWhite()
    let matrix = profile?.cameraToBT2020(white: white)
    let lateral = try lateralColorFit(plan.sensor)
    return RAWInspection(
      camera: info.cameraName, layout: layout, pattern: pattern, sensorWidth: info.size.width,
      sensorHeight: info.size.height, black: levels.black,
      white: (0..<channels).map { 1 / levels.scale[$0] + darkest },
      blackOrigin: levels.blackOrigin, whiteOrigin: levels.whiteOrigin,
      clipped: (0..<channels).map { pipeline.clippedFraction[$0] },
      asShotNeutral: profile.map { profile in
        let n = profile.neutral(for: profile.asShotWhite)
        return [n.x, n.y, n.z]
      } ?? [],
      cameraToBT2020: matrix.map { m in (0..<9).map { m[$0 / 3, $0 % 3] } } ?? [],
      lateralColor: lateral.map {
        [LateralColorMeasurement("red", $0.red), LateralColorMeasurement("blue", $0.blue)]
      },
      scenePeak: scene.info.peak, headroom: plan.fileHeadroom)
  }
}
