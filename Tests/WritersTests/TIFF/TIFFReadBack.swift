import CTIFF

/// The samples of a TIFF as libtiff decodes them, row by row, R, G and B interleaved.
enum TIFFReadBack {
  static func samples<Sample>(_ path: String, as type: Sample.Type, count: Int) -> [Sample]? {
    guard let tiff = TIFFOpen(path, "r") else { return nil }
    defer { TIFFClose(tiff) }
    var failed = false
    let samples = [Sample](unsafeUninitializedCapacity: count) { buffer, made in
      var rest = UnsafeMutableRawBufferPointer(buffer)
      for strip in 0..<TIFFNumberOfStrips(tiff) {
        let read = Int(TIFFReadEncodedStrip(tiff, strip, rest.baseAddress, tmsize_t(rest.count)))
        guard read > 0 else { break }
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[read...])
      }
      failed = !rest.isEmpty
      made = count
    }
    return failed ? nil : samples
  }
}
