import Containers
import ImageCore

/// Finds camera raws that end early before they are decoded: LibRaw fills what is missing with
/// zeros for some formats. Uses the pixel offsets that the containers declare.
enum RawCompleteness {
  /// Fails when `file` is shorter than it declares.
  static func require(
    _ file: FileBytes, _ tiff: TIFFFile?, _ stage: RAWError.Stage
  ) throws(RAWError) {
    let isComplete =
      if let tiff {
        hasPixels(tiff, file)
      } else if file.matches("FUJIFILMCCD-RAW", at: 0) {
        fujiIsComplete(file)
      } else if file.matches("ftypcrx", at: 4) {
        try RAWError.translating(stage) { () throws(FormatError) in
          let boxes = try CR3Boxes(file)
          // LibRaw looks at no more tracks.
          return boxes.isComplete
            && boxes.pictures.prefix(16).allSatisfy { CRXHeaders.holdBands($0, file) }
        }
      } else {
        true
      }
    guard isComplete else {
      throw RAWError(
        .damaged, stage,
        "the file (\(file.count) bytes) ends before its pixel data do; copy it again",
        path: file.path)
    }
  }

  /// Whether `file` starts as one of the containers of camera raws that are no TIFF.
  static func isKnownContainer(_ file: FileBytes) -> Bool {
    let marks = [
      ("FUJIFILMCCD-RAW", 0), ("ftypcrx", 4), ("HEAPCCDR", 6), ("FOVb", 0), ("\0MRM", 0),
    ]
    return marks.contains { file.matches($0.0, at: $0.1) }
  }

  /// Whether every directory that may hold the raw picture lies within the file with its strips or
  /// tiles. Previews are not looked at, since cameras describe them carelessly, but for CR2, where
  /// they are stored last.
  private static func hasPixels(_ tiff: TIFFFile, _ file: FileBytes) -> Bool {
    // Canon's CR2 has the raw strip in the fourth directory, the preview in the first.
    let isCR2 = tiff.isCR2(file)
    var found = false
    for directory in tiff.directories where directory.role != .exif && directory.role != .gps {
      let compression = directory[TIFFTag.compression]?.integer ?? TIFFTag.Compression.none
      let isRaw =
        isCR2 || tiff.magic != 42 && tiff.magic != 43
        || (directory[TIFFTag.newSubfileType]?.integer ?? 0) == 0
          && (directory.isMosaic
            || compression >= TIFFTag.Compression.sonyARW
              && compression != TIFFTag.Compression.lossyJPEG)
      guard isRaw else { continue }
      let tags = TIFFTag.chunks(isTiled: directory[TIFFTag.tileOffsets] != nil)
      // Panasonic names the start of the raw data apart (0x118).
      let most = file.limits.maxItems
      let places = directory[0x118] ?? directory[tags.offsets]
      let starts = places?.integers(atMost: most) ?? []
      let lengths = directory[tags.byteCounts]?.integers(atMost: most) ?? []
      guard !starts.isEmpty else { continue }
      found = true
      for (index, start) in starts.enumerated() {
        let length = index < lengths.count ? max(lengths[index], 1) : 1
        if !file.holds(start, length) { return false }
      }
    }
    if isCR2 { return tiff.directory(.main(3))?[TIFFTag.stripOffsets] != nil }
    return found || !tiff.pointsOutside
  }

  /// Fujifilm RAF: offset and length of the sensor data are stored at 100 and 104, big-endian.
  private static func fujiIsComplete(_ file: FileBytes) -> Bool {
    guard let start = file.integer(UInt32.self, at: 100, bigEndian: true),
      let length = file.integer(UInt32.self, at: 104, bigEndian: true)
    else { return false }
    return file.holds(Int(start), Int(length))
  }
}
