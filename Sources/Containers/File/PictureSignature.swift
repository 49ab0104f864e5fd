/// What the first bytes of a picture file say that it is.
package enum PictureSignature: String, Sendable {
  case heif, avif, jpeg, png, tiff
  case jpegXL = "jpeg-xl"

  private static let avifBrands: Set<String> = ["avif", "avis"]
  private static let heifBrands: Set<String> = [
    "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1",
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

  /// Major brand, then the compatible ones.
  private static func brands(_ file: FileBytes) -> [String] {
    guard let length = file.integer(UInt32.self, at: 0, bigEndian: true), length >= 16,
      length <= 4096, let box = file.bytes(0, Int(length))
    else { return [] }
    let names = [box[8..<12]] + stride(from: 16, to: box.count - 3, by: 4).map { box[$0..<$0 + 4] }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }
}
