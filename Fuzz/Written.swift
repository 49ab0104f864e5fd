import Develop
import Formats
import Foundation
import ImageCore
import Readers
import Recipes

@testable import RawDecode
@testable import RawFilter

/// Whole paths: files that are made of pictures, with what these say of themselves. What was
/// written is read again.
enum Written {
  /// A raw as DNG, whose samples must be those of the raw.
  static func dng(_ bytes: [UInt8]) throws {
    let opened = attempt { try RAWFilter(data: Data(bytes), limits: Pictures.limits(bytes)) }
    guard var filter = opened else { return }
    filter.workers = 1
    let path = "\(ScratchFile.folder)/raw.dng"
    do {
      _ = try DNGConverter(workers: 1).convert(filter, named: "raw", to: .file(path: path))
    } catch {
      if case .write(let error) = error, error.code == .encoderFailed { fatalError("\(error)") }
      return
    }
    // A DNG of a DNG develops to the same pixels.
    guard filter.rawFile.tags != nil, let before = try corner(filter) else { return }
    guard var written = attempt({ try RAWFilter(url: URL(fileURLWithPath: path)) }) else {
      fatalError("a DNG that was written does not open")
    }
    written.workers = 1
    guard try corner(written) == before else {
      fatalError("a DNG that was written looks different")
    }
  }

  private static func corner(_ filter: RAWFilter) throws -> [UInt32]? {
    try attempt { try filter.rendition() }.map { try Pictures.corner($0) }
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
      guard attempt({ try converter.convert(image, named: "still", to: .file(path: path)) }) != nil
      else {
        continue
      }
      do { _ = try StillImage(contentsOf: URL(fileURLWithPath: path)).metadata } catch {
        fatalError("\(format) that was written: \(error)")
      }
    }
  }
}
