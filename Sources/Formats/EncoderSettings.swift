public import HDRRender
public import ImageCore

/// How a still is coded, every choice spelled out: start from a ``template(_:source:container:)``,
/// change what is to be other, and give it to a `StillExporter`, which refuses what does not go
/// together.
public struct EncoderSettings: Sendable, Hashable {
  /// What a format is wanted for, where only that is known.
  public enum Preference: String, Sendable, Hashable, CaseIterable {
    /// A small file with losses that are not seen.
    case compact
    /// Every code as it is.
    case lossless
  }

  /// The kind of file.
  public var container: Container
  /// How light is coded.
  public var transfer: DynamicRangeMix.Transfer
  /// Red, green and blue.
  public var primaries: Primaries
  /// Bits of a sample: 8 or 10 of a HEIF, of an AVIF in high range 10 or 12, 8 of a JPEG, 8 or 16
  /// of a PNG, 16 of a JPEG XL; of a TIFF 16, or 32, which are floats of all light.
  public var bits: Int
  /// HEIF, AVIF and JPEG: color differences.
  public var chroma: ChromaSubsampling
  /// HEIF, AVIF, JPEG, JPEG XL: 0…1, where 1 is a JPEG XL without loss; nil for the writer's
  /// default.
  public var quality: Double?
  /// The most pixels of the longer side; nil for all.
  public var maximumSide: Int?
  /// Whether a standard picture carries a map to its high range, in a HEIF or AVIF also one of high
  /// range a map to its standard range. HEIF, AVIF and JPEG.
  public var hasGainMap: Bool
  /// What a gain map that is made says of color.
  public var mapKind = GainMapCreation.Kind.luminance
  /// How fine a gain map that is made is.
  public var mapScale = GainMapCreation.Scale.half
  /// HEIF and AVIF: longest side of a small version in the file, 16…1024; nil for none.
  public var thumbnail: Int?
  /// TIFF in BT.2020 and standard range: whether codes stand for light without a curve.
  public var isLinear = false
  /// TIFF: how it is packed.
  public var compression = TIFFCompression.deflate(level: 1)
  /// Whether the picture's light is that of the scene, 1.0 for signal 1. Hybrid log-gamma only; the
  /// file itself cannot say so.
  public var isSceneReferred: Bool
  /// One of `EncoderCapability.all` by name; nil for the one that there is.
  public var encoder: String?

  /// Settings, every one given or at its default.
  public init(
    container: Container, transfer: DynamicRangeMix.Transfer, primaries: Primaries, bits: Int,
    chroma: ChromaSubsampling = .yuv420, quality: Double? = nil, maximumSide: Int? = nil,
    hasGainMap: Bool = false, isSceneReferred: Bool = false, encoder: String? = nil
  ) {
    (self.container, self.transfer, self.primaries) = (container, transfer, primaries)
    (self.bits, self.chroma, self.quality) = (bits, chroma, quality)
    (self.maximumSide, self.hasGainMap) = (maximumSide, hasGainMap)
    (self.isSceneReferred, self.encoder) = (isSceneReferred, encoder)
  }

  /// What suits `preset`, and what it leaves open the source. A JPEG holds high range as a gain
  /// map. A source with a gain map that is preserved gets one where the container has a place, else
  /// its high range in PQ.
  public static func template(
    _ preset: ExportPreset, source: PictureFormat, container: Container = .heif
  ) -> EncoderSettings {
    let descriptor = container.descriptor
    var range = preset.dynamicRange(of: source.dynamicRange).transfer
    var hasGainMap = preset == .preserve && source.hasGainMap && descriptor.holdsGainMap
    if preset == .preserve, source.hasGainMap, range == .standard, !hasGainMap { range = .pq }
    if descriptor.highBits.isEmpty, range != .standard { (range, hasGainMap) = (.standard, true) }
    if hasGainMap { range = .standard }
    let isHDR = range != .standard
    let isSRGB = source.primaries == .srgb && descriptor.standardPrimaries.contains(.srgb)
    let bits =
      isHDR
      ? descriptor.highBits[0]
      : descriptor.standardBits[
        source.bitDepth > 8 && !hasGainMap ? descriptor.standardBits.count - 1 : 0]
    return EncoderSettings(
      container: container, transfer: range,
      primaries: isHDR ? .bt2020 : isSRGB ? .srgb : .displayP3, bits: bits,
      hasGainMap: hasGainMap)
  }

  /// What keeps a picture of `format` with the least ado: high range of any kind, gain maps opened,
  /// in ten-bit HEIF or 16-bit PNG, standard range in its own depth.
  public static func preferred(_ preference: Preference, for format: PictureFormat)
    -> EncoderSettings
  {
    var source = format
    if format.hasGainMap, format.dynamicRange.transfer == .standard {
      source.dynamicRange = .hdr10
    }
    source.hasGainMap = false
    return template(.preserve, source: source, container: preference == .compact ? .heif : .png)
  }

  /// Whether a gain map of the usual kind is wanted, for which one that is there can stand.
  package var hasUsualMap: Bool {
    hasGainMap && transfer == .standard && mapKind == .luminance && mapScale == .half
  }

  /// H.273 MatrixCoefficients of the file; 0 for red, green and blue.
  public var matrixCode: UInt16 {
    !container.descriptor.isYCbCr ? 0 : transfer == .standard ? 6 : 9
  }

  /// Primaries and transfer function of the code values.
  public var colorSpace: ColorSpace {
    switch primaries {
    case .srgb: .sRGB
    case .displayP3: .displayP3
    case .bt2020: ColorSpace(transfer, standard: isLinear ? .linearBT2020 : .bt2020)
    }
  }

  /// The brightest light that the file holds as coded, a ratio to reference white.
  public var headroom: Double {
    switch transfer {
    case .standard: bits == 32 ? .infinity : 1
    case .pq: Double(ReferenceWhite.pqHeadroom)
    case .hlg: Double(ReferenceWhite.hlgHeadroom)
    }
  }
}
