import Codecs
import Containers
import Formats
import ImageCore

/// How a picture is divided into tiles of one coded size; the outermost ones extend beyond the
/// picture. Multiples of 64, as ISO/IEC 23000-22 section 7.3.11.4 requires; the codec chooses the
/// length, and up to which size the complete picture is one tile.
struct TileGrid: Sendable {
  let picture: PixelSize
  /// Coded size of each tile.
  let tile: PixelSize
  let columns: Int
  let rows: Int

  init(
    _ picture: PixelSize, _ codec: some StillCodec, _ layout: TileLayout = .auto
  ) throws(WriteError) {
    guard picture.width > 0, picture.height > 0 else {
      throw WriteError(.unsupportedSize, "the picture is empty; there is nothing to write")
    }
    if layout == .single, !codec.largestSingle.holds(picture) {
      throw WriteError(
        .unsupportedSize,
        "\(picture) pixels are more than one \(codec.name) picture holds; write a grid of tiles")
    }
    self.picture = picture
    tile =
      Self.isSingle(picture, codec, layout)
      ? codec.codedSize(picture)
      : PixelSize(
        width: codec.tileLength(picture.width), height: codec.tileLength(picture.height))
    columns = (picture.width - 1) / tile.width + 1
    rows = (picture.height - 1) / tile.height + 1
    guard columns <= 256, rows <= 256, columns * rows < 65_000 else {
      throw WriteError(
        .unsupportedSize,
        "\(picture) pixels are more than a grid of \(codec.longestTileSide)-pixel tiles can hold; "
          + "write a TIFF or reduce the picture")
    }
  }

  /// Parts of this size of a single picture.
  init(_ picture: PixelSize, part: PixelSize) {
    (self.picture, tile) = (picture, part)
    columns = (picture.width - 1) / part.width + 1
    rows = (picture.height - 1) / part.height + 1
  }

  private static func isSingle(
    _ picture: PixelSize, _ codec: some StillCodec, _ layout: TileLayout
  ) -> Bool {
    max(picture.width, picture.height) <= codec.longestTileSide || layout == .single
      || layout == .auto && codec.usualSingle.holds(picture)
  }

  /// The chroma format for a picture in `chroma`: 4:4:4 where readers reject a grid of odd size in
  /// 4:2:0.
  static func chroma(
    _ chroma: ChromaFormat, of picture: PixelSize, _ codec: some StillCodec,
    _ layout: TileLayout = .auto
  ) -> ChromaFormat {
    let isOdd = picture.width % 2 != 0 || picture.height % 2 != 0
    return !codec.takesOddGrids && chroma == .yuv420 && isOdd && !isSingle(picture, codec, layout)
      ? .yuv444 : chroma
  }

  /// Number of tiles.
  var count: Int { columns * rows }
  /// Whether the picture is coded at its own size, with nothing to crop.
  var isSinglePicture: Bool { tile == picture }

  /// The part of the picture in tile `index`, counted row by row.
  func rect(_ index: Int) -> PixelRect {
    PixelRect(
      x: index % columns * tile.width, y: index / columns * tile.height, width: tile.width,
      height: tile.height
    ).intersection(PixelRect(picture))
  }

  /// The description that the grid item stores (ISO/IEC 23008-12:2022 section 6.6.2.3).
  var payload: [UInt8] {
    let isLarge = max(picture.width, picture.height) > 65_535
    var bytes = BoxWriter()
    bytes.u8(0)
    bytes.u8(isLarge ? 1 : 0)
    bytes.u8(UInt8(truncatingIfNeeded: rows - 1))
    bytes.u8(UInt8(truncatingIfNeeded: columns - 1))
    for length in [picture.width, picture.height] { bytes.number(length, isWide: isLarge) }
    return bytes.bytes
  }
}
