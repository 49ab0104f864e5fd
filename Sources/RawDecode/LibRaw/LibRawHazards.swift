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
      try refuseEndlessNames(tiff, file)
    }
  }

  /// A CR3 with a box longer than what it lies in: LibRaw goes through it byte by byte, up to 2^63.
  private static func refuseOverrunBoxes(_ file: FileBytes) throws(RAWError) {
    guard file.matches("ftypcrx", at: 4) else { return }
    let boxes = try RAWError.translating(.open) { () throws(FormatError) in try CR3Boxes(file) }
    guard boxes.hasOverrun else { return }
    throw RAWError(
      .damaged, .open, "its boxes extend beyond the end of the file; copy the file again",
      path: file.path)
  }

  /// No name of a Hasselblad is longer, in bytes; LibRaw takes 63, whatever the file says.
  private static let longestName = 48

  /// A Hasselblad whose name (Model, UniqueCameraModel) has no end: LibRaw puts more behind it than
  /// its memory holds.
  private static func refuseEndlessNames(_ tiff: TIFFFile, _ file: FileBytes) throws(RAWError) {
    func texts(_ tag: UInt16) -> [[UInt8]] {
      tiff.directories.compactMap(\.[tag]).compactMap {
        file.bytes($0.offset, min(longestName, file.count - $0.offset))
      }
    }
    let isHasselblad = texts(TIFFTag.make).contains {
      String(decoding: $0, as: UTF8.self).lowercased().contains("hasselblad")
    }
    guard isHasselblad,
      !(texts(TIFFTag.model) + texts(DNGTag.uniqueCameraModel)).allSatisfy({ $0.contains(0) })
    else { return }
    throw RAWError(
      .damaged, .open, "its camera name is not terminated; copy the file again", path: file.path)
  }
}
