// What decoding a picture costs, as far as its headers and the length of its data say: for every
// reader that hands JPEGs of others to libjpeg.

extension JPEGSegments {
  /// Whether the picture is in several scans, progressive or by components.
  package func isInScans(_ frame: JPEGFrame) -> Bool {
    guard let scan else { return false }
    let components = file.integer(UInt8.self, at: scan.lowerBound, bigEndian: true) ?? 0
    return frame.isProgressive || Int(components) < frame.components
  }

  /// Bytes that the decoder holds besides samples: pictures in several scans are stored as 16-bit
  /// coefficients until the last one, at any scale.
  package func coefficientBytes(of frame: JPEGFrame) -> Int {
    isInScans(frame) ? frame.blocks * 128 : 0
  }

  /// Whether fewer bytes follow the header of the first `scan` than the minimum for `frame`:
  /// Huffman coding needs one bit for each block; arithmetic coding (0xC9…) may need less.
  package func endsEarly(_ frame: JPEGFrame, _ scan: Range<Int>) -> Bool {
    !frame.isArithmetic && file.count - scan.upperBound < frame.blocks / 8
  }

  /// Whether a picture in several scans has more of them than its length explains, which ends at
  /// `end` at the latest: every scan visits every block, and an EOB run codes 32767 of them in 15
  /// bits, arithmetic coding any number in none. Without this limit a megabyte could take minutes.
  /// Real pictures have about ten scans, and one bit for each block in one of them, so 32 are
  /// always allowed; more need proportional data. The decoder refuses more than 500.
  package func hasTooManyScans(for frame: JPEGFrame, before end: Int = .max) -> Bool {
    guard isInScans(frame) else { return false }
    let (always, maxScans, blocksPerByte) = (32, 500, 256)
    let count = scans(atMost: maxScans + 1, before: end)
    let bytes = max(min(end, file.count) - start, 1 << 17)
    return count > always && count * frame.blocks > blocksPerByte * bytes
  }
}
