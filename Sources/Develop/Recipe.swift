import HDRRender
public import ImageCore
public import RawFilter
import Writers

/// Everything that decides what a raw becomes, as one value that can be stored: how it is
/// developed and what is written.
public struct Recipe: Sendable, Hashable, Codable {
  /// Adjustments of the development.
  public var raw = RAWSettings()
  /// Share of the file's headroom to open, 0…1; nil for what suits the output: 1 for formats that
  /// hold light above reference white, 0 for the others. Takes the place of the value in `raw`.
  public var extendedDynamicRangeAmount: Float?
  /// What is written.
  public var output = Output()

  /// The kind of file and its settings.
  public struct Output: Sendable, Hashable, Codable {
    /// The kind of file.
    public var format: OutputFormat = .heifHLG
    /// HEIF, AVIF, JPEG and JPEG XL: 0…1, where 1 is a JPEG XL without loss; nil for the default.
    public var quality: Float?
    /// HEIF, AVIF and JPEG: chroma resolution.
    public var chroma: ChromaSampling = .yuv420
    /// Standard range: 8 or 10 bits of a HEIF or AVIF, 8 or 16 of a PNG; nil for the larger, but for 8
    /// beside a gain map.
    public var sdrBits: Int?
    /// High range: 10 or 12 bits of an AVIF; nil for 10.
    public var hdrBits: Int?
    /// TIFF: compression; all are lossless.
    public var tiffCompression: TIFFCompressionChoice = .deflate
    /// TIFF: colour space of 16-bit files.
    public var tiffSpace: TIFFSpace = .displayP3
    /// How gain maps are made; nil for what is usual. See ``GainMapChoice``.
    public var gainMap = GainMapChoice()
    /// HEIF and AVIF: longest side of a small version in the file; nil for none.
    public var thumbnail: Int?
    /// What the file says of light, where that is known otherwise than from its pixels; what is nil is
    /// measured or left out.
    public var light = LightMetadata()

    /// The default output.
    public init() {}

    /// Reads the settings; absent keys keep their default.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<T: Decodable>(_ key: CodingKeys, or standard: T) throws -> T {
        try values.decodeIfPresent(T.self, forKey: key) ?? standard
      }
      format = try value(.format, or: format)
      quality = try values.decodeIfPresent(Float.self, forKey: .quality)
      chroma = try value(.chroma, or: chroma)
      sdrBits = try values.decodeIfPresent(Int.self, forKey: .sdrBits)
      hdrBits = try values.decodeIfPresent(Int.self, forKey: .hdrBits)
      tiffCompression = try value(.tiffCompression, or: tiffCompression)
      tiffSpace = try value(.tiffSpace, or: tiffSpace)
      gainMap = try value(.gainMap, or: gainMap)
      thumbnail = try values.decodeIfPresent(Int.self, forKey: .thumbnail)
      light = try value(.light, or: light)
    }

    /// Whether the file can hold light above reference white.
    public var isHDR: Bool {
      transfer != .standard || format.hasGainMap || format == .tiffFloat
    }

    /// The primaries that the file is encoded in.
    public var primaries: Primaries {
      switch format {
      case .tiff: tiffSpace.primaries
      case .tiffFloat: .bt2020
      default: transfer == .standard ? .displayP3 : .bt2020
      }
    }

    /// Throws for the first setting outside its range.
    public func validate() throws(DevelopError) {
      if let quality, !(0...1).contains(quality) {
        throw .write(WriteError(.badSetting, "quality is \(quality); it takes 0 to 1"))
      }
      let depths = format == .pngSDR ? [8, 16] : [8, 10]
      if let sdrBits, !depths.contains(sdrBits) {
        throw .write(
          WriteError(.badSetting, "bits is \(sdrBits); it takes \(depths[0]) or \(depths[1])"))
      }
      if let hdrBits, ![10, 12].contains(hdrBits) {
        throw .write(WriteError(.badSetting, "bits is \(hdrBits); it takes 10 or 12"))
      }
      if gainMap != GainMapChoice() {
        guard format.hasGainMap, gainMap.channels.map({ $0 == 1 || $0 == 3 }) ?? true,
          format != .jpegGainMap || gainMap.base == nil || gainMap.base == .sdr
        else {
          throw .write(
            WriteError(
              .badSetting,
              "this gain map does not go with \(format.rawValue); maps have 1 or 3 channels, and pictures of "
                + "high range to start from stand in heic-gainmap and avif-gainmap"))
        }
      }
      if let thumbnail, !format.holdsThumbnail || !(16...1024).contains(thumbnail) {
        throw .write(
          WriteError(
            .badSetting,
            "a thumbnail of \(thumbnail) in \(format.rawValue); HEIF and AVIF take 16 to 1024 pixels"
          ))
      }
      if let name = light.facts.first(where: { !format.lightFacts.contains($0) })?.rawValue {
        throw .write(
          WriteError(
            .badSetting, "\(format.rawValue) does not hold \(name); leave it out or write a HEIF"))
      }
    }
  }

  /// The default look as an HLG HEIF.
  public init() {}

  /// Reads the recipe; absent keys keep their default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    raw = try values.decodeIfPresent(RAWSettings.self, forKey: .raw) ?? raw
    extendedDynamicRangeAmount =
      try values.decodeIfPresent(Float.self, forKey: .extendedDynamicRangeAmount)
    output = try values.decodeIfPresent(Output.self, forKey: .output) ?? output
  }

  /// Whether the output can hold light above reference white.
  public var isHDR: Bool { output.isHDR }

  /// The primaries that the output is encoded in.
  public var primaries: Primaries { output.primaries }

  /// Throws a ``DevelopError`` that names the first setting outside its range.
  public func validate() throws(DevelopError) {
    do { try effectiveSettings.validate() } catch { throw .raw(error) }
    try output.validate()
  }

  /// The adjustments with the headroom that suits the output.
  public var effectiveSettings: RAWSettings {
    var settings = raw
    settings.extendedDynamicRangeAmount = extendedDynamicRangeAmount ?? (isHDR ? 1 : 0)
    return settings
  }
}
