import Codecs
import Containers
import Foundation
import HDRRender
import RawDecode

/// A LUT stored as a picture: a HaldCLUT.
///
/// Source: E. Steenberg, "Hald CLUT" (quelsolaar.com): a square PNG of level L is L³ pixels wide
/// and holds a cube of L² colors a side, red fastest, then green, then blue, along the rows. 8 or
/// 16 bits, RGB; alpha is dropped. Known limits: levels 2…``maxLevel``.
enum HaldCLUT {
  /// Maximum level: 1728 pixels wide, 144 colors a side.
  static let maxLevel = 12

  static func read(_ file: FileBytes) throws(FormatError) -> ColorLookup {
    let bytes = file.bytes(0, min(file.count, 33)) ?? []
    var cursor = ByteCursor(bytes.dropFirst(16))
    guard bytes.count == 33, file.matches(PNGChunk.header, at: 12),
      let columns = cursor.integer(UInt32.self), let rows = cursor.integer(UInt32.self)
    else {
      throw FormatError(.damaged, "the PNG has no header; copy it again", path: file.path)
    }
    let (depth, color) = (bytes[24], bytes[25])
    guard columns == rows, let level = (2...maxLevel).first(where: { $0 * $0 * $0 == columns })
    else {
      throw FormatError(
        .unsupported,
        "a picture of \(columns)x\(rows) pixels is no HaldCLUT, whose side is 8, 27, 64 … 1728",
        path: file.path)
    }
    guard color == 2 || color == 6 || color == 3, depth == 16 || depth == 8 || color == 3 else {
      throw FormatError(
        .unsupported, "a HaldCLUT has colors of 8 or 16 bits; save it as RGB", path: file.path)
    }
    let (side, isWide) = (Int(columns), depth == 16)
    let rowBytes = 3 * side * (isWide ? 2 : 1)
    var samples = [UInt8](repeating: 0, count: rowBytes * side)
    let message = withExtendedLifetime(file) {
      PNGDecoder.read(
        file.buffer, columns: side, rows: side, rowBytes: rowBytes, stride: rowBytes, into: &samples
      )
    }
    if let message {
      throw FormatError(
        .damaged, "the pixels of the HaldCLUT are damaged (libpng: \(message)); copy it again",
        path: file.path)
    }
    let values: [Float] =
      isWide
      ? samples.withUnsafeBytes { $0.bindMemory(to: UInt16.self).map { Float($0) / 65_535 } }
      : samples.map { Float($0) / 255 }
    guard let table = ColorLookup(side: level * level, isCube: true, values: values) else {
      throw FormatError(.damaged, "the HaldCLUT is incomplete; copy it again", path: file.path)
    }
    return table
  }
}
