import Develop
import Formats
import Foundation
import ImageCore
import RawFilter
import Readers
import Recipes

/// Whole paths: files that are made of pictures, with what these say of themselves. What was
/// written is read again.
enum Written {
  /// A raw as DNG, whose samples must be those of the raw.
  static func dng(_ bytes: [UInt8]) {
    let opened = attempt { try RAWFilter(data: Data(bytes), limits: Pictures.limits(bytes)) }
    guard var filter = opened else { return }
    filter.workers = 1
    do {
      _ = try DNGConverter(workers: 1).convert(
        filter, named: "raw", to: "\(ScratchFile.folder)/raw.dng")
    } catch {
      if case .write(let error) = error, error.code == .encoderFailed { fatalError("\(error)") }
    }
  }

  /// A still in other formats.
  static func convert(_ bytes: [UInt8]) {
    let limits = Pictures.limits(bytes)
    guard let image = attempt({ try StillImage(bytes, limits: limits) }) else { return }
    for format in [OutputFormat.tiff, .jpegGainMap] {
      var output = Recipe.Output()
      output.format = format
      let path = "\(ScratchFile.folder)/\(format.rawValue)"
      let converter = Converter(output: output, workers: 1)
      guard attempt({ try converter.convert(image, named: "still", to: path) }) != nil else {
        continue
      }
      do { _ = try StillImage(contentsOf: URL(fileURLWithPath: path)).metadata } catch {
        fatalError("\(format) that was written: \(error)")
      }
    }
  }
}
