import Containers

/// Rejects damaged files that make LibRaw 0.20 crash, before LibRaw reads them: it divides by zero,
/// writes out of bounds or reads for minutes. No LibRaw version gets a picture from them.
enum LibRawHazards {
  /// Throws for a hazard in `file`; `tiff` is its structure, if it is a TIFF.
  static func refuse(_ file: FileBytes, _ tiff: TIFFFile?) throws(RAWError) {
    try PhaseOneDirectories.requireEnd(file)
    try refuseOverrunBoxes(file)
    if let tiff {
      try CanonRawDecoder.requireSliceWidths(tiff, file)
      try refuseEndlessNames(tiff, file)
    }
  }

  /// A CR3 with a box longer than its parent: LibRaw scans it byte by byte, up to 2^63.
  private static func refuseOverrunBoxes(_ file: FileBytes) throws(RAWError) {
    guard file.matches("ftypcrx", at: 4) else { return }
    let boxes = try RAWError.translating(.open) { () throws(FormatError) in try CR3Boxes(file) }
    guard boxes.hasOverrun else { return }
    throw RAWError(
      .damaged, .open, "its boxes extend beyond the end of the file; copy the file again",
      path: file.path)
  }

  /// Maximum length of a Hasselblad name in bytes; LibRaw reads 63, whatever the file declares.
  private static let longestName = 48

  /// A Hasselblad whose name (Model, UniqueCameraModel) is not terminated: LibRaw appends more than
  /// its buffer holds.
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
