public import HDRRender
public import ImageCore

/// How a still is encoded, every choice explicit: start from a ``template(_:source:container:)``,
/// change what should differ, and pass it to a `StillExporter`, which refuses settings that
/// contradict each other.
public struct EncoderSettings: Sendable, Hashable {
  /// What matters in choosing a format, where no format is named.
  public enum Preference: String, Sendable, Hashable, CaseIterable {
    /// A small file with invisible losses.
    case compact
    /// Every code value preserved.
    case lossless
  }

  /// The kind of file.
  public var container: Container
  /// PQ, HLG or SDR.
  public var transfer: DynamicRangeMix.Transfer
  /// Primaries of the samples.
  public var primaries: Primaries
  /// Bits of a sample: 8 or 10 of a HEIF, of an AVIF in HDR 10 or 12, 8 of a JPEG, 8 or 16
  /// of a PNG, 16 of a JPEG XL; of a TIFF 8, 16, or 32 for unbounded linear floats, which those of
  /// OpenEXR, NPY and planes are in 16 and 32 bits.
  public var bits: Int
  /// HEIF, AVIF and JPEG: chroma subsampling.
  public var chroma: ChromaSubsampling
  /// HEIF, AVIF, JPEG, JPEG XL: 0…1, where 1 makes a JPEG XL lossless; nil for the writer's
  /// default.
  public var quality: Double?
  /// Maximum length of the longer side in pixels; nil for full size.
  public var maximumSide: Int?
  /// Whether an SDR picture carries a gain map to its HDR rendition, or in a HEIF, AVIF or JPEG XL
  /// an HDR picture one to its standard rendition. HEIF, AVIF, JPEG and JPEG XL.
  public var hasGainMap: Bool
  /// One channel or three for a gain map that is made.
  public var mapKind = GainMapCreation.Kind.luminance
  /// Resolution of a gain map that is made.
  public var mapScale = GainMapCreation.Scale.half
  /// HEIF and AVIF: one coded picture or tiles.
  public var tiles = TileLayout.auto
  /// HEIF and AVIF: longer side of the embedded thumbnail, 16…1024; nil for none.
  public var thumbnail: Int?
  /// 16-bit TIFF in SDR and BT.2020, Display P3 or sRGB: whether code values are linear.
  public var isLinear = false
  /// TIFF: whether samples of 16 bits are floats.
  public var isHalf = false
  /// SDR without a gain map: the device whose samples are written, instead of those of
  /// ``primaries``, which are then those of ProPhoto RGB.
  public var profile: OutputProfile?
  /// TIFF: compression of the strips.
  public var compression = TIFFCompression.deflate(level: 1)
  /// OpenEXR: compression of the chunks.
  public var exrCompression = EXRCompression.zip
  /// OpenEXR: level of DWAA and DWAB.
  public var exrLevel = EXRCompression.defaultLevel
  /// OpenEXR: side of the tiles in pixels; nil for scan lines.
  public var exrTileSize: Int?
  /// Whether the picture is scene-referred, 1.0 for signal 1. HLG only; the file cannot signal it.
  public var isSceneReferred: Bool
  /// Name of one of `EncoderCapability.all`; nil for the only one.
  public var encoder: String?

  /// Settings for `container`; the others are at their defaults.
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

  /// Settings for `preset`; what it leaves open follows from the source. A JPEG holds HDR as a gain
  /// map. A source whose gain map is preserved gets one where the container holds one, else its HDR
  /// rendition in PQ.
  public static func template(
    _ preset: ExportPreset, source: PictureFormat, container: Container = .heif
  ) -> EncoderSettings {
    let descriptor = container.descriptor
    var range = preset.dynamicRange(of: source.dynamicRange).transfer
    var hasGainMap = preset == .preserve && source.hasGainMap && descriptor.holdsGainMap
    if preset == .preserve, source.hasGainMap, range == .standard, !hasGainMap { range = .pq }
    if descriptor.hdrBits.isEmpty, range != .standard {
      (range, hasGainMap) = (.standard, descriptor.holdsGainMap)
    }
    if hasGainMap { range = .standard }
    let isHDR = range != .standard
    let bits = isHDR || descriptor.sdrBits.isEmpty ? descriptor.bits(range) : descriptor.sdrBits
    let takesMost = !isHDR && source.bitDepth > 8 && !hasGainMap
    return EncoderSettings(
      container: container, transfer: range,
      primaries: isHDR ? .bt2020 : source.primaries == .srgb ? .srgb : .displayP3,
      bits: bits[takesMost ? bits.count - 1 : 0],
      hasGainMap: hasGainMap)
  }

  /// The simplest settings that preserve the dynamic range of `format`: HDR of any kind, gain maps
  /// applied, in 10-bit HEIF or 16-bit PNG, SDR in its own depth.
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

  /// Whether the default kind of gain map is wanted, which an existing one can serve as.
  package var hasDefaultMap: Bool {
    hasGainMap && transfer == .standard && mapKind == .luminance && mapScale == .half
  }

  /// MatrixCoefficients of ITU-T H.273 in the file; 0 for RGB, and of a JPEG always BT.601.
  public var matrixCode: UInt16 {
    !container.descriptor.isYCbCr ? 0 : primaries == .bt2020 && container != .jpeg ? 9 : 6
  }

  /// Whether samples are floating point: linear, unbounded.
  public var isFloat: Bool {
    transfer == .standard && (bits == 32 || isHalf || container.descriptor.holdsOnlyFloats)
  }

  /// What becomes of colors of a finished picture outside the primaries: floats hold them.
  package var outsidePrimaries: PrimariesConversion.Outside { isFloat ? .kept : .surface }

  /// Bits of floating-point samples.
  package var floatDepth: FloatDepth { bits == 16 ? .half : .float }

  /// Primaries and transfer function of the code values.
  public var colorSpace: ColorSpace {
    if isFloat || isLinear { return ColorSpace(linear: primaries) }
    return switch primaries {
    case .srgb: .sRGB
    case .displayP3: .displayP3
    case .adobeRGB: .adobeRGB
    case .proPhoto: .proPhoto
    case .bt2020: ColorSpace(transfer, standard: .bt2020)
    case .acesAP0, .acesAP1, .camera: ColorSpace(linear: primaries)
    }
  }

  /// Headroom of the coded picture, a ratio to reference white.
  public var headroom: Double {
    switch transfer {
    case .standard: isFloat ? .infinity : 1
    case .pq: Double(ReferenceWhite.pqHeadroom)
    case .hlg: Double(ReferenceWhite.hlgHeadroom)
    }
  }
}
