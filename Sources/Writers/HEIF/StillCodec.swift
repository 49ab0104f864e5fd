import ImageCore

/// What codes the pictures of a still picture file: HEVC in HEIF, AV1 in AVIF. The container is one.
enum StillCodec: Sendable, Hashable {
  case hevc
  /// libaom's speed, 0…9.
  case av1(speed: Int)

  /// The name of its files.
  var name: String { self == .hevc ? "HEIF" : "AVIF" }
  var mediaType: String { self == .hevc ? "image/heif" : "image/avif" }
  /// Type of an item that is a coded picture.
  var itemType: String { self == .hevc ? "hvc1" : "av01" }
  /// Type of the box of its decoder configuration record.
  var configurationType: String { self == .hevc ? "hvcC" : "av1C" }

  /// An encoder of one worker for tiles of `tile` coded pixels.
  func encoder(_ coding: TileCoding, tile: PixelSize) throws(WriteError) -> any TileEncoder {
    switch self {
    case .hevc: try HEVCEncoder(HEVCEncoder.Settings(coding, size: tile))
    case .av1(let speed): AV1Encoder(AV1Encoder.Settings(coding, size: tile, speed: speed))
    }
  }

  /// The brands of a file with these coded pictures: the major one, and all.
  func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String]) {
    switch self {
    case .hevc:
      // 8-bit Main is the one profile that every HEIC reader has; all else is announced as `heix`.
      let isMain = pictures.first.map { $0.coding.bits == 8 && $0.coding.chroma == .yuv420 }
      let major = isMain == true ? "heic" : "heix"
      let isMIAF = pictures.allSatisfy(\.followsMIAF)
      return (major, ["mif1", major] + (isMIAF ? ["miaf"] : []))
    case .av1:
      let profile = AV1Configuration.brand(pictures.map(\.record))
      return ("avif", ["avif", "mif1", "miaf"] + (profile.map { [$0] } ?? []))
    }
  }
}

/// One worker's encoder: each picture stands alone, its bytes depend on the settings and pixels only.
protocol TileEncoder: AnyObject {
  /// The item data of the picture in `codes`.
  func encode(_ codes: CodePlanes) throws(WriteError) -> [UInt8]
  /// The decoder configuration record of all tiles, of which `tile` is one.
  func record(tile: [UInt8]) throws(WriteError) -> [UInt8]
}
