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
    /// HEIF: 0…1; nil for the default.
    public var quality: Float?
    /// HEIF: chroma resolution.
    public var chroma: ChromaSampling = .yuv420
    /// HEIF in standard range: 8 or 10 bits.
    public var sdrBits = 10
    /// TIFF: compression; all are lossless.
    public var tiffCompression: TIFFCompressionChoice = .deflate
    /// TIFF: colour space of 16-bit files.
    public var tiffSpace: TIFFSpace = .displayP3

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
      sdrBits = try value(.sdrBits, or: sdrBits)
      tiffCompression = try value(.tiffCompression, or: tiffCompression)
      tiffSpace = try value(.tiffSpace, or: tiffSpace)
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
  public var isHDR: Bool {
    switch output.format {
    case .heifHLG, .heifPQ, .tiffFloat: true
    case .heifSDR: false
    case .tiff: output.tiffSpace.isHDR
    }
  }

  /// The primaries that the output is encoded in.
  public var primaries: Primaries {
    switch output.format {
    case .heifHLG, .heifPQ, .tiffFloat: .bt2020
    case .heifSDR: .displayP3
    case .tiff: output.tiffSpace.primaries
    }
  }

  /// Throws a ``DevelopError`` that names the first setting outside its range.
  public func validate() throws(DevelopError) {
    do { try effectiveSettings.validate() } catch { throw .raw(error) }
    if let quality = output.quality, !(0...1).contains(quality) {
      throw .write(WriteError(.badSetting, "quality is \(quality); it takes 0 to 1"))
    }
    guard output.sdrBits == 8 || output.sdrBits == 10 else {
      throw .write(WriteError(.badSetting, "bits is \(output.sdrBits); it takes 8 or 10"))
    }
  }

  /// The adjustments with the headroom that suits the output.
  public var effectiveSettings: RAWSettings {
    var settings = raw
    settings.extendedDynamicRangeAmount = extendedDynamicRangeAmount ?? (isHDR ? 1 : 0)
    return settings
  }
}
