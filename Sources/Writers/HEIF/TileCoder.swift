import ImageCore

/// How tiles are coded: from the numbers of a picture to codes, and from these to bits.
struct TileCoding: Sendable {
  let encoding: PictureEncoding
  let bits: Int
  let chroma: ChromaFormat
  /// 0…51.
  let quantiser: Int
  let color: ColorCode
}

/// One worker's way from a rectangle of the picture to coded bytes, with its memory and encoder.
final class TileCoder: @unchecked Sendable {
  private let encoding: PictureEncoding
  private let encoder: HEVCEncoder
  private let wide: PlanarBuffer
  private let light: PlanarBuffer
  private let scratch: PlanarBuffer
  private let codes: CodePlanes

  /// The parameter sets of the encoder.
  var parameterSets: [[UInt8]] { encoder.parameterSets }

  /// For tiles of `tile` coded pixels.
  init(_ coding: TileCoding, tile: PixelSize) throws(WriteError) {
    encoding = coding.encoding
    encoder = try HEVCEncoder(
      HEVCEncoder.Settings(
        size: tile, bits: coding.bits, chroma: coding.chroma, quantiser: coding.quantiser,
        color: coding.color, chromaLocation: encoding.siting?.code ?? 0))
    light = PlanarBuffer(size: PixelSize(width: tile.width + 1, height: tile.height + 1))
    wide = PlanarBuffer(size: PixelSize(width: 0, height: 0))
    scratch = PlanarBuffer(size: PixelSize(width: tile.width, height: 1))
    codes = CodePlanes(size: tile, chroma: coding.chroma)
  }

  /// The coded tiles that show `rects`, side by side in the picture.
  func encode(
    _ picture: some PixelSource, rects: [PixelRect]
  ) throws(WriteError) -> [(bytes: [UInt8], statistics: LightStatistics)] {
    guard let first = rects.first, let last = rects.last else { return [] }
    let whole = encoding.source(
      of: PixelRect(x: first.x, y: first.y, width: last.endX - first.x, height: first.height))
    picture.read(whole, into: wide)
    var tiles: [(bytes: [UInt8], statistics: LightStatistics)] = []
    for rect in rects {
      light.copy(
        encoding.source(of: rect), of: wide, from: PixelPoint(x: whole.x, y: whole.y))
      let statistics = encoding.encode(light, rect: rect, scratch: scratch, into: codes)
      tiles.append((try encoder.encode(codes), statistics))
    }
    return tiles
  }
}
