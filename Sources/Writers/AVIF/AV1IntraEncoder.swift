import CIntraCoding
import Codecs
import Containers
import Formats
import Foundation
import ImageCore

/// Codes the tiles of a picture in AV1, which decode independently, and joins them to a still
/// picture. The bits depend on the settings and the pixels only. One thread at a time. Working
/// memory: 2 bytes for each sample of a tile, 80 KB, and what a coded tile takes.
///
/// Source: AV1 bitstream and decoding process specification, version 1.0.0 with errata 1. Blocks of
/// 8, 16 and 32 pixels, each with one transform for each component; smooth, DC, horizontal and
/// vertical prediction, chosen with the sizes in the source by Hadamard coefficients
/// (AV1Analysis.h); sine transforms where prediction continues the neighbors; constant quantizer,
/// and coefficients rounded by their cost in bits under adapted probabilities (AV1Contexts.h);
/// filters of the decoder at lower quality. Why, and what it costs:
/// Docs/decisions/0023-av1-coder.md.
///
/// Known limits: no oblique prediction, so slanted edges take more bits; noise at high quality is
/// coded as it is.
@safe final class AV1IntraEncoder: PartEncoder {
  /// Parameters of the encoder.
  struct Settings: Sendable {
    var tiles: AV1TileLayout
    /// 8, 10 or 12.
    var bits: Int
    var chroma: ChromaFormat
    /// base_q_idx, 1…255.
    var quantizer: Int
    var color: HEIFProperty.CodePoints
    /// chroma_sample_position: 0 unknown, 1 left, 2 top left.
    var chromaPosition: UInt8
    /// Whether decoders smooth the edges of blocks, and what runs along edges.
    var filters = true
  }

  private let settings: Settings
  private let headers: AV1StillHeaders
  private let memory: IntraWorkspace
  private let state: UnsafeMutableRawPointer

  init(_ settings: Settings) throws(WriteError) {
    guard [8, 10, 12].contains(settings.bits), (1...255).contains(settings.quantizer) else {
      throw WriteError(
        .encoderFailed,
        "pictures of \(settings.bits) bits cannot be coded in AV1 with the quantizer "
          + "\(settings.quantizer)")
    }
    self.settings = settings
    headers = AV1StillHeaders(
      tiles: settings.tiles, bits: settings.bits, chromaFormat: Int(settings.chroma.rawValue),
      quantizer: settings.quantizer, color: settings.color,
      chromaPosition: Int(settings.chromaPosition),
      filters: settings.filters ? settings.usualFilters : .init())
    memory = try WriteError.translating { () throws(PixelError) in
      try IntraWorkspace(
        settings.tiles.tile, settings.chroma, rows: 64, sampleBytes: Int(ck_av1SampleBytes))
    }
    unsafe state = .allocate(byteCount: Int(ck_av1StateBytes()), alignment: 64)
  }

  deinit { unsafe state.deallocate() }

  func record(tile: [UInt8]) throws(WriteError) -> [UInt8] {
    guard
      let record = AV1Configuration.record(
        headers.item([]), bits: settings.bits, chromaFormat: settings.chroma.rawValue,
        position: settings.chromaPosition)
    else { throw WriteError(.encoderFailed, "the sequence header is too short") }
    return record
  }

  /// A picture of one tile.
  func encode(_ codes: YCbCrPlanes) throws(WriteError) -> [UInt8] {
    precondition(settings.tiles.count == 1, "a picture of several tiles")
    return join([try encode(codes, part: 0)])
  }

  func join(_ parts: [[UInt8]]) -> [UInt8] { headers.item(parts) }

  /// The tile `part` of the picture, whose code values fill `codes`.
  func encode(_ codes: YCbCrPlanes, part: Int) throws(WriteError) -> [UInt8] {
    let layout = settings.tiles
    precondition(codes.size == layout.tile, "a tile of another size")
    var tile = unsafe tile(codes, size: layout.size(part))
    unsafe ck_av1Begin(&tile)
    for y in stride(from: 0, to: unsafe Int(tile.height), by: 64) {
      unsafe memory.makeRoom(&tile.out)
      unsafe ck_av1Row(&tile, Int64(y))
    }
    unsafe memory.makeRoom(&tile.out)
    unsafe ck_av1End(&tile)
    return unsafe Array(memory.bytes(to: tile.out))
  }

  /// The decoder's samples of the last coded tile, before its filters: consecutive rows of `plane`.
  func decoded(plane: Int) -> [UInt16] { memory.decoded(plane: plane) }

  /// `size`: samples of the picture in the tile.
  private func tile(_ codes: YCbCrPlanes, size: PixelSize) -> ck_av1Tile {
    var tile = unsafe ck_av1Tile()
    unsafe (tile.width, tile.height) = (
      Int32((size.width + 7) & ~7), Int32((size.height + 7) & ~7)
    )
    unsafe tile.planeCount = Int32(memory.planeCount)
    unsafe tile.chromaShift = settings.chroma == .yuv420 ? 1 : 0
    unsafe tile.depth = Int32(settings.bits)
    // Code values of 8 bits are stored in the upper half of 16-bit words.
    unsafe tile.sourceShift = settings.bits == 8 ? 8 : 0
    unsafe tile.quantizer = Int32(settings.quantizer)
    unsafe tile.bitCost = Self.bitCost(settings)
    unsafe tile.state = OpaquePointer(state)
    unsafe tile.out = memory.start
    unsafe tile.planes.0 = plane(0, codes)
    if memory.planeCount > 1 {
      unsafe (tile.planes.1, tile.planes.2) = (plane(1, codes), plane(2, codes))
    }
    return unsafe tile
  }

  private func plane(_ index: Int, _ codes: YCbCrPlanes) -> ck_av1Plane {
    unsafe ck_av1Plane(
      source: codes.row(index, 0).start, sourceStride: Int64(codes.stride(index)),
      made: memory.samples(of: index), stride: Int64(memory.size(of: index).width))
  }

  /// Cost of a bit, as a sum of absolute Hadamard coefficients of at most 10 bits: a fraction of
  /// the quantizer's step, which is in eighths.
  private static func bitCost(_ settings: Settings) -> Float {
    let step = ck_av1Quantizer(Int32(settings.bits), Int32(settings.quantizer), false)
    return 0.3 * Float(step) / (settings.bits == 12 ? 32 : 8)
  }
}

extension AV1IntraEncoder.Settings {
  init(_ coding: TileCoding, tiles: AV1TileLayout) {
    self.init(
      tiles: tiles, bits: coding.bits, chroma: coding.chroma, quantizer: coding.quantizer,
      color: coding.color, chromaPosition: coding.chromaPosition)
  }

  /// No filters at high quality, where they remove detail; below it, the values with the largest
  /// gain on photographs.
  var usualFilters: AV1StillHeaders.Filters {
    var filters = AV1StillHeaders.Filters()
    guard quantizer >= 40 else { return filters }
    filters.deblocking = min(quantizer / 8, 10)
    filters.enhancement = 1
    return filters
  }
}
