public import HDRRender

/// Creative adjustments: tone, color and finish of a picture. `init()` changes nothing.
///
/// The descriptors and accessors of its properties are in the files `LookSettings+….swift`, one
/// for each group.
public struct LookSettings: Sendable, Hashable {
  /// The base rendering: tone curve and colors before any adjustment.
  public var base = RAWLook.standard
  /// Contrast about a gray near the middle of the picture, −1…1.
  public var contrast: Float = 0
  /// Brightness of what is brighter than 18 % gray, −1…1.
  public var highlights: Float = 0
  /// Brightness of what is darker than 18 % gray, −1…1.
  public var shadows: Float = 0
  /// Brightness of the brightest tones, −1…1.
  public var whites: Float = 0
  /// Brightness of the darkest tones, −1…1.
  public var blacks: Float = 0
  /// A tone curve through points, for all channels. No tone curve has an effect at boost 0.
  public var toneCurve = PointCurve()
  /// A tone curve for red alone.
  public var redToneCurve = PointCurve()
  /// A tone curve for green alone.
  public var greenToneCurve = PointCurve()
  /// A tone curve for blue alone.
  public var blueToneCurve = PointCurve()
  /// Saturation of all colors, −1 (gray) … 1 (twice).
  public var saturation: Float = 0
  /// Saturation of dull colors, −1…1.
  public var vibrance: Float = 0
  /// Hue, saturation and luminance of eight ranges of hues, and their weights in black and white.
  public var mixer = ColorMixer()
  /// Whether the picture is black and white.
  public var isBlackAndWhiteEnabled = false
  /// Tints of shadows, midtones and highlights.
  public var grading = ColorGrading()
  /// The path of a LUT (.cube or HaldCLUT) or of a camera look (.rawlook); nil for none. No effect
  /// at boost 0.
  public var lutPath: String?
  /// The color space of the LUT at ``lutPath``.
  public var lutSpace = LookSpace.srgb
  /// Strength of the LUT at ``lutPath``, 0…1.
  public var lutAmount: Float = 1
  /// Darker or brighter corners.
  public var vignette = Vignette()
  /// Grain as of film.
  public var grain = Grain()

  /// No change.
  public init() {}

  /// Darker or brighter corners.
  public struct Vignette: Sendable, Hashable {
    /// −1 darker by two stops … 1 brighter.
    public var amount: Float = 0
    /// How far from the center it begins, 0…1.
    public var midpoint: Float = 0.5
    /// −1 a rectangle … 0 an ellipse … 1 a circle.
    public var roundness: Float = 0
    /// How softly it begins, 0…1.
    public var feather: Float = 0.5
  }

  /// Grain as of film.
  public struct Grain: Sendable, Hashable {
    /// Strength, 0…1.
    public var amount: Float = 0
    /// Size of the grains, 0…1.
    public var size: Float = 0.25
    /// Weight of a second layer of larger grains, 0…1.
    public var roughness: Float = 0.5
    /// Seed of the grain pattern, an integer 0…65535.
    public var seed: Float = 0
  }
}

extension LookSettings {
  /// The properties of all groups.
  static let adjustments: [Adjustment] = (toneAdjustments + curves + color + grading + finish).map {
    $0.part(of: "look")
  }

  /// The tone curves, and the LUT or camera look in `file`.
  func display(_ file: LUTFile.Contents?) -> DisplayLook {
    var look = DisplayLook()
    look.curve = toneCurve
    look.channels = [redToneCurve, greenToneCurve, blueToneCurve]
    guard let file else { return look }
    let lookup = DisplayLook.Lookup(
      file.table, space: file.isCameraLook ? .displayP3 : lutSpace, amount: lutAmount)
    if file.isCameraLook { look.start = lookup } else { look.lookup = lookup }
    return look
  }
}
