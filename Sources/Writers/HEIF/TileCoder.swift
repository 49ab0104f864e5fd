import ImageCore

/// One worker's way from a rectangle of the picture to coded bytes, with its memory and encoder.
final class TileCoder: @unchecked Sendable {
  private let encoding: PictureEncoding
  private let encoder: HEVCEncoder
  private let light: PlanarBuffer
  private let scratch: PlanarBuffer
  private let codes: CodePlanes

  /// The parameter sets of the encoder.
  var parameterSets: [[UInt8]] { encoder.parameterSets }

  /// For tiles of `tile` coded pixels.
  init(_ encoding: PictureEncoding, _ settings: HEIFWriter.Settings, tile: PixelSize)
    throws(WriteError)
  {
    self.encoding = encoding
    encoder = try HEVCEncoder(
      HEVCEncoder.Settings(
        size: tile, bits: settings.bits, chroma: settings.chroma, quantiser: settings.quantiser,
        color: settings.color, chromaLocation: encoding.siting?.code ?? 0))
    light = PlanarBuffer(size: PixelSize(width: tile.width + 1, height: tile.height + 1))
    scratch = PlanarBuffer(size: PixelSize(width: tile.width, height: 1))
    codes = CodePlanes(size: tile, chroma: settings.chroma)
  }

  /// The coded tile that shows `rect` of the picture.
  func encode(
    _ picture: some PixelSource<DisplayReferred>, rect: PixelRect
  ) throws(WriteError) -> (bytes: [UInt8], statistics: LightStatistics) {
    picture.read(encoding.source(of: rect), into: light)
    let statistics = encoding.encode(light, rect: rect, scratch: scratch, into: codes)
    return (try encoder.encode(codes), statistics)
  }
}
