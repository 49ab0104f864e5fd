import Containers

/// Position of the samples in a Fujifilm RAF: at 100, big-endian, is the offset of a TIFF
/// structure; the directory in its tag 0xF000 contains the sample offset, relative to that
/// structure, in 0xF007.
struct RAFMosaic {
  /// Offset of the first byte in the file; may be beyond its end.
  let start: Int

  /// The samples of `file`; nil if it is not a RAF, or its directories are damaged.
  init?(_ file: FileBytes) {
    guard file.matches("FUJIFILMCCD-RAW", at: 0),
      let base = file.integer(UInt32.self, at: 100, bigEndian: true).map({ Int($0) }),
      let tiff = try? TIFFFile(file, base: base), let directory = tiff.first[0xF000]?.integer,
      file.holds(base, directory),
      let offset = (0..<64).lazy.compactMap({ index in
        let entry = base + directory + 2 + 12 * index
        return file.integer(UInt16.self, at: entry, bigEndian: tiff.bigEndian) == 0xF007
          ? file.integer(UInt32.self, at: entry + 8, bigEndian: tiff.bigEndian) : nil
      }).first
    else { return nil }
    start = base + Int(offset)
  }
}
