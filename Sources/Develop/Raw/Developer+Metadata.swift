import Export
import Foundation
import ImageCore
import RawFilter
import Recipes

extension Developer {
  /// The metadata of the file for `output`.
  func metadata(
    of filter: RAWFilter, for output: Recipe.Output, by exporter: StillExporter
  ) throws -> CaptureMetadata {
    // The file's name does not affect the picture.
    var single = recipe
    single.outputs = [Recipe.onlyOutput: output]
    single.output.name = nil
    func text(_ encoder: JSONEncoder) throws -> String {
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(single), as: UTF8.self)
    }
    let isUpright = filter.orientation == .up
    let source =
      isUpright && filter.isFrameWhole ? filter.properties : filter.properties.withoutPositions
    let metadata = source.withLensFromXMP.described(by: sidecarDescription).derived(
      from: filter.contentUUID,
      settings: [
        try text(.canonical()),
        sidecarDescription.map { String(decoding: $0, as: UTF8.self) } ?? "",
        colorMatrix.map { "\($0)" } ?? "",
      ] + exporter.profileTexts, recipe: output.embedsRecipe ? try text(JSONEncoder()) : nil)
    return output.metadata.applied(to: metadata)
  }
}
