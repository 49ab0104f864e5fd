import ImageCore

/// The headers of a still picture of one key frame (AV1 bitstream specification 5.5, 5.9 to 5.11)
/// in tiles of one size: blocks of 8 to 64 samples with transforms of their own size, adaptive
/// distributions, none of the tools that a still can do without.
package struct AV1StillHeaders: Sendable {
  /// How decoders filter what was coded.
  package struct Filters: Sendable {
    /// Level of the deblocking of all planes, 0…63.
    package var deblocking = 0
    /// Strength of the directional enhancement along edges, 0…15.
    package var enhancement = 0

    package init() {}
  }

  private let tiles: AV1TileLayout
  private let bits: Int
  /// chroma_format_idc of HEVC: 0, 1 or 3.
  private let chromaFormat: Int
  /// base_q_idx.
  private let quantizer: Int
  private let color: HEIFProperty.CodePoints
  /// chroma_sample_position.
  private let chromaPosition: Int
  private let filters: Filters

  package init(
    tiles: AV1TileLayout, bits: Int, chromaFormat: Int, quantizer: Int,
    color: HEIFProperty.CodePoints, chromaPosition: Int, filters: Filters
  ) {
    (self.tiles, self.bits, self.chromaFormat) = (tiles, bits, chromaFormat)
    (self.quantizer, self.color) = (quantizer, color)
    (self.chromaPosition, self.filters) = (chromaPosition, filters)
  }

  /// Main, High or Professional.
  private var profile: Int { bits == 12 ? 2 : chromaFormat == 3 ? 1 : 0 }
  private var isGray: Bool { chromaFormat == 0 }

  /// The data of an item: the sequence header, and the frame with the coded `tiles`, row by row.
  package func item(_ coded: [[UInt8]]) -> [UInt8] {
    let longest = coded.dropLast().map(\.count).max() ?? 1
    let sizes = max((AV1TileLayout.log2(longest) + 7) / 8, 1)
    var payload = frame(sizeBytes: sizes)
    payload.reserveCapacity(payload.count + coded.reduce(0) { $0 + $1.count + sizes })
    for (index, tile) in coded.enumerated() {
      for byte in 0..<(index < coded.count - 1 ? sizes : 0) {
        payload.append(UInt8(truncatingIfNeeded: (tile.count - 1) >> (8 * byte)))
      }
      payload += tile
    }
    return Self.unit(AV1Unit.sequenceHeader, sequence) + Self.unit(AV1Unit.frame, payload)
  }

  /// A unit with its length.
  static func unit(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
    var head = [UInt8(type << 3 | 2)]
    var length = payload.count
    repeat {
      head.append(UInt8(length & 127 | (length > 127 ? 128 : 0)))
      length >>= 7
    } while length > 0
    return head + payload
  }

  private var sequence: [UInt8] {
    var writer = BitWriter()
    writer.bits(3, profile)
    writer.bits(2, 0b11)  // a still picture with a reduced header
    writer.bits(5, tiles.level)
    let sides = [tiles.picture.width, tiles.picture.height]
    let lengths = sides.map { max(AV1TileLayout.log2($0), 1) }
    for length in lengths { writer.bits(4, length - 1) }
    for (side, length) in zip(sides, lengths) { writer.bits(length, side - 1) }
    // Superblocks of 64, no filters of prediction, one resolution.
    writer.bits(4, 0)
    writer.bit(filters.enhancement > 0)
    writer.bit(false)  // no restoration
    writer.bit(bits > 8)
    if profile == 2 { writer.bit(true) }
    if profile != 1 { writer.bit(isGray) }
    writer.bit(true)
    for value in [color.primaries, color.transfer, color.matrix] { writer.bits(8, Int(value)) }
    writer.bit(color.isFullRange)
    if !isGray {
      if profile == 2 { writer.bits(chromaFormat == 1 ? 2 : 1, chromaFormat == 1 ? 0b11 : 0) }
      if chromaFormat == 1 { writer.bits(2, chromaPosition) }
      writer.bit(false)  // Cb and Cr share their quantizers
    }
    writer.bit(false)  // no film grain
    writer.stop()
    return writer.bytes
  }

  private func frame(sizeBytes: Int) -> [UInt8] {
    var writer = BitWriter()
    // Distributions adapt; no screen content tools; the size is that of the sequence.
    writer.bits(3, 0)
    putTiles(&writer, sizeBytes: sizeBytes)
    writer.bits(8, quantizer)
    // The same quantizer for all coefficients and planes; no matrices, segments, changes of it.
    writer.bits((isGray ? 1 : 3) + 3, 0)
    // Edges between columns and between rows, then Cb and Cr.
    let filtersChroma = !isGray && filters.deblocking > 0
    for _ in 0..<(filtersChroma ? 4 : 2) { writer.bits(6, filters.deblocking) }
    writer.bits(4, 0)  // sharpness; levels are the same for all modes
    if filters.enhancement > 0 {
      writer.bits(4, 0)  // damping 3, the same strengths everywhere
      for _ in 0..<(isGray ? 1 : 2) { writer.bits(6, filters.enhancement << 2) }
    }
    writer.bits(2, 0b01)  // transforms as large as blocks; few types of them
    writer.fill()
    if tiles.count > 1 {
      writer.bit(false)  // all tiles are in this unit
      writer.fill()
    }
    return writer.bytes
  }

  /// tile_info (5.9.15).
  private func putTiles(_ writer: inout BitWriter, sizeBytes: Int) {
    writer.bit(false)  // sizes are explicit
    for (count, part, limit) in tiles.lengths {
      var rest = count
      while rest > 0 {
        writer.uniform(min(part, rest) - 1, of: min(rest, limit))
        rest -= part
      }
    }
    let bits = AV1TileLayout.log2(tiles.columns) + AV1TileLayout.log2(tiles.rows)
    guard bits > 0 else { return }
    writer.bits(bits, 0)  // the tile whose distributions the next picture would inherit
    writer.bits(2, sizeBytes - 1)
  }
}
