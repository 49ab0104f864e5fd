import Containers
package import ImageCore

/// What a raw file declares, read without decoding a pixel.
package struct RawInfo: Sendable {
  /// Maker and model, or the DNG's unique camera name.
  package var cameraName: String
  package var isDNG: Bool
  /// How many frames, raw pictures of one size and kind, the file stores.
  package var frameCount = 1
  /// Columns and rows as stored, borders included.
  package var storedSize: PixelSize
  /// The part of it that is exposed to light.
  package var activeArea: PixelRect
  /// Columns and rows of the area that is exposed to light, as stored, without what opcodes trim.
  package var size: PixelSize
  package var layout: SensorData.Layout
  /// The picture proper within `size`, as stored.
  package var crop: PixelRect
  /// The rotation that makes the stored picture upright.
  package var orientation: Orientation
  /// Width of a pixel over its height.
  package var pixelAspect: Double
  /// The color model; nil for cameras whose matrix is unknown, and for monochrome ones.
  package var profile: CameraProfile?
  /// Camera values of the as-shot white, for a profile from elsewhere.
  package var asShot: CameraProfile.AsShot
  /// The same and more for profiles from files of their own, where the raw is no DNG.
  package var capture = DNGColor.Capture()
  /// Matrices XYZ → camera of a raw that is no DNG, one row of three a channel, under D65 and under
  /// illuminant A; empty where they are not known.
  package var cameraMatrices: (daylight: [Double], tungsten: [Double]) = ([], [])
  /// The color of each channel of a mosaic in the numbers of DNG's CFAPattern: 0 red, 1 green,
  /// 2 blue, 3 cyan, 4 magenta, 5 yellow, 6 white.
  package var filterColors: [UInt8] = [0, 1, 2]
  /// Camera profiles of a DNG, the primary one first; none for other raws.
  package var profiles: [DNGProfile] = []
  /// The profile that the camera chose.
  package var defaultProfileIndex = 0
  /// The file's own exposure in stops without the offset of a profile, 0 for a DNG without one; nil
  /// for other raws.
  package var baselineExposure: Double?
  /// ShadowScale of a DNG; 1 for other raws.
  package var shadowScale = 1.0
  /// Fraction of full scale up to which the sensor is linear.
  package var linearResponseLimit = 1.0
  /// Pairs (S, O): variance of a linear value x in 0…1 is S·x + O. Empty when not given.
  package var noiseProfile: [(scale: Double, offset: Double)] = []
  /// The same where only the shortest of several merged exposures is not clipped, which has more
  /// noise than ``noiseProfile`` says; empty for single exposures.
  package var brightNoiseProfile: [(scale: Double, offset: Double)] = []
  /// Fraction of the noise that was removed before the file was written, 0…1.
  package var noiseReductionApplied = 0.0
  /// Opcode lists 1, 2 and 3 of a DNG. The trims of the first two are in `size`, `crop` and
  /// `layout`.
  package var opcodes: OpcodeLists
  /// What a caller should know and show.
  package var warnings: [String] = []
  /// The one of `warnings` that a caller answers with a matrix or a profile of its own; nil where
  /// the camera's colors are known.
  package var colorWarning: String?
  /// What `colorWarning` advises.
  package var colorRemedies: [Remedy] = []
  /// Where the colors come from; none for monochrome pictures.
  package var colorOrigin = FactOrigin.none
  /// The part of the picture that the camera itself delivers, in pixels of the area that is exposed
  /// to light; nil where the file does not say, and for DNGs, whose `crop` it is.
  package var cameraFrame: PixelRect?
  /// Borders of the stored picture that are kept from light and show black, for raws that are no
  /// DNGs; empty where they are not known.
  package var maskedAreas: [PixelRect] = []
  /// Where `crop` comes from.
  package var cropOrigin = FactOrigin.file

  /// The warning for a DNG without colors.
  package static let whiteUnknown =
    "the file does not state its white balance; it is the preview's, else estimated from the colors"
  package static let colorsUnknown =
    "the camera's colors are unknown and are shown unconverted; supply a color matrix"
}

extension SensorData.Layout {
  /// The layout of a DNG's active area; nil when its color filters are not known.
  init?(_ tags: DNGTags) {
    if let cfa = tags.cfa {
      self = .mosaic(cfa)
    } else if tags.storage.photometric == TIFFTag.Photometric.linearRaw {
      self = tags.storage.samplesPerPixel == 1 ? .monochrome : .linear
    } else {
      return nil
    }
  }
}

extension PixelRect {
  /// The rectangle moved, and cut where it must be, so that it lies in a picture of `size`.
  fileprivate func pushed(into size: PixelSize) -> PixelRect {
    let (width, height) = (min(width, size.width), min(height, size.height))
    return PixelRect(
      x: min(x, size.width - width), y: min(y, size.height - height), width: width,
      height: height)
  }
}

extension RawInfo {
  /// Size of the part `crop` with its pixels made square.
  package func squareSize(of crop: PixelRect) -> PixelSize {
    func stretched(_ side: Int, _ factor: Double) -> Int { Int((Double(side) * factor).rounded()) }
    return pixelAspect >= 1
      ? PixelSize(width: stretched(crop.width, pixelAspect), height: crop.height)
      : PixelSize(width: crop.width, height: stretched(crop.height, 1 / pixelAspect))
  }

  /// `aspect` where pixels of sensors have it, else 1: those known are 1/2 to 2.
  static func plausibleAspect(_ aspect: Double) -> Double {
    (0.25...4).contains(aspect) ? aspect : 1
  }

  /// The description of a DNG by its tags.
  init(_ tags: DNGTags, camera: String, in file: FileBytes) throws(RAWError) {
    cameraName = tags.uniqueCameraModel ?? camera
    isDNG = true
    frameCount = tags.frameCount
    opcodes = try OpcodeLists(
      tags.opcodeLists,
      OpcodeLists.Picture(
        stored: tags.storage.size, active: tags.activeArea, isMosaic: tags.cfa != nil,
        pixelAspect: tags.pixelAspect), limits: file.limits, path: file.path)
    (storedSize, activeArea) = (tags.storage.size, tags.activeArea)
    size = opcodes.remaining.size
    crop = tags.defaultCrop.pushed(into: opcodes.finalSize)
    orientation = tags.orientation
    pixelAspect = tags.pixelAspect
    profiles = tags.profiles
    defaultProfileIndex = tags.defaultProfileIndex
    profile = profiles[defaultProfileIndex].camera
    let neutral = tags.asShotNeutral
    asShot =
      neutral.count == 3 ? .neutral(SIMD3(neutral[0], neutral[1], neutral[2])) : .unknown
    shadowScale = tags.shadowScale
    baselineExposure = tags.baselineExposure ?? 0
    linearResponseLimit = tags.linearResponseLimit
    // The mean of n pixels has an nth of their variance; mosaics are cropped, not reduced.
    let variance = tags.cfa == nil ? tags.proxyScale * tags.proxyScale : 1
    noiseProfile = tags.noiseProfile.map { ($0.scale * variance, $0.offset * variance) }
    noiseReductionApplied = tags.noiseReductionApplied
    guard let stored = SensorData.Layout(tags) else {
      throw RAWError(
        .unsupported, .open, "its color filter pattern is missing or unknown; \(DNGSupport.remedy)",
        path: file.path)
    }
    layout = stored.part(opcodes.remaining)
    if profile != nil, layout != .monochrome { colorOrigin = .file }
    if profile == nil, layout != .monochrome {
      colorWarning = Self.colorsUnknown
      warnings.append(Self.colorsUnknown)
    } else if layout != .monochrome, profile?.knowsAsShotWhite == false {
      warnings.append(Self.whiteUnknown)
    }
    warnings += tags.warnings + DNGProfile.unappliedMasks(profiles)
    if !opcodes.unapplied.isEmpty {
      warnings.append("opcodes of the file that are not applied: " + opcodes.unapplied.firstNames)
    }
  }

  /// The description of a camera raw by LibRaw's reading.
  init(_ facts: LibRawFacts, layout: SensorData.Layout) {
    cameraName = facts.cameraName
    isDNG = false
    frameCount = facts.frameCount
    size = PixelSize(width: facts.width, height: facts.height)
    storedSize = facts.storedArea.size
    activeArea = facts.visibleArea
    if facts.normalizedMake == "Canon" || facts.masks.first.map({ $0[3] > 0 }) == true {
      maskedAreas = facts.maskedAreas
    }
    let tableCrop = facts.tableCrop
    crop = tableCrop?.area ?? PixelRect(size)
    cropOrigin = tableCrop?.origin ?? .libRaw
    cameraFrame = tableCrop == nil ? facts.frameInside : nil
    self.layout = layout
    orientation =
      switch facts.flip {
      case 3: .down
      case 5: .left
      case 6: .right
      default: .up
      }
    pixelAspect = Self.plausibleAspect(facts.pixelAspect)
    opcodes = OpcodeLists(size: size)

    let colors = layout == .linear ? 3 : facts.colors
    func gains(_ values: [Double]) -> [Double]? {
      var values = values
      // LibRaw leaves the second green 0 when it equals the first.
      if values.count == 4, values[3] <= 0 { values[3] = values[1] }
      return values.prefix(colors).allSatisfy { $0 > 0 && $0.isFinite } ? values : nil
    }
    let recorded = gains(facts.cameraGains)
    asShot =
      recorded.map { .neutral(SIMD3(1 / $0[0], 1 / $0[1], 1 / $0[2])) } ?? .unknown
    capture.neutral = recorded.map { $0.prefix(colors).map { 1 / $0 } } ?? []
    if facts.isBalanced, let carried = recorded ?? gains(facts.daylightGains) {
      // The samples are white-balanced: the neutral is 1 in every channel.
      let used = carried.prefix(colors)
      capture.analogBalance = used.map { $0 / (used.min() ?? 1) }
      capture.neutral = used.map { _ in 1 }
    }
    guard layout != .monochrome else { return }
    let source = CameraColors(facts)
    if source.matrix.prefix(3 * colors).contains(where: { $0 != 0 }) {
      cameraMatrices = (Array(source.matrix.prefix(3 * colors)), source.tungsten)
    }
    if colors == 4 {
      let numbers: [Character: UInt8] = ["R": 0, "G": 1, "B": 2, "C": 3, "E": 3, "M": 4, "Y": 5]
      filterColors = facts.letters.prefix(4).map { numbers[$0] ?? 6 }
    }
    profile = CameraProfile(
      matrix: source.matrix, tungsten: source.tungsten, colors: colors,
      gains: recorded ?? gains(facts.daylightGains), isBalanced: facts.isBalanced)
    colorOrigin = profile == nil ? .none : source.origin
    colorWarning = profile == nil ? source.warning ?? Self.colorsUnknown : source.warning
    if source.warning != nil { colorRemedies = CameraColors.remedies }
    if let colorWarning { warnings.append(colorWarning) }
    if profile != nil, recorded == nil {
      warnings.append(Self.whiteUnknown)
    }
  }
}
