public import HDRRender
public import ImageCore

/// How a still is encoded: the value between a user's request and the coder's parameters, used by
/// all writers. Fields that are nil are resolved here, by the row of the container. Start from
/// ``init(_:_:bits:chroma:quality:maximumSide:hasGainMap:)`` or a
/// ``template(_:source:container:)``, change what should differ, and pass it to a `StillExporter`
/// or one of the writers, which check it once (``validate()``).
public struct EncoderSettings: Sendable, Hashable {
  /// The criterion for choosing a format, where none is given.
  public enum Preference: String, Sendable, Hashable, CaseIterable {
    /// A small file with invisible losses.
    case compact
    /// Every code value preserved.
    case lossless
  }

  /// The kind of file.
  public var container: Container
  /// What samples mean: BT.2100 for PQ and HLG, a linear space for floats.
  public var space: ColorSpace
  /// Bits of a sample: 8 or 10 of a HEIF, of an AVIF in HDR 10 or 12, 8 of a JPEG, 8 or 16 of a
  /// PNG, 16 of a JPEG XL; of a TIFF 8, 16, or 32 for unbounded linear floats; of OpenEXR, NPY and
  /// planes 16 or 32, all linear floats.
  public var bits: Int
  /// HEIF, AVIF and JPEG: chroma subsampling.
  public var chroma: ChromaSubsampling
  /// HEIF, AVIF, JPEG, JPEG XL: one of ``qualities``, where 1 makes a JPEG XL lossless; nil for the
  /// default of the container (``ContainerDescriptor/quality``).
  public var quality: Float?
  /// AVIF: speed of libaom, one of ``av1Speeds``, which then codes the picture: at 7 in ten times
  /// the time and 5 % fewer bytes, at 6 in twice that and 3–5 % fewer again; nil for the coder that
  /// suits the quality.
  public var av1Speed: Int?
  /// Maximum length of the longer side in pixels; nil for full size.
  public var maximumSide: Int?
  /// Whether an SDR picture carries a gain map to its HDR rendition, or in a HEIF, AVIF or JPEG XL
  /// an HDR picture one to its standard rendition. HEIF, AVIF, JPEG and JPEG XL.
  public var hasGainMap: Bool
  /// One channel or three for a gain map that is made.
  public var mapKind = GainMapCreation.Kind.luminance
  /// Resolution of a gain map that is made.
  public var mapScale = GainMapCreation.Scale.half
  /// HEIF, AVIF and JPEG: quality of a gain map; nil for the default of the container
  /// (``ContainerDescriptor/mapQuality``).
  public var mapQuality: Float?
  /// The formats in which a gain map is described, if the container supports them.
  public var mapFormats = Set<GainMapFormat>.all
  /// HEIF and AVIF: one coded picture or tiles.
  public var tiles = TileLayout.auto
  /// HEIF and AVIF: longer side of the embedded thumbnail, one of ``thumbnailSides``; nil for none.
  public var thumbnail: Int?
  /// TIFF: whether samples of 16 bits are floats.
  public var isHalf = false
  /// SDR without a gain map: the device whose samples are written, converted from ``space``, which
  /// is then ProPhoto RGB.
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
  public var isSceneReferred = false
  /// Name of one of `EncoderCapability.all`; nil for the only one.
  public var encoder: String?

  /// Qualities, from the smallest file to the best picture.
  public static let qualities: ClosedRange<Float> = 0...1
  /// Longer sides of an embedded thumbnail in pixels.
  public static let thumbnailSides = 16...1024
  /// Speeds of libaom.
  public static let av1Speeds = 0...9

  /// Settings for samples of `space` in `container`; the others are at their defaults. The default
  /// space is SDR in Display P3, for floats linear BT.2020; the default bits are the minimum of the
  /// container for the space's range, for an AVIF in HDR 10.
  public init(
    _ container: Container, _ space: ColorSpace? = nil, bits: Int? = nil,
    chroma: ChromaSubsampling = .yuv420, quality: Float? = nil, maximumSide: Int? = nil,
    hasGainMap: Bool = false
  ) {
    let descriptor = container.descriptor
    let space = space ?? (descriptor.holdsOnlyFloats ? .linearBT2020 : .displayP3)
    (self.container, self.space, self.chroma, self.quality) = (container, space, chroma, quality)
    self.bits = bits ?? descriptor.bits(space.transfer).first ?? 8
    (self.maximumSide, self.hasGainMap) = (maximumSide, hasGainMap)
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
    let takesMaxBits = !isHDR && source.bitDepth > 8 && !hasGainMap
    let standard: ColorSpace = source.primaries == .srgb ? .sRGB : .displayP3
    return EncoderSettings(
      container,
      descriptor.holdsOnlyFloats
        ? ColorSpace(linear: standard.primaries) : ColorSpace(range, standard: standard),
      bits: bits[takesMaxBits ? bits.count - 1 : 0], hasGainMap: hasGainMap)
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

  /// PQ, HLG or SDR.
  public var transfer: DynamicRangeMix.Transfer { space.transfer }
  /// Primaries of the samples.
  public var primaries: Primaries { space.primaries }

  /// The requested quality, or the container's default; 1 for lossless formats.
  public var codedQuality: Float { quality ?? container.descriptor.quality ?? 1 }
  /// The same of a gain map.
  public var codedMapQuality: Float { mapQuality ?? container.descriptor.mapQuality ?? 1 }

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

  /// Whether code values are integers and linear: of a TIFF of 16 bits.
  public var isLinear: Bool { space.isLinear && !isFloat }

  /// Headroom of the coded picture, a ratio to reference white.
  public var headroom: Double {
    switch transfer {
    case .standard: isFloat ? .infinity : 1
    case .pq: Double(ReferenceWhite.pqHeadroom)
    case .hlg: Double(ReferenceWhite.hlgHeadroom)
    }
  }
}
