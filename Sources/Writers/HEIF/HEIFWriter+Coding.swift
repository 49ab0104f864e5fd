import Codecs
import Containers
import Formats
import HDRRender
import ImageCore

extension HEIFWriter {
  /// PQ or HLG.
  var isHDR: Bool { settings.space.isHDR }
  /// Whether coded pictures have one channel.
  private var hasOneChannel: Bool {
    isGray && settings.container == .avif && !isHDR && space.profile == nil
  }
  /// The requested chroma format.
  var chromaFormat: ChromaFormat { hasOneChannel ? .monochrome : settings.chroma.format }
  /// Channels of a coded picture, and their bits.
  var depth: HEIFProperty { .depth(settings.bits, channels: hasOneChannel ? 1 : 3) }

  /// Always full range; the matrix is BT.2020's for its primaries, else BT.601's, as cameras and
  /// phones write it.
  var codePoints: HEIFProperty.CodePoints {
    HEIFProperty.CodePoints(space.codePoints)
  }

  /// Properties that declare the meaning of code values. Every reader knows the code points of the
  /// sRGB curve; a profile describes the other SDR spaces, and, as in files of phones, the base
  /// of a gain map. So does one with gains for other displays, beside the code points.
  func color(
    isBase: Bool = false, adaptiveGainCurve: [UInt8]? = nil
  ) throws(WriteError) -> [HEIFProperty] {
    if isHDR, let curve = adaptiveGainCurve {
      let profile = try space.iccProfile(isGray: hasOneChannel, adaptiveGainCurve: curve)
      return [.profile(profile), .codePoints(codePoints)]
    }
    let isPlain = isHDR || space.codePoints.transfer == DynamicRangeMix.Transfer.standard.codePoint
    if isHDR || isPlain && !isBase { return [.codePoints(codePoints)] }
    return [.profile(try space.iccProfile(isGray: hasOneChannel)), .codePoints(codePoints)]
  }

  /// Throws when a picture is not in the primaries that the file holds.
  func check(_ info: DisplayReferred.Info) throws(WriteError) {
    try WriteError.check(info, in: space.primaries, of: codec.name)
  }

  /// From linear values to the coded data of a picture of this size and headroom.
  func coding(_ size: PixelSize, headroom: Float) -> TileCoding {
    let chroma = TileGrid.chroma(chromaFormat, of: size, codec, settings.tiles)
    let encoding = PictureEncoding(
      signal: space.signal, toneMapping: space.colorSpace.toneMapping(headroom: headroom),
      conversion: YCbCrConversion(matrix: codePoints.lumaMatrix, bits: settings.bits),
      siting: chroma != .yuv420 ? nil : isHDR ? .topLeft : .left)
    return TileCoding(
      codec: codec, tiles: settings.tiles, encoding: encoding, bits: settings.bits, chroma: chroma,
      quantizer: codec.quantizer(quality: Double(settings.codedQuality)), color: codePoints)
  }

  /// Content light levels and mastering display of an HDR picture: HLG's display of 1000 cd/m², or
  /// for PQ one that reaches the picture's rendered headroom, at least reference white. Nothing for
  /// SDR.
  func hdrMetadata(_ statistics: ContentLightStatistics, headroom: Float) -> HDRMetadata {
    guard isHDR else { return HDRMetadata() }
    let rendered = max(Double(headroom), 1) * ReferenceWhite.nits
    let peak =
      settings.transfer == .hlg ? HLG.peakNits : min(rendered.rounded(), PQ.peakNits)
    return HDRMetadata(statistics, peakNits: peak)
  }
}
