import Containers

/// Refuses damaged files that would take LibRaw 0.20 down, before it sees them: it divides by zero,
/// writes beyond its memory or reads for minutes. What later versions do with them, a picture comes
/// of none.
enum LibRawHazards {
  /// Fails for a hazard in `file`; `tiff` is its structure, where it is a TIFF.
  static func refuse(_ file: FileBytes, _ tiff: TIFFFile?) throws(RAWError) {
    try PhaseOneDirectories.requireEnd(file)
    try refuseOverrunBoxes(file)
    if let tiff {
      try CanonRawDecoder.requireSliceWidths(tiff, file)
      try refuseLoneFilters(tiff, file)
    }
  }

  /// A CR3 with a box longer than what it lies in: LibRaw goes through it byte by byte, up to 2^63.
  private static func refuseOverrunBoxes(_ file: FileBytes) throws(RAWError) {
    guard file.matches("ftypcrx", at: 4) else { return }
    let boxes = try RAWError.translating(.open) { () throws(FormatError) in try CR3Boxes(file) }
    guard boxes.hasOverrun else { return }
    throw RAWError(
      .damaged, .open, "its boxes are longer than the file; copy the file again", path: file.path)
  }

  /// 36 filters (CFAPattern) that are not said to repeat after 6 × 6 (CFARepeatPatternDim): LibRaw
  /// copies them, and whatever follows in the file, over its own memory.
  private static func refuseLoneFilters(_ tiff: TIFFFile, _ file: FileBytes) throws(RAWError) {
    for directory in tiff.directories {
      guard directory.malformed.contains(33422) || directory[33422]?.count == 36,
        directory[33421]?.integers != [6, 6]
      else { continue }
      throw RAWError(
        .damaged, .open, "its color filter pattern has no size; copy the file again",
        path: file.path)
    }
  }
}
