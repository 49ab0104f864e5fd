import Formats
import Foundation
import ImageCore
import RawFilter
import Recipes

/// Outputs that are DNGs: written by ``DNGConverter`` in addition to the developed ones, with the
/// sidecar's description and progress of all outputs.
extension Developer {
  /// Writes `filter`, which has the settings of the recipe, as DNG to `target`.
  func writeDNG(
    _ filter: RAWFilter, named input: String, _ named: (key: String, value: Recipe.Output),
    to target: OutputDestination, progress: @escaping @Sendable (Double) -> Void
  ) throws -> DevelopReport {
    progress(0)
    let converter = DNGConverter(named.value.dng, workers: workers)
    let report = try converter.convert(
      filter, named: input, to: target, description: sidecarDescription, progress: progress)
    return DevelopReport(input: input, name: named.key, report.written)
  }
}

extension PictureSample {
  /// Samples the preview of `filter` where no output is developed: the contact sheet of a batch
  /// then shows the camera's picture.
  func add(previewOf filter: RAWFilter) throws(PixelError) {
    guard let small = filter.previewImage?.decode(maxSide: 640) else { return }
    let size = small.size
    let buffer = try PlanarBuffer(size: size)
    for y in 0..<size.height {
      for channel in 0..<3 {
        let row = buffer.row(channel, y)
        for x in 0..<size.width {
          row[x] = Self.linear[Int(small.rgb[3 * (y * size.width + x) + channel])]
        }
      }
    }
    begin(size, info: DisplayReferred.Info(primaries: .srgb, headroom: 1))
    add(buffer, at: PixelRect(size))
  }

  /// Linear values of sRGB's codes (IEC 61966-2-1).
  private static let linear = (0...255).map { code in
    let value = Float(code) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
