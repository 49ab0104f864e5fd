/// The patches of a JPEG XL frame (ISO/IEC 18181-1, annex on patches): rectangles of earlier frames
/// that are put on it, each many times. Codes of no bits make millions of them of some bytes, and
/// libjxl takes as many as a quarter of the frame's pixels, of any size.
enum JPEGXLPatches {
  /// The meaning of a number, which selects its code.
  private enum Context: Int {
    case rectangles, frame, size, origin, position, mode, step, copies, alpha, clamp
    static let count = 10
  }

  /// The pixels of all patches, each as often as it is put; nil when they are damaged. `bits` are
  /// at the start of the frame's first part.
  static func pixels(extraChannels: Int, _ bits: inout JPEGXLBits) -> Double? {
    guard var numbers = JPEGXLNumbers(contexts: Context.count, &bits) else { return nil }
    func next(_ context: Context) -> Int { Int(numbers.next(context: context.rawValue, &bits)) }
    var pixels = 0.0
    for _ in 0..<next(.rectangles) {
      _ = next(.frame)
      for _ in 0..<2 { _ = next(.origin) }
      let (width, height) = (next(.size) + 1, next(.size) + 1)
      let copies = next(.copies) + 1
      pixels += Double(width) * Double(height) * Double(copies)
      for copy in 0..<copies {
        for _ in 0..<2 { _ = next(copy == 0 ? .position : .step) }
        for _ in 0...extraChannels {
          let (multiply, firstOfAlpha) = (3, 4)
          let mode = next(.mode)
          if mode >= firstOfAlpha, extraChannels > 1 { _ = next(.alpha) }
          if mode >= multiply { _ = next(.clamp) }
        }
        if bits.isExhausted { return nil }
      }
    }
    return bits.isExhausted ? nil : pixels
  }
}
