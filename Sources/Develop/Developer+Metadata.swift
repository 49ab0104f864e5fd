import Foundation
import ImageCore
import RawFilter
import Recipes

extension Developer {
  /// The metadata of the file for `output`.
  func metadata(of filter: RAWFilter, for output: Recipe.Output) throws -> CaptureMetadata {
    // The file's name says nothing of the picture.
    var single = recipe
    single.outputs = [Recipe.onlyOutput: output]
    single.output.name = nil
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(single), as: UTF8.self)
    let isUpright = filter.orientation == .up
    let source =
      isUpright && filter.isFrameWhole ? filter.properties : filter.properties.withoutPositions
    let metadata = source.withLensFromXMP.described(by: sidecarDescription).derived(
      from: filter.contentUUID,
      settings: [
        text, sidecarDescription.map { String(decoding: $0, as: UTF8.self) } ?? "",
        colorMatrix.map { "\($0)" } ?? "",
      ], recipe: output.embedsRecipe ? text : nil)
    return output.metadata.applied(to: metadata)
  }
}
