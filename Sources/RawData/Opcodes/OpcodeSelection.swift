/// Which of a file's opcodes are applied.
package struct OpcodeSelection: Sendable, Hashable {
  /// Whether distortion, lateral color and vignetting are corrected: WarpRectilinear, WarpFisheye,
  /// FixVignetteRadial and WarpRectilinear2 of every list. GainMap is always applied: it corrects
  /// shading and color cast of the sensor itself, without which colors are wrong.
  package var correctsLens: Bool
  /// Skips opcodes that the file marks as unnecessary for a preview. TrimBounds is never skipped,
  /// since it determines the size of the picture.
  package var isPreview: Bool

  package init(correctsLens: Bool = true, isPreview: Bool = false) {
    self.correctsLens = correctsLens
    self.isPreview = isPreview
  }
}
