public import Formats
import HDRRender
public import ImageCore

extension Recipe {
  /// The kind of file and its settings.
  public struct Output: Sendable, Hashable, Codable {
    /// The kind of file.
    public var format: OutputFormat = .heifHLG
    /// HEIF, AVIF, JPEG and JPEG XL: 0…1, where 1 is a JPEG XL without loss; nil for the default.
    public var quality: Float?
    /// HEIF, AVIF and JPEG: chroma resolution.
    public var chroma: ChromaSubsampling = .yuv420
    /// Standard range: 8 or 10 bits of a HEIF or AVIF, 8 or 16 of a PNG; nil for the larger, but
    /// for 8 beside a gain map.
    public var sdrBits: Int?
    /// High range: 10 or 12 bits of an AVIF; nil for 10.
    public var hdrBits: Int?
    /// TIFF: compression; all are lossless.
    public var tiffCompression: TIFFCompressionChoice = .deflate
    /// TIFF: color space of 16-bit files.
    public var tiffSpace: TIFFSpace = .displayP3
    /// How gain maps are made; nil for what is usual. See ``GainMapChoice``.
    public var gainMap = GainMapChoice()
    /// HEIF and AVIF: longest side of a small version in the file; nil for none.
    public var thumbnail: Int?
    /// What the file says of light, where that is known otherwise than from its pixels; what is nil
    /// is measured or left out.
    public var light = HDRMetadata()
    /// The most pixels of the longer side, 16 and more; smaller pictures stay as they are; nil for
    /// all.
    public var maxSize: Int?
    /// As the adjustment of that name, for this output alone; nil for that of the development.
    public var extendedDynamicRangeAmount: Float?
    /// As that of the rendering, for this output alone; the lesser of both counts.
    public var headroomLimit: Float?
    /// What of the raw's metadata goes into the file.
    public var metadata = MetadataPolicy.all
    /// Template of the file's name without its extension; nil for the raw's own name, and behind it
    /// the output's where outputs of one kind would meet.
    public var name: String?

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
      maxSize = try values.decodeIfPresent(Int.self, forKey: .maxSize)
      extendedDynamicRangeAmount =
        try values.decodeIfPresent(Float.self, forKey: .extendedDynamicRangeAmount)
      headroomLimit = try values.decodeIfPresent(Float.self, forKey: .headroomLimit)
      metadata = try value(.metadata, or: metadata)
      name = try values.decodeIfPresent(String.self, forKey: .name)
    }

    /// Whether the file can hold light above reference white.
    public var isHDR: Bool {
      transfer != .standard || format.hasGainMap || format.descriptor.isFloat
    }

    /// The primaries that the file is encoded in.
    public var primaries: Primaries {
      if format == .tiff { return tiffSpace.primaries }
      return transfer == .standard && !format.descriptor.isFloat ? .displayP3 : .bt2020
    }

    /// Throws for the first setting outside its range; the error's key says which.
    public func validate() throws(RecipeError) {
      func refused(_ key: String, _ message: String) -> RecipeError {
        RecipeError(.badSetting, message, key: RecipePath(keys: key))
      }
      if let quality, !(0...1).contains(quality) {
        throw refused("quality", "quality is \(quality); it takes 0 to 1")
      }
      if let maxSize, !(16...PixelSize.largestSide).contains(maxSize) {
        throw refused(
          "maxSize", "maxSize is \(maxSize); it takes 16 to \(PixelSize.largestSide) pixels")
      }
      if let amount = extendedDynamicRangeAmount, !(0...1).contains(amount) {
        throw refused(
          "extendedDynamicRangeAmount",
          "extendedDynamicRangeAmount is \(amount); it takes 0 to 1")
      }
      try Rendering.check(headroomLimit)
      let container = format.container.descriptor
      let depths =
        format.transfer == .standard && container.standardBits.count == 2
        ? container.standardBits : [8, 10]
      if let sdrBits, !depths.contains(sdrBits) {
        throw refused("sdrBits", "bits is \(sdrBits); it takes \(depths[0]) or \(depths[1])")
      }
      if let hdrBits, ![10, 12].contains(hdrBits) {
        throw refused("hdrBits", "bits is \(hdrBits); it takes 10 or 12")
      }
      if gainMap != GainMapChoice() {
        guard format.hasGainMap, gainMap.channels.map({ $0 == 1 || $0 == 3 }) ?? true,
          !container.highBits.isEmpty || gainMap.base == nil || gainMap.base == .sdr
        else {
          throw refused(
            "gainMap",
            "this gain map does not go with \(format.rawValue); maps have 1 or 3 channels, and pictures of "
              + "high range to start from stand in heic-gainmap and avif-gainmap")
        }
      }
      if let thumbnail, !format.holdsThumbnail || !(16...1024).contains(thumbnail) {
        throw refused(
          "thumbnail",
          "a thumbnail of \(thumbnail) in \(format.rawValue); HEIF and AVIF take 16 to 1024 pixels")
      }
      if let fact = light.facts.first(where: { !format.lightFacts.contains($0) })?.rawValue {
        throw refused(
          "light", "\(format.rawValue) does not hold \(fact); leave it out or write a HEIF")
      }
      if let name { _ = try NameTemplate(name) }
    }
  }
}
