import Containers
import ImageCore

/// The headers of a strip of Sony's ARW 6: positions of its tiles, and the parts of each.
///
/// The strip starts with little-endian numbers: the number of tiles, an unknown 32-bit value, and
/// for each tile its offset in the strip, 64 bits, and column, row, width and height, 32 bits each.
/// A tile is big-endian and extends to the next one, or to the end. It consists of 16-byte blocks:
/// * a mark (a letter or digit, then `000`), a number of 32 bits, the width, half the height, 16
///   bits each, and a word: 16, the bits of a coefficient, from bit 20 on, 3, the components, from
///   bit 13 on, 3, a mode, from bit 10 on;
/// * two with the number of blocks of each of the five regions, 24 bits each;
/// * one for each region: the number of components in the lower half of a byte, and the number of
///   blocks of each, 24 bits;
/// * the components of each region: a block with the number of blocks of its table, 16 bits, and of
///   its data, 24 bits, 0x40, the number of bands in two bits of a byte, the number of chunks, 16
///   bits, and 0x10; the table, for each chunk its bytes, 16 bits, and the quantization of each
///   band, 4 bits; the chunks.
///
/// Source: published decoders, used as documentation only: rawspeed's SonyArw6Decompressor,
/// LibRaw's sony_arw6. Any other structure is rejected.
struct SonyARW6Header: Sendable {
  /// A tile of the mosaic.
  struct Tile: Sendable {
    let area: PixelRect
    let geometry: SonyARW6Geometry
    /// The components of each region.
    let regions: [[Component]]
  }

  /// The bytes of one component of one region.
  struct Component: Sendable {
    var chunks: [Chunk] = []
  }

  /// Rows of the bands that are coded together.
  struct Chunk: Sendable {
    /// Offset in the file.
    let offset: Int
    /// 0 if all rows are 0.
    let bytes: Int
    /// Bits by which the coefficients of each band were shifted.
    let shifts: SIMD4<UInt8>
  }

  private static let block = 16
  private static let maxTiles = 64

  let tiles: [Tile]

  /// The headers of the strip of `bytes` bytes at `start` for a mosaic of `size`; nil if they
  /// differ from the description above.
  init?(_ file: FileBytes, at start: Int, _ bytes: Int, mosaic size: PixelSize) {
    guard file.holds(start, bytes),
      let count = file.integer(UInt32.self, at: start, bigEndian: false).map(Int.init),
      (1...Self.maxTiles).contains(count)
    else { return nil }
    var positions: [(offset: Int, area: PixelRect)] = []
    for index in 0..<count {
      let entry = start + 8 + 24 * index
      let fields = (0..<4).compactMap {
        file.integer(UInt32.self, at: entry + 8 + 4 * $0, bigEndian: false).map(Int.init)
      }
      guard fields.count == 4,
        let offset = file.integer(UInt64.self, at: entry, bigEndian: false)
          .flatMap({ Int(exactly: $0) })
      else { return nil }
      let area = PixelRect(x: fields[0], y: fields[1], width: fields[2], height: fields[3])
      guard area.x % 2 == 0, area.y % 2 == 0, PixelRect(size).contains(area),
        positions.allSatisfy({ $0.area.intersection(area).isEmpty }),
        offset > positions.last?.offset ?? 8 + 24 * count - 1, offset < bytes
      else { return nil }
      positions.append((offset, area))
    }
    guard positions.map(\.area.size.area).reduce(0, +) == size.area else { return nil }
    let ends = positions.dropFirst().map(\.offset) + [bytes]
    var tiles: [Tile] = []
    for (position, end) in zip(positions, ends) {
      guard let tile = Tile(file, start + position.offset..<start + end, position.area) else {
        return nil
      }
      tiles.append(tile)
    }
    self.tiles = tiles
  }
}

extension SonyARW6Header.Tile {
  private typealias Header = SonyARW6Header

  fileprivate init?(_ file: FileBytes, _ range: Range<Int>, _ area: PixelRect) {
    let (start, block) = (range.lowerBound, Header.block)
    func blocks(_ offset: Int) -> Int? {
      // 24 bits: the preceding byte belongs to another field.
      file.integer(UInt32.self, at: start + offset - 1, bigEndian: true)
        .map { Int($0 & 0xFF_FFFF) * block }
    }
    guard range.count >= 8 * block, file.matches("000", at: start + 1),
      let width = file.integer(UInt16.self, at: start + 8, bigEndian: true),
      let height = file.integer(UInt16.self, at: start + 10, bigEndian: true),
      let word = file.integer(UInt32.self, at: start + 12, bigEndian: true),
      area.size == PixelSize(width: Int(width), height: 2 * Int(height)),
      word >> 20 & 63 == 16, word >> 13 & 7 == 3, word >> 10 & 3 == 3,
      let geometry = SonyARW6Geometry(tile: area.size)
    else { return nil }
    var regions: [[SonyARW6Header.Component]] = []
    var position = start + 8 * block
    for index in 0..<5 {
      let region = geometry.region(index)
      let record = (3 + index) * block
      guard let total = blocks(block + 3 * index), range.upperBound - position >= total,
        let count = file.integer(UInt8.self, at: start + record, bigEndian: true),
        Int(count & 15) == region.components
      else { return nil }
      var components: [SonyARW6Header.Component] = []
      var next = position
      position += total
      for component in 0..<region.components {
        guard let length = blocks(record + 1 + 3 * component), position - next >= length,
          let read = SonyARW6Header.Component(
            file, next..<next + length, bands: region.bands.count, chunks: geometry.chunks)
        else { return nil }
        components.append(read)
        next += length
      }
      regions.append(components)
    }
    (self.area, self.geometry, self.regions) = (area, geometry, regions)
  }
}

extension SonyARW6Header.Component {
  fileprivate init?(_ file: FileBytes, _ range: Range<Int>, bands: Int, chunks count: Int) {
    let block = SonyARW6Header.block
    let start = range.lowerBound
    guard range.count >= block, let header = file.bytes(start, block), header[5] == 0x40,
      header[6] == UInt8(bands << 6), header[9] == 0x10
    else { return nil }
    let table = (Int(header[0]) << 8 | Int(header[1])) * block
    let stored = Int(header[7]) << 8 | Int(header[8])
    let bits = 16 + 4 * bands
    guard stored >= count, table == (stored * bits + 8 * block - 1) / (8 * block) * block,
      range.count >= block + table
    else { return nil }
    var offset = start + block + table
    for index in 0..<stored {
      // At most 28 bits, starting at a half byte.
      let bit = index * bits
      guard
        let word = file.integer(UInt32.self, at: start + block + bit / 8, bigEndian: true)
      else { return nil }
      let fields = word << UInt32(bit % 8)
      let bytes = Int(fields >> 16)
      guard range.upperBound - offset >= bytes else { return nil }
      if index < count {
        chunks.append(
          SonyARW6Header.Chunk(
            offset: offset, bytes: bytes,
            shifts: SIMD4(
              truncatingIfNeeded: SIMD4(repeating: fields) &>> SIMD4(12, 8, 4, 0) & 15)))
      }
      offset += bytes
    }
  }
}
