import ImageCore

/// How a picture is cut into tiles that are all coded at one size; the outermost ones reach beyond
/// the picture. Multiples of 64, as ISO/IEC 23000-22 section 7.3.11.4 asks.
struct TileGrid: Sendable {
  let picture: PixelSize
  /// Coded size of each tile.
  let tile: PixelSize
  let columns: Int
  let rows: Int

  /// Side of a tile of a large picture.
  static let side = 512
  /// What the sides of a picture that is coded as it is must be multiples of: the encoder's smallest
  /// coding unit. Beyond a picture that ends inside one, libx265 3.5 codes memory that nobody wrote.
  static let unit = 32

  init(_ picture: PixelSize) throws(WriteError) {
    guard picture.width > 0, picture.height > 0 else {
      throw WriteError(.unsupportedSize, "the picture is empty; there is nothing to write")
    }
    self.picture = picture
    func coded(_ length: Int) -> Int { min(Self.side, (length + 63) & ~63) }
    let fits = picture.width <= Self.side && picture.height <= Self.side
    let whole = min(picture.width, picture.height) >= 64
    tile =
      fits && whole && picture.width % Self.unit == 0 && picture.height % Self.unit == 0
      ? picture : PixelSize(width: coded(picture.width), height: coded(picture.height))
    columns = (picture.width + tile.width - 1) / tile.width
    rows = (picture.height + tile.height - 1) / tile.height
    guard columns <= 256, rows <= 256, columns * rows < 65_000 else {
      throw WriteError(
        .unsupportedSize,
        "\(picture) pixels are more than a HEIF grid of \(Self.side)-pixel tiles can hold; write a "
          + "TIFF or reduce the picture")
    }
  }

  /// Number of tiles.
  var count: Int { columns * rows }
  /// Whether the picture is coded as it is, with nothing to crop.
  var isSinglePicture: Bool { tile == picture }

  /// The part of the picture in tile `index`, counted row by row.
  func rect(_ index: Int) -> PixelRect {
    PixelRect(
      x: index % columns * tile.width, y: index / columns * tile.height, width: tile.width,
      height: tile.height
    ).intersection(PixelRect(picture))
  }

  /// Tiles side by side in one row that are rendered in one go, in order: neighbours share what the
  /// stages read around a rectangle.
  var runs: [Range<Int>] {
    (0..<rows).flatMap { row in
      stride(from: 0, to: columns, by: Self.longestRun).map { left in
        let first = row * columns + left
        return first..<first + min(Self.longestRun, columns - left)
      }
    }
  }

  /// Wide enough that little is rendered twice, few enough that many threads have work.
  private static let longestRun = 4

  /// The description that the grid item stores (ISO/IEC 23008-12:2022 section 6.6.2.3).
  var payload: [UInt8] {
    let isLarge = max(picture.width, picture.height) > 65_535
    var bytes = BoxBytes()
    bytes.u8(0)
    bytes.u8(isLarge ? 1 : 0)
    bytes.u8(UInt8(truncatingIfNeeded: rows - 1))
    bytes.u8(UInt8(truncatingIfNeeded: columns - 1))
    for length in [picture.width, picture.height] {
      if isLarge {
        bytes.u32(UInt32(truncatingIfNeeded: length))
      } else {
        bytes.u16(UInt16(truncatingIfNeeded: length))
      }
    }
    return bytes.bytes
  }
}
