import ImageCore

/// A property of an item, as far as it is known here (ISO/IEC 23008-12:2022 6.5, ISO/IEC 14496-12:2022
/// 12.1.5, ISO/IEC 14496-15, AV1-ISOBMFF).
enum HEIFProperty {
  /// Code points of ITU-T H.273.
  struct CodePoints: Hashable {
    var primaries, transfer, matrix: UInt16
    var isFullRange: Bool
  }

  case size(width: Int, height: Int)
  case codePoints(CodePoints)
  case profile([UInt8])
  case contentLight(LightMetadata.ContentLight)
  case masteringDisplay(LightMetadata.MasteringDisplay)
  case contentVolume(LightMetadata.ContentVolume)
  case ambient(LightMetadata.Ambient)
  case diffuseWhite(nits: Double)
  /// `irot`, `imir`, `clap`.
  case transform(HEIFTransform)
  /// What an auxiliary picture is for.
  case auxiliary(String)
  /// `hvcC` or `av1C`.
  case configuration([UInt8])
  /// Known, and without effect on how the picture is read.
  case noted

  /// nil for a box that is not known.
  init?(_ box: ISOBox) throws(ReadError) {
    var content = box.content
    switch box.type {
    case "ispe":
      _ = try content.version()
      self = .size(width: try content.u32(), height: try content.u32())
    case "colr":
      switch try content.name() {
      case "nclx":
        self = .codePoints(
          CodePoints(
            primaries: UInt16(try content.u16()), transfer: UInt16(try content.u16()),
            matrix: UInt16(try content.u16()), isFullRange: try content.u8() & 0x80 != 0))
      case "prof", "rICC": self = .profile(Array(content.bytes))
      default: self = .noted
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
    case "hvcC", "av1C": self = .configuration(Array(content.bytes))
    case "pixi", "pasp", "reve", "rloc", "udes", "altt", "crtt", "mdft", "a1lx": self = .noted
    // The whole picture of all layers, as decoders give it unasked.
    case "a1op" where try content.u8() == 0: self = .noted
    case "lsel" where try content.u16() == 0xFFFF: self = .noted
    default: return nil
    }
  }

  private static func chromaticity(_ content: inout ISOCursor) throws(ReadError) -> Chromaticity {
    Chromaticity(x: Double(try content.u16()) / 50_000, y: Double(try content.u16()) / 50_000)
  }

  /// Stored green, blue, red.
  private static func masteringDisplay(
    _ content: inout ISOCursor
  ) throws(ReadError) -> LightMetadata.MasteringDisplay {
    let green = try chromaticity(&content)
    let blue = try chromaticity(&content)
    let red = try chromaticity(&content)
    let white = try chromaticity(&content)
    return .init(
      red: red, green: green, blue: blue, white: white,
      maximumNits: Double(try content.u32()) / 10_000,
      minimumNits: Double(try content.u32()) / 10_000)
  }

  /// H.265 D.3.40: chromaticities in 0.00002, stored green, blue, red; light in 0.0000001 cd/m².
  private static func contentVolume(
    _ content: inout ISOCursor
  ) throws(ReadError) -> LightMetadata.ContentVolume {
    let flags = try content.u8()
    var volume = LightMetadata.ContentVolume()
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
