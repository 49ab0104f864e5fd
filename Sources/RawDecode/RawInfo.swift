import Containers
package import ImageCore

/// The metadata of a raw file, read without decoding pixels.
package struct RawInfo: Sendable {
  /// Maker and model, or the DNG's unique camera name.
  package var cameraName: String
  package var isDNG: Bool
  /// Number of frames, raw pictures of equal size and type, in the file.
  package var frameCount = 1
  /// Columns and rows as stored, borders included.
  package var storedSize: PixelSize
  /// The exposed part of the stored picture.
  package var activeArea: PixelRect
  /// Columns and rows of the exposed area, as stored, without the parts trimmed by opcodes.
  package var size: PixelSize
  package var layout: SensorData.Layout
  /// The default crop within `size`, as stored.
  package var crop: PixelRect
  /// The rotation that makes the stored picture upright.
  package var orientation: Orientation
  /// Width of a pixel over its height.
  package var pixelAspect: Double
  /// The color model; nil for cameras with unknown matrix, and for monochrome ones.
  package var profile: CameraProfile?
  /// Camera values of the as-shot white, for an external profile.
  package var asShot: CameraProfile.AsShot
  /// Capture metadata for external profiles, if the raw is not a DNG.
  package var capture = DNGColor.Capture()
  /// Matrices XYZ → camera of a raw that is not a DNG, one row of three for each channel, under D65
  /// and under illuminant A; empty if unknown.
  package var cameraMatrices: (daylight: [Double], tungsten: [Double]) = ([], [])
  /// The color of each channel of a mosaic, numbered as in DNG's CFAPattern: 0 red, 1 green, 2
  /// blue, 3 cyan, 4 magenta, 5 yellow, 6 white.
  package var filterColors: [UInt8] = [0, 1, 2]
  /// Camera profiles of a DNG, the primary one first; empty for other raws.
  package var profiles: [DNGProfile] = []
  /// The profile selected by the camera.
  package var defaultProfileIndex = 0
  /// Baseline exposure in stops without the offset of a profile, 0 for a DNG without the tag; nil
  /// for other raws.
  package var baselineExposure: Double?
  /// ShadowScale of a DNG; 1 for other raws.
  package var shadowScale = 1.0
  /// Fraction of full scale up to which the sensor is linear.
  package var linearResponseLimit = 1.0
  /// Pairs (S, O): variance of a linear value x in 0…1 is S·x + O. Empty if absent.
  package var noiseProfile: [(scale: Double, offset: Double)] = []
  /// The noise profile where only the shortest of several merged exposures is not clipped, which is
  /// noisier than ``noiseProfile``; empty for single exposures.
  package var brightNoiseProfile: [(scale: Double, offset: Double)] = []
  /// Fraction of the noise that was removed before the file was written, 0…1.
  package var noiseReductionApplied = 0.0
  /// Opcode lists 1, 2 and 3 of a DNG. The trims of the first two are included in `size`, `crop`
  /// and `layout`.
  package var opcodes: OpcodeLists
  /// Warnings to show.
  package var warnings: [String] = []
  /// The element of `warnings` that a color matrix or profile resolves; nil if the camera's colors
  /// are known.
  package var colorWarning: String?
  /// The remedies for `colorWarning`.
  package var colorRemedies: [Remedy] = []
  /// Origin of the colors; none for monochrome pictures.
  package var colorOrigin = FactOrigin.none
  /// The part of the picture that the camera delivers, in pixels of the exposed area; nil if not
  /// declared, and for DNGs, whose `crop` it is.
  package var cameraFrame: PixelRect?
  /// Masked borders of the stored picture that show black, for raws that are not DNGs; empty if
  /// unknown.
  package var maskedAreas: [PixelRect] = []
  /// Origin of `crop`.
  package var cropOrigin = FactOrigin.file

  /// The warning for a DNG without white balance.
  package static let whiteUnknown =
    "the file does not state its white balance; it is the preview's, else estimated from the colors"
  package static let colorsUnknown =
    "the camera's colors are unknown and are shown unconverted; supply a color matrix"
}

extension SensorData.Layout {
  /// The layout of a DNG's active area; nil if its color filters are unknown.
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
  /// The rectangle moved, and cropped if necessary, into a picture of `size`.
  fileprivate func pushed(into size: PixelSize) -> PixelRect {
    let (width, height) = (min(width, size.width), min(height, size.height))
    return PixelRect(
      x: min(x, size.width - width), y: min(y, size.height - height), width: width,
      height: height)
  }
}

extension RawInfo {
  /// Size of the part `crop` after making its pixels square.
  package func squareSize(of crop: PixelRect) -> PixelSize {
    func stretched(_ side: Int, _ factor: Double) -> Int { Int((Double(side) * factor).rounded()) }
    return pixelAspect >= 1
      ? PixelSize(width: stretched(crop.width, pixelAspect), height: crop.height)
      : PixelSize(width: crop.width, height: stretched(crop.height, 1 / pixelAspect))
  }

  /// `aspect` if it is plausible for a sensor (1/2 to 2), else 1.
  static func plausibleAspect(_ aspect: Double) -> Double {
    (0.25...4).contains(aspect) ? aspect : 1
  }

  /// The metadata of a DNG from its tags.
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
    // The mean of n pixels has 1/n of their variance; mosaics are cropped, not reduced.
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

  /// The metadata of a camera raw from LibRaw.
  init(_ metadata: LibRawMetadata, layout: SensorData.Layout) {
    cameraName = metadata.cameraName
    isDNG = false
    frameCount = metadata.frameCount
    size = PixelSize(width: metadata.width, height: metadata.height)
    storedSize = metadata.storedArea.size
    activeArea = metadata.visibleArea
    if metadata.normalizedMake == "Canon" || metadata.masks.first.map({ $0[3] > 0 }) == true {
      maskedAreas = metadata.maskedAreas
    }
    let tableCrop = metadata.tableCrop
    crop = tableCrop?.area ?? PixelRect(size)
    cropOrigin = tableCrop?.origin ?? .libRaw
    cameraFrame = tableCrop == nil ? metadata.frameInside : nil
    self.layout = layout
    orientation =
      switch metadata.flip {
      case 3: .down
      case 5: .left
      case 6: .right
      default: .up
      }
    pixelAspect = Self.plausibleAspect(metadata.pixelAspect)
    opcodes = OpcodeLists(size: size)

    let colors = layout == .linear ? 3 : metadata.colors
    func gains(_ values: [Double]) -> [Double]? {
      var values = values
      // LibRaw leaves the second green 0 if it equals the first.
      if values.count == 4, values[3] <= 0 { values[3] = values[1] }
      return values.prefix(colors).allSatisfy { $0 > 0 && $0.isFinite } ? values : nil
    }
    let recorded = gains(metadata.cameraGains)
    asShot =
      recorded.map { .neutral(SIMD3(1 / $0[0], 1 / $0[1], 1 / $0[2])) } ?? .unknown
    capture.neutral = recorded.map { $0.prefix(colors).map { 1 / $0 } } ?? []
    if metadata.isBalanced, let carried = recorded ?? gains(metadata.daylightGains) {
      // The samples are white-balanced: the neutral is 1 in every channel.
      let used = carried.prefix(colors)
      capture.analogBalance = used.map { $0 / (used.min() ?? 1) }
      capture.neutral = used.map { _ in 1 }
    }
    guard layout != .monochrome else { return }
    let source = CameraColors(metadata)
    if source.matrix.prefix(3 * colors).contains(where: { $0 != 0 }) {
      cameraMatrices = (Array(source.matrix.prefix(3 * colors)), source.tungsten)
    }
    if colors == 4 {
      let numbers: [Character: UInt8] = ["R": 0, "G": 1, "B": 2, "C": 3, "E": 3, "M": 4, "Y": 5]
      filterColors = metadata.letters.prefix(4).map { numbers[$0] ?? 6 }
    }
    profile = CameraProfile(
      matrix: source.matrix, tungsten: source.tungsten, colors: colors,
      gains: recorded ?? gains(metadata.daylightGains), isBalanced: metadata.isBalanced)
    colorOrigin = profile == nil ? .none : source.origin
    colorWarning = profile == nil ? source.warning ?? Self.colorsUnknown : source.warning
    if source.warning != nil { colorRemedies = CameraColors.remedies }
    if let colorWarning { warnings.append(colorWarning) }
    if profile != nil, recorded == nil {
      warnings.append(Self.whiteUnknown)
    }
  }
}
