import Containers
import ImageCore

/// Detects truncated camera raws before decoding: LibRaw fills missing data of some formats with
/// zeros. Uses the pixel offsets declared by the containers.
enum RawCompleteness {
  /// Throws if `file` is shorter than declared.
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
          // LibRaw reads no further tracks.
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

  /// Whether `file` starts like a known camera raw container other than TIFF.
  static func isKnownContainer(_ file: FileBytes) -> Bool {
    let marks = [
      ("FUJIFILMCCD-RAW", 0), ("ftypcrx", 4), ("HEAPCCDR", 6), ("FOVb", 0), ("\0MRM", 0),
    ]
    return marks.contains { file.matches($0.0, at: $0.1) }
  }

  /// Whether the strips or tiles of every directory that may contain the raw picture lie within the
  /// file. Previews are not checked, since cameras describe them inaccurately, except for CR2,
  /// where they are stored last.
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
      // Panasonic stores the start of the raw data in a separate tag (0x118).
      let maxItems = file.limits.maxItems
      let offsets = directory[0x118] ?? directory[tags.offsets]
      let starts = offsets?.integers(atMost: maxItems) ?? []
      let lengths = directory[tags.byteCounts]?.integers(atMost: maxItems) ?? []
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
