/// An Exif block as an item of HEIF and a box of JPEG XL (ISO/IEC 23008-12:2022 annex A, ISO/IEC
/// 18181-2): preceded by the offset of its TIFF header, four bytes, and often by `Exif` and two
/// NULs.
package enum ExifItem {
  /// The start of the TIFF structure in an item; an offset after its end counts as 0. nil if there
  /// is no TIFF header.
  package static func start(in item: [UInt8]) -> Int? {
    guard item.count > 4 else { return nil }
    let offset = item.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    var start = 4 + (offset < item.count - 4 ? offset : 0)
    if item[start...].starts(with: Array(JPEGIdentifier.exif.name.utf8)) { start += 6 }
    return start < item.count ? start : nil
  }

  /// An item of `block`, which starts with its TIFF header.
  package static func bytes(_ block: [UInt8]) -> [UInt8] { [0, 0, 0, 0] + block }
}
