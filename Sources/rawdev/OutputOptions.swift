public import ArgumentParser
public import Formats
import Foundation
public import HDRRender
import ImageCore
public import Recipes

extension OutputFormat: ExpressibleByArgument {}
extension TIFFSpace: ExpressibleByArgument {}
extension ChromaSubsampling: ExpressibleByArgument {}
extension GainMapChoice.Base: ExpressibleByArgument {}
extension GainMapCreation.Scale: ExpressibleByArgument {}
extension TIFFCompressionChoice: ExpressibleByArgument {}

/// The format of outputs.
struct OutputOptions: ParsableArguments {
  @Option(
    help: "Kind of file. (default: by the output's extension, else heif-hlg)")
  var format: OutputFormat?

  @Option(
    help:
      "Quality, 0 to 1. (default: HEIF and AVIF 0.75, above 49 dB; JPEG and JPEG XL 0.9; 1 is a JPEG XL without loss)"
  )
  var quality: Float?

  @Option(help: "Chroma resolution of a HEIF, AVIF or JPEG. (default: 420)")
  var chroma: ChromaSubsampling?

  @Option(
    help:
      "Bits in standard range: 8 or 10 of a HEIF or AVIF, 8 or 16 of a PNG (default: the larger; 8 with a gain map); in high range: 10 or 12 of an AVIF (default: 10)."
  )
  var bits: Int?

  @Option(help: "TIFF compression, always lossless. (default: deflate)")
  var tiffCompression: TIFFCompressionChoice?

  @Option(help: "Color space of a 16-bit TIFF. (default: display-p3; of PQ and HLG theirs)")
  var tiffSpace: TIFFSpace?

  @Option(help: "Gains of a gain map: 1, of luminance, or 3, of each color. (default: 1)")
  var gainMapChannels: Int?

  @Option(help: "Size of a gain map against the picture. (default: half)")
  var gainMapScale: GainMapCreation.Scale?

  @Option(
    help: "The picture that a gain map starts from; pq and hlg in HEIF and AVIF. (default: sdr)")
  var gainMapBase: GainMapChoice.Base?

  @Option(help: "Longest side of the thumbnail in a HEIF or AVIF, 16 to 1024. (default: none)")
  var thumbnail: Int?

  func validate() throws {
    if let quality, !(0...1).contains(quality) { throw ValidationError("--quality takes 0 to 1") }
    if let bits, ![8, 10, 12, 16].contains(bits) {
      throw ValidationError("--bits takes 8, 10, 12 or 16")
    }
  }

  /// Whether any was given, so that the outputs of recipes do not count.
  var isGiven: Bool {
    format != nil || quality != nil || chroma != nil || bits != nil || tiffCompression != nil
      || tiffSpace != nil || gainMapChannels != nil || gainMapScale != nil || gainMapBase != nil
      || thumbnail != nil
  }

  /// The only output of recipes with these options; where recipes have several these alone.
  func chosen(
    output: String? = nil, light: HDRMetadata = HDRMetadata(), maxSize: Int? = nil
  ) -> @Sendable ([String: Recipe.Output]) throws -> [String: Recipe.Output] {
    { outputs in
      let base = outputs.count == 1 ? outputs.values.first : nil
      var settings = try settings(
        output: output, light: light, changing: base ?? Recipe.Output())
      settings.maxSize = maxSize ?? settings.maxSize
      return [(outputs.count == 1 ? outputs.keys.first : nil) ?? Recipe.onlyOutput: settings]
    }
  }

  /// The options as an output; `output` may decide the format, so that it keeps the range of
  /// `source`.
  func settings(
    output: String?, light: HDRMetadata = HDRMetadata(), keeping source: DynamicRangeMix? = nil,
    hasGainMap: Bool = false, changing base: Recipe.Output = Recipe.Output()
  ) throws -> Recipe.Output {
    let suffix = output.map { URL(fileURLWithPath: $0).pathExtension } ?? ""
    let named =
      source.map {
        OutputFormat(pathExtension: suffix, keeping: $0, hasGainMap: hasGainMap)
      } ?? OutputFormat(pathExtension: suffix)
    if format == nil, named == nil, !suffix.isEmpty, let output, !output.hasSuffix("/"),
      !FileManager.default.fileExists(atPath: output)
    {
      let known = OutputFormat.usualExtensions.map { ".\($0)" }
      throw ValidationError(
        "\(output) does not say its format; name it \(known.dropLast().joined(separator: ", ")) or "
          + "\(known.last ?? ""), or give --format")
    }
    var settings = base
    settings.format = format ?? named ?? base.format
    settings.quality = quality ?? base.quality
    settings.chroma = chroma ?? settings.chroma
    if settings.format.transfer != .standard,
      settings.format.container.descriptor.highBits.count > 1
    {
      settings.hdrBits = bits ?? base.hdrBits
    } else {
      settings.sdrBits = bits ?? base.sdrBits
    }
    settings.tiffCompression = tiffCompression ?? settings.tiffCompression
    let tiffRange: TIFFSpace? =
      switch source?.transfer {
      case .pq: .bt2100PQ
      case .hlg: .bt2100HLG
      default: nil
      }
    settings.tiffSpace = tiffSpace ?? tiffRange ?? base.tiffSpace
    settings.gainMap.channels = gainMapChannels ?? base.gainMap.channels
    settings.gainMap.scale = gainMapScale ?? base.gainMap.scale
    settings.gainMap.base = gainMapBase ?? base.gainMap.base
    settings.thumbnail = thumbnail ?? base.thumbnail
    if light != HDRMetadata() { settings.light = light }
    do { try settings.validate() } catch { throw ValidationError("\(error)") }
    return settings
  }
}
