public import Formats
import Foundation
public import HDRRender
public import ImageCore

extension Recipe {
  /// One file to write: its format and how it is encoded. Adding a setting takes the stored
  /// property, its row in `settings`, and the line with its effect.
  public struct Output: Sendable, Hashable, Codable {
    /// The file format.
    public var format = OutputFormat.heifHLG
    /// Template of the file's path below the target folder, without extension, see
    /// ``NameTemplate``; nil for the name of the raw, followed by the name of the output where
    /// several outputs have the same extension.
    public var name: String?
    /// Maximum number of pixels of the longer side, at least 16; smaller pictures are not enlarged.
    public var maxSize: Int?
    /// Quality of HEIF, AVIF, JPEG and JPEG XL, one of `EncoderSettings.qualities`; a JPEG XL of
    /// quality 1 is lossless. Nil for the default of the kind of file.
    public var quality: Float?
    /// The metadata of the source that the file carries.
    public var metadata = MetadataPolicy.all
    /// Whether the file carries the recipe by which it was developed, in its XMP.
    public var embedsRecipe = false
    /// The adjustment of the same name for this output only, 0…1; nil for the value of the
    /// development.
    public var extendedDynamicRangeAmount: Float?
    /// The setting of the same name in ``Rendering`` for this output only; the lower of both
    /// applies.
    public var headroomLimit: Float?
    /// Chroma subsampling of HEIF, AVIF and JPEG.
    public var chroma = ChromaSubsampling.yuv420
    /// Bits per sample in SDR: 8 or 10 in HEIF and AVIF, 8 or 16 in PNG and TIFF; nil for the
    /// higher number, or 8 with a gain map.
    public var sdrBits: Int?
    /// Bits per sample of an AVIF in HDR, 10 or 12; nil for 10.
    public var hdrBits: Int?
    /// Bits per sample of floats, 16 or 32; nil for 16 in OpenEXR, else 32.
    public var floatBits: Int?
    /// Compression of an OpenEXR; nil for `zip`.
    public var exrCompression: EXRCompression?
    /// Level of an OpenEXR in DWAA or DWAB; nil for 45.
    public var exrLevel: Float?
    /// Whether an OpenEXR is scan lines or tiles; nil for scan lines.
    public var exrLayout: EXRLayout?
    /// Side of the tiles of an OpenEXR in pixels; nil for 64.
    public var exrTileSize: Int?
    /// Compression of a TIFF, lossless.
    public var tiffCompression = TIFFCompressionChoice.deflate
    /// Color space in SDR, with a gain map of its base, and of a 16-bit TIFF.
    public var colorSpace = ColorSpace.displayP3
    /// Path of an ICC profile: SDR without a gain map is written in the samples of its device
    /// instead of ``colorSpace``; nil for none.
    public var iccProfile: String?
    /// How colors are brought to the device of ``iccProfile``; nil for `relative`.
    public var intent: OutputProfile.Intent?
    /// Whether a HEIF or AVIF is one coded picture or tiles.
    public var tiles = TileLayout.auto
    /// Longer side of a thumbnail in a HEIF or AVIF, one of `EncoderSettings.thumbnailSides`; nil
    /// for none.
    public var thumbnail: Int?
    /// How the gain map is made.
    public var gainMap = GainMapChoice()
    /// HDR metadata that are not computed from the pixels; content light levels that are nil are
    /// measured, the rest is omitted.
    public var light = HDRMetadata()
    /// Contents and storage of a DNG.
    public var dng = DNGChoice()

    /// The defaults: an HLG HEIF.
    public init() {}

    /// Reads the settings; absent keys keep their default.
    public init(from decoder: any Decoder) throws { try self.init(settingsFrom: decoder) }

    /// Writes the settings; those that are nil are left out.
    public func encode(to encoder: any Encoder) throws { try encodeSettings(to: encoder) }

    /// Throws for the first setting that cannot have its value; the error's key is its name.
    public func validate() throws(RecipeError) { try validateSettings() }
  }
}

extension Recipe.Output: RecipeSection {
  private typealias Container = EncoderSettings.Container

  private static let withGainMap = RecipeSetting<Self>.Option.Scope("formats with a gain map") {
    $0.format.hasGainMap
  }

  private static let withColorSpace = RecipeSetting<Self>.Option.Scope(
    "SDR and gain maps with a base in SDR, with PQ, HLG and linear for a 16-bit TIFF, and in "
      + "\(ColorSpace.linearNames) for floats"
  ) {
    $0.format.descriptor.isFloat
      ? $0.colorSpace.isLinear
      : $0.format == .tiff
        || $0.transfer == .standard && $0.format.isDeveloped && !$0.colorSpace.isOfTIFF
  }

  private static let withProfile = RecipeSetting<Self>.Option.Scope(
    "SDR without a gain map"
  ) { $0.takesProfile }

  package static let settings: [RecipeSetting<Self>] = [
    RecipeSetting(
      "format", \.format, "File format",
      "The extensions of a kind of file are accepted for its name, as jpg, tif-float, heic-pq.",
      option: "format",
      optionDefault: "by the extension of the output, otherwise \(OutputFormat.heifHLG.rawValue)"),
    RecipeSetting(
      "name", ifSet: \.name, standard: "the raw's own name",
      "Template of the file's path without extension, as web/{stem}", "See the templates.",
      refusal: { name, _ in
        do throws(RecipeError) { _ = try NameTemplate(name) } catch { return error.message }
        return nil
      }),
    RecipeSetting(
      "maxSize", ifSet: \.maxSize, 16...Double(PixelSize.largestSide), unit: "pixels",
      standard: "all pixels", "Maximum length of the longer side",
      "Smaller pictures are not enlarged.", option: "max-size",
      scope: .init("developed pictures") { $0.format.isDeveloped }),
    RecipeSetting(
      "quality", ifSet: \.quality, .init(EncoderSettings.qualities), standard: Container.qualities,
      "Quality of \(Container.names(where: \.hasQuality))", "A JPEG XL of quality 1 is lossless.",
      options: [
        .init(
          "quality",
          help: """
            Quality of \(Container.names(where: \.hasQuality)), \(EncoderSettings.qualities.text), \
            or above 1 in percent; a JPEG XL of quality 1 is lossless. (default: \
            \(Container.qualities))
            """, takes: "\(EncoderSettings.qualities.text), or a number up to 100 in percent",
          scope: .init(Container.names(where: \.hasQuality)) {
            $0.format.container.descriptor.hasQuality
          }, where: { (quality: Float) in (0...100).contains(quality) }
        ) { quality, output in output.quality = quality > 1 ? quality / 100 : quality }
      ]),
    RecipeSetting(
      "metadata", \.metadata, "Metadata of the source that the file carries",
      """
      noLocation omits GPS and all XMP that may name locations; minimal keeps camera, lens, \
      exposure, date, rights. A DNG has all.
      """, option: "metadata",
      refusal: { policy, output in
        output.format.isDeveloped || policy == .all
          ? nil
          : "metadata is \(policy.rawValue), and a DNG keeps all metadata of its raw; take all"
      }),
    RecipeSetting(
      "embedsRecipe", \.embedsRecipe, "Whether the XMP carries the recipe that made the file",
      "Needs metadata all or noLocation.",
      refusal: { embeds, output in
        !embeds || output.metadata.namesSource
          ? nil
          : "embedsRecipe needs metadata all or noLocation, not \(output.metadata.rawValue)"
      }),
    RecipeSetting(
      "extendedDynamicRangeAmount", ifSet: \.extendedDynamicRangeAmount, 0...1,
      standard: "raw.extendedDynamicRangeAmount, otherwise 1 for HDR formats and 0 for SDR formats",
      "Fraction of the file's headroom to use, for this output"),
    RecipeSetting(
      "headroomLimit", ifSet: \.headroomLimit, from: 1, unit: "times reference white",
      standard: "render.headroomLimit", "Maximum luminance of this output",
      refusal: { limit, _ in Recipe.Rendering.refusal(headroomLimit: limit) }),
    RecipeSetting(
      "chroma", \.chroma,
      "Chroma subsampling of \(Container.names(where: \.isYCbCr))", option: "chroma",
      scope: .init(Container.names(where: \.isYCbCr)) { $0.format.container.descriptor.isYCbCr }),
    RecipeSetting(
      "sdrBits", ifSet: \.sdrBits, choices: [8, 10, 16],
      standard: "the higher number; 8 with a gain map",
      "Bits per sample of an SDR HEIF or AVIF (8, 10), PNG or TIFF (8, 16)",
      options: [
        .init(
          "bits",
          help: """
            Bits per sample. SDR: \(Container.choices(of: \.sdrBits)) (default: the higher number; \
            8 with a gain map). HDR: \(Container.choices(of: \.hdrBits)) (default: 10). Floats: 16 \
            or 32 (default: 16 for OpenEXR, else 32).
            """, takes: "8, 10, 12, 16 or 32",
          scope: .init("HEIF, AVIF, SDR PNG, SDR TIFF and floats") {
            let row = $0.format.container.descriptor
            return $0.format.descriptor.isFloat
              || row.sdrBits.count > 1 && (row.isYCbCr || $0.transfer == .standard)
          }, where: { (bits: Int) in [8, 10, 12, 16, 32].contains(bits) }
        ) { bits, output in
          if output.format.descriptor.isFloat {
            output.floatBits = bits
          } else if output.format.hasHDRDepths {
            output.hdrBits = bits
          } else {
            output.sdrBits = bits
          }
        }
      ],
      refusal: { bits, output in
        let depths = output.format.container.descriptor.sdrBits
        let taken = output.format.transfer == .standard && depths.count == 2 ? depths : [8, 10]
        if output.format == .tiff, output.colorSpace.isLinear, bits == 8 {
          return "bits is 8, in which \(output.colorSpace.rawValue) causes banding; it takes 16"
        }
        return taken.contains(bits) ? nil : "bits is \(bits); it takes \(taken[0]) or \(taken[1])"
      }),
    RecipeSetting(
      "hdrBits", ifSet: \.hdrBits, choices: [10, 12], standard: "10",
      "Bits per sample of an HDR \(Container.names { $0.hdrBits.count > 1 })",
      refusal: { bits, _ in
        [10, 12].contains(bits) ? nil : "bits is \(bits); it takes 10 or 12"
      }),
    RecipeSetting(
      "floatBits", ifSet: \.floatBits, choices: [16, 32], standard: "16 for OpenEXR, otherwise 32",
      "Bits per sample of floats: \(Container.names(where: \.holdsFloats))",
      refusal: { bits, _ in
        [16, 32].contains(bits) ? nil : "bits is \(bits); it takes 16 or 32"
      }),
    RecipeSetting(
      "exrCompression", ifSet: \.exrCompression, standard: EXRCompression.zip.rawValue,
      "Compression of an OpenEXR", "dwaa and dwab are lossy, the others lossless.",
      option: "exr-compression", scope: .init("OpenEXR") { $0.format.container == .exr }),
    RecipeSetting(
      "exrLevel", ifSet: \.exrLevel, .init(EXRCompression.levels),
      standard: "\(Int(EXRCompression.defaultLevel))",
      "Level of an OpenEXR in DWAA or DWAB: greater ones lose more", option: "exr-level",
      scope: .init("OpenEXR in dwaa or dwab") {
        $0.format.container == .exr && $0.exrCompression?.isLossy ?? false
      }),
    RecipeSetting(
      "exrLayout", ifSet: \.exrLayout, standard: EXRLayout.lines.rawValue,
      "Whether an OpenEXR is scan lines or tiles of one level", option: "exr-layout",
      scope: .init("OpenEXR") { $0.format.container == .exr }),
    RecipeSetting(
      "exrTileSize", ifSet: \.exrTileSize, .init(EXRLayout.tileSizes), unit: "pixels",
      standard: "\(EXRLayout.defaultTileSize)",
      "Side of the tiles of an OpenEXR", "For exrLayout tiles.", option: "exr-tile-size",
      scope: .init("OpenEXR in tiles") {
        $0.format.container == .exr && $0.exrLayout == .tiles
      }),
    RecipeSetting(
      "tiffCompression", \.tiffCompression, "Compression of a TIFF, lossless",
      option: "tiff-compression", scope: .init("TIFF") { $0.format.container == .tiff }),
    RecipeSetting(
      "colorSpace", \.colorSpace,
      "Color space in SDR, with a gain map of its base, of a 16-bit TIFF, and of floats",
      """
      Display P3 keeps strong colors that sRGB cuts; srgb is for programs that read no profiles. \
      PQ, HLG and linear for a 16-bit TIFF only; other files are then in Display P3. Floats are in \
      a linear space, where none is given in linear-bt2020; aces2065-1, acescg and camera (the \
      camera's channels after the white balance, for boostAmount 0) are only for floats.
      """,
      option: "color-space",
      optionDefault:
        "\(ColorSpace.displayP3.rawValue), for floats "
        + "\(ColorSpace.linearBT2020.rawValue); convert keeps the space of an SDR source, and in "
        + "a TIFF the space of a PQ or HLG source",
      formerName: (key: "tiffSpace", option: "tiff-space"), scope: withColorSpace,
      refusal: { space, output in
        guard space.isOfFloats, output.format == .tiff else { return nil }
        return "color-space \(space.rawValue) is for floats, not for the integers of "
          + "\(output.format.rawValue); write tiff-float or exr"
      }),
    RecipeSetting(
      "iccProfile", ifSet: \.iccProfile, standard: "none",
      "ICC profile of an RGB display or printer, for whose samples SDR is converted",
      "Instead of colorSpace. For SDR without a gain map.", option: "icc", scope: withProfile,
      refusal: { path, output in
        if path.isEmpty { return "icc is empty; name an ICC profile" }
        guard output.takesProfile else {
          return "icc has no effect on \(output.format.rawValue); it is for \(withProfile.name)"
        }
        return output.ownColorSpace == .displayP3
          ? nil
          : "icc and color-space \(output.colorSpace.rawValue) exclude each other; keep one"
      }),
    RecipeSetting(
      "intent", ifSet: \.intent, standard: OutputProfile.Intent.relative.rawValue,
      "How colors that the device of the ICC profile does not have are treated",
      "relative keeps all others, with black point compensation.", option: "intent",
      scope: .init("outputs with an ICC profile") { $0.iccProfile != nil }),
    RecipeSetting(
      "tiles", \.tiles, "Whether a HEIF or AVIF is one coded picture or a grid of tiles",
      "auto: one picture for an AVIF of up to 35 megapixels, otherwise tiles.", option: "tiles",
      scope: .init("HEIF and AVIF") { [.heif, .avif].contains($0.format.container) }),
    RecipeSetting(
      "thumbnail", ifSet: \.thumbnail, .init(EncoderSettings.thumbnailSides), unit: "pixels",
      standard: "none",
      "Longer side of a thumbnail in a \(Container.names("or", where: \.holdsThumbnail))",
      option: "thumbnail",
      refusal: { side, output in
        output.format.holdsThumbnail && EncoderSettings.thumbnailSides.contains(side)
          ? nil
          : EncoderSettings.refusal(thumbnail: side, in: output.format.rawValue)
      }),
    RecipeSetting(
      group: "gainMap", \.gainMap, keys: GainMapChoice.keys,
      options: [
        .init("gain-map-base", \.gainMap.base, GainMapChoice.keys[0], scope: withGainMap),
        .init("gain-map-channels", \.gainMap.channels, GainMapChoice.keys[1], scope: withGainMap),
        .init("gain-map-scale", \.gainMap.scale, GainMapChoice.keys[2], scope: withGainMap),
      ],
      refusal: { gainMap, output in
        let format = output.format
        let holdsHDRBase = !format.container.descriptor.hdrBits.isEmpty
        guard gainMap != GainMapChoice() else { return nil }
        guard format.hasGainMap, [nil, 1, 3].contains(gainMap.channels),
          holdsHDRBase || [nil, .sdr].contains(gainMap.base)
        else {
          return "this gain map does not fit \(format.rawValue); gain maps have 1 or 3 channels, "
            + "and only heic-gainmap, avif-gainmap and jxl-gainmap have an HDR base"
        }
        return nil
      }),
    RecipeSetting(
      group: "light", \.light, keys: HDRMetadata.keys,
      refusal: { light, output in
        light.fields.first { !output.format.hdrMetadataFields.contains($0) }.map {
          "\(output.format.rawValue) does not hold \($0.rawValue); leave it out, or write "
            + "heif-hlg or heif-pq"
        }
      }),
    DNGChoice.setting,
  ]
}

extension GainMapChoice {
  fileprivate static let keys = [
    RecipeKey(
      "base", .text, choices: Base.choices, standard: "sdr",
      "The rendition that readers without gain map support show",
      "pq and hlg in HEIF, AVIF and JPEG XL only."),
    RecipeKey(
      "channels", .integer, choices: ["1", "3"], standard: "1",
      "Channels of the gain map: 1 for luminance, 3 for one of each color"),
    RecipeKey(
      "scale", .text, choices: GainMapCreation.Scale.choices, standard: "half",
      "Size of the gain map relative to the picture"),
  ]
}

extension HDRMetadata {
  fileprivate static let keys: [RecipeKey] =
    [
      level(
        "contentLight.maximumNits", "measured", "MaxCLL: largest channel of the brightest pixel",
        "With averageNits."),
      level(
        "contentLight.averageNits", "measured", "MaxFALL: mean of the pixels' largest channels",
        "With maximumNits."),
    ]
    + ["Red", "Green", "Blue", "White"].map { color in
      RecipeKey(
        "masteringDisplay.\(color.lowercased())", .point, standard: "none",
        "\(color) of the mastering display", "Set all six keys together.")
    } + [
      level("masteringDisplay.maximumNits", "none", "Peak luminance of the mastering display"),
      level("masteringDisplay.minimumNits", "none", "Black level of the mastering display"),
      RecipeKey(
        "contentVolume.primaries", .points, count: 3, standard: "none",
        "Red, green and blue of the gamut that the picture stays within"),
      level("contentVolume.minimumNits", "none", "Minimum luminance of the picture"),
      level("contentVolume.maximumNits", "none", "Maximum luminance of the picture"),
      level("contentVolume.averageNits", "none", "Mean luminance of the picture"),
      RecipeKey(
        "ambient.lux", .number, from: 0, unit: "lux", standard: "none",
        "Illuminance of the viewing environment", "With color."),
      RecipeKey(
        "ambient.color", .point, standard: "none", "Chromaticity of the ambient illumination",
        "With lux."),
      level("diffuseWhiteNits", "none", "Luminance of reference white on the mastering display"),
    ]

  private static func level(
    _ path: String, _ standard: String, _ summary: String, _ interplay: String = ""
  ) -> RecipeKey {
    RecipeKey(path, .number, from: 0, unit: "cd/m²", standard: standard, summary, interplay)
  }
}

extension Recipe.Output {
  /// Whether the file holds luminances above reference white.
  public var isHDR: Bool {
    transfer != .standard || format.hasGainMap || format.descriptor.isFloat
  }

  /// Transfer function of the file; with a gain map, of its base.
  public var transfer: DynamicRangeMix.Transfer {
    if format == .tiff { return colorSpace.transfer }
    return format.hasGainMap ? gainMap.transfer : format.transfer
  }

  /// The color space of the file's samples; with a gain map, of its base.
  public var space: ColorSpace {
    if format.descriptor.isFloat { return colorSpace.isLinear ? colorSpace : .linearBT2020 }
    // Wider than any device.
    return ColorSpace(transfer, standard: iccProfile == nil ? ownColorSpace : .proPhoto)
  }

  /// Primaries of the file.
  public var primaries: Primaries { space.primaries }

  /// The color space in SDR: where other files than TIFF cannot have the one that is set, the
  /// default.
  fileprivate var ownColorSpace: ColorSpace {
    format != .tiff && colorSpace.isOfTIFF ? .displayP3 : colorSpace
  }

  /// Whether the file is of integers in SDR, or has a base in SDR.
  private var isBasedOnSDR: Bool {
    transfer == .standard && !format.descriptor.isFloat && format.isDeveloped
  }

  /// Whether that is in ``colorSpace``.
  public var keepsColorSpace: Bool { isBasedOnSDR && iccProfile == nil }

  /// Whether the file may be for the device of a profile.
  fileprivate var takesProfile: Bool { isBasedOnSDR && !format.hasGainMap }

  /// Range and primaries of the file for people, as `PQ HDR, BT.2020`; for a DNG its samples.
  public var coding: String {
    format.isDeveloped ? encoding([]).coding(hasGainMap: format.hasGainMap) : dng.coding
  }

  /// The same for the writers, with `profile`, the file that ``iccProfile`` names.
  public func encoding(_ profile: [UInt8]) -> EncoderSettings {
    var settings = encoding
    settings.profile = iccProfile.map {
      OutputProfile(
        name: $0.split(separator: "/").last.map(String.init) ?? $0, bytes: profile,
        intent: intent ?? .relative)
    }
    return settings
  }

  /// The same for the writers, without ``iccProfile``.
  public var encoding: EncoderSettings {
    var settings = EncoderSettings(
      format.container, space, bits: bits, chroma: chroma, quality: quality,
      hasGainMap: format.hasGainMap)
    settings.mapKind = gainMap.channels == 3 ? .rgb : .luminance
    settings.mapScale = gainMap.scale ?? .half
    settings.tiles = tiles
    settings.thumbnail = thumbnail
    settings.compression = tiffCompression.compression
    settings.isHalf = format.descriptor.isFloat && bits == 16
    settings.exrCompression = exrCompression ?? .zip
    settings.exrLevel = exrLevel ?? EXRCompression.defaultLevel
    settings.exrTileSize =
      format == .exr && exrLayout == .tiles ? exrTileSize ?? EXRLayout.defaultTileSize : nil
    return settings
  }

  private var bits: Int {
    if format.descriptor.isFloat { return floatBits ?? (format == .exr ? 16 : 32) }
    let container = format.container.descriptor
    guard transfer == .standard else {
      return hdrBits.flatMap { container.hdrBits.contains($0) ? $0 : nil } ?? container.hdrBits[0]
    }
    let depths = container.sdrBits
    return sdrBits.flatMap { depths.contains($0) ? $0 : nil }
      ?? depths[format.hasGainMap ? 0 : depths.count - 1]
  }
}

extension Recipe.Output {
  /// All settings as JSON with sorted keys: equal settings have equal texts.
  package var canonicalText: String {
    get throws {
      let encoder = JSONEncoder.canonical()
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

extension OutputFormat: RecipeSettingValue {
  package static var otherNames: [String: String] { aliases.mapValues(\.rawValue) }
}
extension MetadataPolicy: RecipeSettingValue {}
extension ChromaSubsampling: RecipeSettingValue {}
extension TileLayout: RecipeSettingValue {}
extension TIFFCompressionChoice: RecipeSettingValue {}
extension EXRCompression: RecipeSettingValue {}
extension EXRLayout: RecipeSettingValue {}
extension ColorSpace: RecipeSettingValue {}
extension OutputProfile.Intent: RecipeSettingValue {}
extension GainMapChoice.Base: RecipeSettingValue {}
extension GainMapCreation.Scale: RecipeSettingValue {}
