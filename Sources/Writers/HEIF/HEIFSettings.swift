import Codecs
import Containers
public import Formats
public import HDRRender
import ImageCore

extension HEIFWriter {
  /// How a picture is coded in a HEIF or AVIF. Made by
  /// ``hevc(_:in:bits:chroma:quality:thumbnail:tiles:)`` or
  /// ``av1(_:in:bits:chroma:quality:speed:thumbnail:tiles:isGray:)``.
  public struct Settings: Sendable {
    let codec: any StillCodec
    /// PQ or HLG in BT.2020, or SDR.
    public let transfer: DynamicRangeMix.Transfer
    /// What code values mean: BT.2100, or in SDR any space.
    public let space: SampleSpace
    /// Bits of a sample.
    public let bits: Int
    /// Chroma samples for each luma sample.
    public let chroma: ChromaSubsampling
    /// 0 (smallest file) to 1 (quantizer steps of about two 10-bit code values).
    public let quality: Double
    /// Longer side of the embedded thumbnail; nil for none.
    public let thumbnail: Int?
    /// One coded picture or tiles.
    public let tiles: TileLayout
    /// Whether pictures have one channel: of an AVIF in SDR whose three are alike.
    public internal(set) var isGray = false

    /// The quality that keeps luma within 49 dB of the picture, noise included.
    public static let defaultQuality = 0.75

    /// Throws when quality is outside 0…1, a thumbnail outside 16…1024, or the bits are none of
    /// the container's; nil takes its usual depth.
    package init(
      codec: any StillCodec, _ transfer: DynamicRangeMix.Transfer, in standard: SampleSpace,
      bits: Int?, chroma: ChromaSubsampling, quality: Double, thumbnail: Int?, tiles: TileLayout
    ) throws(WriteError) {
      let depths = codec.container.descriptor.bits(transfer)
      (self.codec, self.transfer, self.bits) = (codec, transfer, bits ?? depths[0])
      (self.chroma, self.quality, self.thumbnail) = (chroma, quality, thumbnail)
      space = transfer == .standard ? standard : SampleSpace(ColorSpace(transfer))
      self.tiles = tiles
      try WriteError.check(quality: quality, of: codec.name, usual: Self.defaultQuality)
      guard depths.contains(self.bits) else {
        let wanted = depths.map(String.init).joined(separator: " or ")
        throw WriteError(
          .badSetting,
          "an \(isHDR ? "HDR" : "SDR") \(codec.name) has \(wanted) bits, not \(self.bits)")
      }
      if let thumbnail, !(16...1024).contains(thumbnail) {
        throw WriteError(
          .badSetting, "a thumbnail of \(thumbnail) pixels is outside 16…1024; 320 is usual")
      }
    }

    /// AVIF. `standard`: the space in SDR. `bits`: 10 or 12 in PQ and HLG, 8 or 10 in SDR, the
    /// first of each by default. Below 1, `quality` keeps luma as near to the picture as in a HEIF
    /// of this quality, in 10–20 % fewer bytes. A grid of odd size keeps all of its chroma: readers
    /// refuse it otherwise. With a `speed`, 0…9, libaom codes the picture: at 7 in ten times the
    /// time and 5 % fewer bytes, at 6 in twice that and 3–5 % fewer again. It also does, at 7,
    /// below a quality of 0.7, where files are wanted small. `isGray` says that the picture's three
    /// channels are alike: in SDR, and not for the device of a profile, the file has one. HEVC
    /// keeps three: its profiles that every device decodes are for 4:2:0 alone. Throws for a
    /// setting outside its range.
    public static func av1(
      _ transfer: DynamicRangeMix.Transfer, in standard: SampleSpace = .displayP3,
      bits: Int? = nil, chroma: ChromaSubsampling = .yuv420, quality: Double = defaultQuality,
      speed: Int? = nil, thumbnail: Int? = nil, tiles: TileLayout = .auto, isGray: Bool = false
    ) throws(WriteError) -> Self {
      if let speed, !(0...9).contains(speed) {
        throw WriteError(.badSetting, "AVIF speed \(speed) is outside 0…9; 7 is usual")
      }
      let speed = speed ?? (quality < AV1StillCodec.leastQuality ? 7 : nil)
      var settings = try Self(
        codec: speed.map { AOMStillCodec(speed: $0) } ?? AV1StillCodec(), transfer, in: standard,
        bits: bits, chroma: chroma, quality: quality, thumbnail: thumbnail, tiles: tiles)
      settings.isGray = isGray && transfer == .standard && standard.profile == nil
      return settings
    }
  }
}

extension HEIFWriter.Settings {
  var isHDR: Bool { transfer != .standard }
  /// The chroma that is asked for.
  var chromaFormat: ChromaFormat { isGray ? .monochrome : chroma.format }
  /// Channels of a coded picture, and their bits.
  var depth: HEIFProperty { .depth(bits, channels: isGray ? 1 : 3) }

  package var colorSpace: ColorSpace { space.colorSpace }

  /// Always full range; the matrix is that of BT.2020 for its primaries, else that of BT.601, as
  /// cameras and phones write it.
  var codePoints: HEIFProperty.CodePoints {
    HEIFProperty.CodePoints(space.codePoints)
  }

  /// Properties that say what code values mean. Every reader knows the code points of sRGB's curve;
  /// a profile describes the other spaces of SDR, and, as in files of phones, the base of a gain
  /// map. So does one with gains for other displays, beside the code points.
  func color(
    isBase: Bool = false, adaptiveGainCurve: [UInt8]? = nil
  ) throws(WriteError) -> [HEIFProperty] {
    if isHDR, let curve = adaptiveGainCurve {
      let profile = try space.iccProfile(isGray: isGray, adaptiveGainCurve: curve)
      return [.profile(profile), .codePoints(codePoints)]
    }
    let isPlain = isHDR || space.codePoints.transfer == DynamicRangeMix.Transfer.standard.codePoint
    if isHDR || isPlain && !isBase { return [.codePoints(codePoints)] }
    return [.profile(try space.iccProfile(isGray: isGray)), .codePoints(codePoints)]
  }

  /// Throws when a picture is not in the primaries that the file holds.
  func check(_ info: DisplayReferred.Info) throws(WriteError) {
    try WriteError.check(info, in: colorSpace.primaries, of: codec.name)
  }

  /// From linear values to the coded data of a picture of this size and headroom.
  func coding(_ size: PixelSize, headroom: Float) -> TileCoding {
    let chroma = TileGrid.chroma(chromaFormat, of: size, codec, tiles)
    let encoding = PictureEncoding(
      signal: space.signal, toneMapping: colorSpace.toneMapping(headroom: headroom),
      conversion: YCbCrConversion(matrix: codePoints.lumaMatrix, bits: bits),
      siting: chroma != .yuv420 ? nil : isHDR ? .topLeft : .left)
    return TileCoding(
      codec: codec, tiles: tiles, encoding: encoding, bits: bits, chroma: chroma,
      quantizer: codec.quantizer(quality: quality), color: codePoints)
  }

  /// Light levels and mastering display of an HDR picture: HLG's own display of 1000 cd/m², or for
  /// PQ one that reaches the headroom that the picture was rendered to, at least reference white.
  /// Nothing for SDR.
  func light(_ statistics: ContentLightStatistics, headroom: Float) -> HDRMetadata {
    guard isHDR else { return HDRMetadata() }
    let rendered = max(Double(headroom), 1) * ReferenceWhite.nits
    let peak = transfer == .hlg ? HLG.peakNits : min(rendered.rounded(), PQ.peakNits)
    return HDRMetadata(statistics, peakNits: peak)
  }
}
