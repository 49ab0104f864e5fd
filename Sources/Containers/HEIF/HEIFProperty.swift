package import ImageCore

/// A property of an item, as far as it is known here, read and written (ISO/IEC 23008-12:2022 6.5,
/// ISO/IEC 14496-12:2022 12.1.5 and 12.1.6, ISO/IEC 14496-15, AV1-ISOBMFF, ISO 22028-5).
///
/// Chromaticities are in steps of 0.00002, luminance in 0.0001 cd/m² except in `cclv`. The unit of
/// `cclv`, 0.0000001 cd/m² as in H.265, reaches 429 cd/m²; larger values are omitted.
package enum HEIFProperty: Hashable, Sendable {
  /// Code points of ITU-T H.273.
  package struct CodePoints: Hashable, Sendable {
    package var primaries, transfer, matrix: UInt16
    package var isFullRange: Bool

    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
      (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
      self.isFullRange = isFullRange
    }
  }

  /// A step from the coded picture to the upright one, in the order in which the item lists them.
  package enum Transform: Hashable, Sendable {
    /// `irot`: quarter turns counter-clockwise.
    case turn(Int)
    /// `imir` (ISO/IEC 23008-12:2022; the first edition was read both ways): 1 exchanges left and
    /// right, 0 top and bottom.
    case mirror(leftToRight: Bool)
    /// `clap`: width, height, horizontal and vertical offset of the center, each numerator,
    /// denominator.
    case crop([Int])
  }

  /// `ispe`.
  case size(PixelSize)
  /// `colr` with code points.
  case codePoints(CodePoints)
  /// `colr` with an ICC profile.
  case profile([UInt8])
  /// `pixi`: bits of each channel.
  case depths([Int])
  /// `clli`: MaxCLL and MaxPALL, integer cd/m².
  case contentLight(HDRMetadata.ContentLight)
  /// `mdcv`: the display that the picture was made on.
  case masteringDisplay(HDRMetadata.MasteringDisplay)
  /// `cclv`: the luminance range that the picture occupies.
  case contentVolume(HDRMetadata.ContentVolume)
  /// `amve`: the ambient light around the display.
  case ambient(HDRMetadata.Ambient)
  /// `ndwt`: the luminance of diffuse white.
  case diffuseWhite(nits: Double)
  /// `irot`, `imir`, `clap`.
  case transform(Transform)
  /// `auxC`: what an auxiliary picture is for.
  case auxiliary(String)
  /// `hvcC`, `av1C` or `jpgC`.
  case configuration([UInt8], CodedStill.Codec)
  /// Any other that is known, and without effect on how the picture is read.
  case other(type: String, [UInt8])

  /// Auxiliary type of Apple's gain map of 2020.
  package static let appleGainMap = "urn:com:apple:photo:2020:aux:hdrgainmap"

  /// Auxiliary type of Samsung's gain map of 2024, whose own XMP has Ultra HDR's parameters.
  package static let samsungGainMap = "urn:com:samsung:photo:2024:aux:hdrgainmap"

  /// Auxiliary types of alpha: of any codec (ISO/IEC 23008-12), and HEVC's own, which programs
  /// look for in a HEIC.
  package static let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
  package static let hevcAlpha = "urn:mpeg:hevc:2015:auxid:1"

  /// Whether it says that an auxiliary picture is alpha.
  package var isAlpha: Bool {
    guard case .auxiliary(let name) = self else { return false }
    return [Self.alpha, Self.hevcAlpha].contains { name.isSame(as: $0) }
  }

  /// Whether it says that an auxiliary picture is Apple's gain map of 2020.
  package var isAppleGainMap: Bool {
    if case .auxiliary(let name) = self { name.isSame(as: Self.appleGainMap) } else { false }
  }

  /// Whether it says that an auxiliary picture is Samsung's gain map of 2024.
  package var isSamsungGainMap: Bool {
    if case .auxiliary(let name) = self { name.isSame(as: Self.samsungGainMap) } else { false }
  }

  /// `pixi` of channels that are alike.
  package static func depth(_ bits: Int, channels: Int = 3) -> HEIFProperty {
    .depths([Int](repeating: bits, count: channels))
  }

  /// All that is known of the luminance, in a fixed order.
  package static func light(_ hdrMetadata: HDRMetadata) -> [HEIFProperty] {
    [
      hdrMetadata.contentLight.map(contentLight),
      hdrMetadata.masteringDisplay.map(masteringDisplay),
      hdrMetadata.contentVolume.map(contentVolume), hdrMetadata.ambient.map(ambient),
      hdrMetadata.diffuseWhiteNits.map(diffuseWhite(nits:)),
    ].compactMap { $0 }
  }

  /// Whether a reader that does not know the box must leave the item alone.
  package var isEssential: Bool {
    switch self {
    case .configuration, .auxiliary, .transform: true
    default: false
    }
  }
}

// MARK: Reading

extension HEIFProperty {
  /// nil for a box that is not known.
  package init?(_ box: ISOBox) throws(FormatError) {
    var content = box.content
    switch box.type {
    case "ispe":
      _ = try content.version()
      self = .size(PixelSize(width: try content.u32(), height: try content.u32()))
    case "colr":
      switch try content.name() {
      case "nclx":
        self = .codePoints(
          CodePoints(
            primaries: UInt16(try content.u16()), transfer: UInt16(try content.u16()),
            matrix: UInt16(try content.u16()), isFullRange: try content.u8() & 0x80 != 0))
      case "prof", "rICC": self = .profile(Array(content.rest))
      default: self = .other(type: box.type, Array(box.content.rest))
      }
    case "clli":
      self = .contentLight(
        .init(maximumNits: Double(try content.u16()), averageNits: Double(try content.u16())))
    case "mdcv": self = .masteringDisplay(try Self.masteringDisplay(&content))
    case "cclv": self = .contentVolume(try Self.contentVolume(&content))
    case "amve":
      let lux = Double(try content.u32()) / 10_000
      self = .ambient(.init(lux: lux, color: try Self.chromaticity(&content)))
    case "ndwt":
      _ = try content.version()
      self = .diffuseWhite(nits: Double(try content.u32()) / 10_000)
    case "irot": self = .transform(.turn(try content.u8() & 3))
    case "imir": self = .transform(.mirror(leftToRight: try content.u8() & 1 == 1))
    case "clap":
      var numbers: [Int] = []
      for index in 0..<8 {
        numbers.append(index < 4 || index % 2 == 1 ? try content.u32() : try content.s32())
      }
      self = .transform(.crop(numbers))
    case "auxC":
      _ = try content.version()
      self = .auxiliary(content.text())
    case "hvcC": self = .configuration(Array(content.rest), .hevc)
    case "av1C": self = .configuration(Array(content.rest), .av1)
    case "jpgC": self = .configuration(Array(content.rest), .jpeg)
    // Depths are not read: the coded data declare them, so a damaged box does no harm.
    case "cmpd", "uncC", "cmpC", "icef", "pixi", "pasp", "reve", "rloc", "udes", "altt", "crtt",
      "mdft", "a1lx":
      self = .other(type: box.type, Array(content.rest))
    // The complete picture with all layers, the default of decoders.
    case "a1op" where try content.u8() == 0, "lsel" where try content.u16() == 0xFFFF:
      self = .other(type: box.type, Array(box.content.rest))
    default: return nil
    }
  }

  private static func chromaticity(
    _ content: inout ByteCursor
  ) throws(FormatError) -> Chromaticity {
    Chromaticity(x: Double(try content.u16()) / 50_000, y: Double(try content.u16()) / 50_000)
  }

  /// Stored green, blue, red.
  private static func masteringDisplay(
    _ content: inout ByteCursor
  ) throws(FormatError) -> HDRMetadata.MasteringDisplay {
    let green = try chromaticity(&content)
    let blue = try chromaticity(&content)
    let red = try chromaticity(&content)
    let white = try chromaticity(&content)
    return .init(
      red: red, green: green, blue: blue, white: white,
      maximumNits: Double(try content.u32()) / 10_000,
      minimumNits: Double(try content.u32()) / 10_000)
  }

  /// H.265 D.3.40: chromaticities in 0.00002, stored green, blue, red; luminance in 0.0000001
  /// cd/m².
  private static func contentVolume(
    _ content: inout ByteCursor
  ) throws(FormatError) -> HDRMetadata.ContentVolume {
    let flags = try content.u8()
    var volume = HDRMetadata.ContentVolume()
    if flags & 0x20 != 0 {
      var points: [Chromaticity] = []
      for _ in 0..<3 {
        points.append(
          Chromaticity(x: Double(try content.s32()) / 50_000, y: Double(try content.s32()) / 50_000)
        )
      }
      volume.primaries = [points[2], points[0], points[1]]
    }
    if flags & 0x10 != 0 { volume.minimumNits = Double(try content.u32()) / 1e7 }
    if flags & 0x08 != 0 { volume.maximumNits = Double(try content.u32()) / 1e7 }
    if flags & 0x04 != 0 { volume.averageNits = Double(try content.u32()) / 1e7 }
    return volume
  }
}

// MARK: Writing

extension HEIFProperty {
  /// The complete box; values out of range become the nearest ones in range.
  package var box: [UInt8] {
    var bytes = BoxWriter()
    switch self {
    case .size(let size):
      bytes.fullBox("ispe") {
        $0.u32(UInt32(truncatingIfNeeded: size.width))
        $0.u32(UInt32(truncatingIfNeeded: size.height))
      }
    case .codePoints(let points):
      bytes.box("colr") {
        $0.append("nclx".utf8)
        for point in [points.primaries, points.transfer, points.matrix] { $0.u16(point) }
        $0.u8(points.isFullRange ? 0x80 : 0)
      }
    case .profile(let profile): bytes.box("colr") { $0.append("prof".utf8 + profile) }
    case .depths(let depths):
      bytes.fullBox("pixi") {
        $0.u8(UInt8(truncatingIfNeeded: depths.count))
        for bits in depths { $0.u8(UInt8(truncatingIfNeeded: bits)) }
      }
    case .contentLight(let levels):
      bytes.box("clli") {
        for nits in [levels.maximumNits, levels.averageNits] { $0.u16(.nearest(nits)) }
      }
    case .masteringDisplay(let display):
      bytes.box("mdcv") {
        for point in [display.green, display.blue, display.red, display.white] {
          $0.chromaticity(point)
        }
        for nits in [display.maximumNits, display.minimumNits] { $0.u32(.nearest(nits * 10_000)) }
      }
    case .contentVolume(let volume): bytes.box("cclv") { Self.write(volume, to: &$0) }
    case .ambient(let ambient):
      bytes.box("amve") {
        $0.u32(.nearest(ambient.lux * 10_000))
        $0.chromaticity(ambient.color)
      }
    case .diffuseWhite(let nits): bytes.fullBox("ndwt") { $0.u32(.nearest(nits * 10_000)) }
    case .transform(.turn(let quarters)): bytes.box("irot") { $0.u8(UInt8(quarters & 3)) }
    case .transform(.mirror(let leftToRight)): bytes.box("imir") { $0.u8(leftToRight ? 1 : 0) }
    case .transform(.crop(let numbers)):
      bytes.box("clap") { for number in numbers { $0.u32(UInt32(truncatingIfNeeded: number)) } }
    case .auxiliary(let name): bytes.fullBox("auxC") { $0.string(name) }
    case .configuration(let record, let codec):
      bytes.box(codec.configurationType) { $0.append(record) }
    case .other(let type, let content): bytes.append(ISOBox.bytes(type, content))
    }
    return bytes.bytes
  }

  private static func write(_ volume: HDRMetadata.ContentVolume, to box: inout BoxWriter) {
    let primaries = volume.primaries.flatMap { $0.count == 3 ? [$0[1], $0[2], $0[0]] : nil }
    let levels: [UInt32?] = [volume.minimumNits, volume.maximumNits, volume.averageNits].map {
      $0.flatMap { nits in
        let value = (nits * 10_000_000).rounded()
        return value >= 0 && value <= Double(UInt32.max) ? UInt32(value) : nil
      }
    }
    var flags: UInt8 = primaries == nil ? 0 : 0x20
    for (level, flag) in zip(levels, [0x10, 0x08, 0x04] as [UInt8]) where level != nil {
      flags |= flag
    }
    box.u8(flags)
    for point in primaries ?? [] {
      for value in [point.x, point.y] {
        box.u32(UInt32(bitPattern: .nearest(value * 50_000)))
      }
    }
    for level in levels.compactMap({ $0 }) { box.u32(level) }
  }
}

extension BoxWriter {
  /// In steps of 0.00002.
  mutating func chromaticity(_ point: Chromaticity) {
    for value in [point.x, point.y] { u16(.nearest(value * 50_000)) }
  }
}
