/// What the first bytes of a picture file say that it is.
package enum PictureSignature: String, Sendable {
  case heif, avif, jpeg, png, tiff
  case jpegXL = "jpeg-xl"
  case exr, radiance, webp, npy

  /// As people write it.
  package var name: String {
    switch self {
    case .heif: "HEIF"
    case .avif: "AVIF"
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .tiff: "TIFF"
    case .jpegXL: "JPEG XL"
    case .exr: "OpenEXR"
    case .radiance: "Radiance"
    case .webp: "WebP"
    case .npy: "NumPy"
    }
  }

  private static let avifBrands: Set<String> = ["avif", "avis"]
  private static let heifBrands: Set<String> = [
    "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1", "jpeg", "jpgs",
  ]

  /// The kind of `file`; nil for any other. Camera raws based on TIFF are `tiff` here.
  package init?(_ file: FileBytes) {
    let start = file.bytes(0, min(file.count, 12)) ?? []
    switch start {
    case _ where start.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
    case _ where start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): self = .png
    case _ where start.starts(with: JPEGXLImageHeader.signature): self = .jpegXL
    case [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]: self = .jpegXL
    case _
    where start.starts(with: [0x49, 0x49, 42, 0]) || start.starts(with: [0x4D, 0x4D, 0, 42]),
      _ where start.starts(with: [0x49, 0x49, 43, 0]) || start.starts(with: [0x4D, 0x4D, 0, 43]):
      self = .tiff
    case _ where start.starts(with: [0x76, 0x2F, 0x31, 0x01]): self = .exr
    case _ where file.matches("#?RADIANCE", at: 0) || file.matches("#?RGBE", at: 0):
      self = .radiance
    case _ where file.matches("RIFF", at: 0) && file.matches("WEBP", at: 8): self = .webp
    case _ where start.starts(with: [0x93]) && file.matches("NUMPY", at: 1): self = .npy
    case _ where file.matches("ftyp", at: 4):
      let brands = Self.brands(file)
      if brands.contains(where: Self.avifBrands.contains) {
        self = .avif
      } else if brands.contains(where: Self.heifBrands.contains) {
        self = .heif
      } else {
        return nil
      }
    default: return nil
    }
  }

  /// The name of a kind of picture that is not read, by its first bytes; nil where it is none that
  /// is known by name.
  package static func unreadName(_ file: FileBytes) -> String? {
    let start = file.bytes(0, min(file.count, 16)) ?? []
    for (mark, name) in unread where start.starts(with: mark) { return name }
    guard file.matches("ftyp", at: 4) else { return nil }
    let brands = brands(file)
    return brandNames.first { name in brands.contains { name.brands.contains($0) } }?.name
  }

  private static let unread: [(mark: [UInt8], name: String)] = [
    (Array("GIF8".utf8), "a GIF"), ([0x49, 0x49, 0xBC], "a JPEG XR"),
    ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "a JPEG 2000"),
    ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000"), (Array("8BPS".utf8), "a Photoshop document"),
    (Array("BM".utf8), "a BMP"), (Array("%PDF".utf8), "a PDF"), (Array("DDS ".utf8), "a DDS"),
    ([0xAB, 0x4B, 0x54, 0x58], "a KTX texture"), (Array("SDPX".utf8), "a DPX"),
    (Array("XPDS".utf8), "a DPX"), ([0x80, 0x2A, 0x5F, 0xD7], "a Cineon file"),
    (Array("qoif".utf8), "a QOI"), (Array("gimp xcf".utf8), "a GIMP picture"),
    (Array("SIMPLE  =".utf8), "a FITS"), ([0, 0, 1, 0], "an icon"), (Array("P7\n".utf8), "a PAM"),
    (Array("PF\n".utf8), "a PFM"), (Array("Pf\n".utf8), "a PFM"), (Array("P4".utf8), "a PBM"),
    (Array("P5".utf8), "a PGM"), (Array("P6".utf8), "a PPM"), (Array("<svg".utf8), "an SVG"),
    ([0x59, 0xA6, 0x6A, 0x95], "a Sun raster"), (Array("FLIF".utf8), "a FLIF"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a film (Matroska)"),
  ]

  private static let brandNames: [(brands: Set<String>, name: String)] = [
    (["vvic", "vvis"], "a HEIF in VVC"), (["avci", "avcs"], "a HEIF in AVC"),
    (["j2ki", "j2is"], "a HEIF in JPEG 2000"),
    (["mif3"], "a HEIF or AVIF with a compact mini box"),
    (["mif2", "miaf"], "a HEIF of an unknown brand"), (["crx "], "a raw of Canon (CR3)"),
    (["isom", "iso2", "mp41", "mp42", "qt  ", "M4V ", "avc1"], "a film"),
  ]

  /// Major brand, then the compatible ones.
  private static func brands(_ file: FileBytes) -> [String] {
    guard let length = file.integer(UInt32.self, at: 0, bigEndian: true), length >= 16,
      length <= 4096, let box = file.bytes(0, Int(length))
    else { return [] }
    let names = [box[8..<12]] + stride(from: 16, to: box.count - 3, by: 4).map { box[$0..<$0 + 4] }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }
}
