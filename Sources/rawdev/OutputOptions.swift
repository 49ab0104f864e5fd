public import ArgumentParser
public import Develop

extension OutputFormat: ExpressibleByArgument {}
extension TIFFSpace: ExpressibleByArgument {}
extension ChromaSampling: ExpressibleByArgument {}
extension TIFFCompressionChoice: ExpressibleByArgument {}

/// What is written.
struct OutputOptions: ParsableArguments {
  @Option(
    help: "Kind of file. (default: by the output's extension, else heif-hlg)")
  var format: OutputFormat?

  @Option(help: "HEIF quality, 0 to 1. (default: 0.75)")
  var quality: Float?

  @Option(help: "HEIF chroma resolution.")
  var chroma: ChromaSampling = .yuv420

  @Option(help: "Bits of a heif-sdr, 8 or 10.")
  var bits = 10

  @Option(help: "TIFF compression, always lossless.")
  var tiffCompression: TIFFCompressionChoice = .deflate

  @Option(help: "Colour space of a 16-bit TIFF.")
  var tiffSpace: TIFFSpace = .displayP3

  func validate() throws {
    if let quality, !(0...1).contains(quality) { throw ValidationError("--quality takes 0 to 1") }
    guard bits == 8 || bits == 10 else { throw ValidationError("--bits takes 8 or 10") }
  }

  /// Puts the options into `recipe`; `output` may decide the format.
  func apply(to recipe: inout Recipe, output: String?) {
    let named = output.flatMap { path in
      path.split(separator: ".").last.flatMap { OutputFormat(pathExtension: String($0)) }
    }
    recipe.output.format = format ?? named ?? .heifHLG
    recipe.output.quality = quality
    recipe.output.chroma = chroma
    recipe.output.sdrBits = bits
    recipe.output.tiffCompression = tiffCompression
    recipe.output.tiffSpace = tiffSpace
  }
}
