import Codecs

/// LZW as TIFF 6.0, section 13, defines it: codes of 9…12 bits, highest bit first, the width
/// growing one code early, code 256 clears the table, 257 ends the strip.
///
/// The string table is a hash of (prefix code, next byte) with linear probing, at most a quarter
/// full. Noise expands the data, by at most half.
final class LZWCompressor: BlockCompressor {
  private static let (clear, end, firstFree, lastCode) = (256, 257, 258, 4093)
  private static let slotBits = 14
  private var keys = [Int32](repeating: -1, count: 1 << slotBits)
  private var codes = [UInt16](repeating: 0, count: 1 << slotBits)

  func bound(_ count: Int) -> Int { count + count / 2 + 64 }

  func compress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer)
    throws(CodecError) -> Int
  {
    var output = unsafe BitWriter(target: target)
    unsafe keys.withUnsafeMutableBufferPointer { keys in
      unsafe codes.withUnsafeMutableBufferPointer { codes in
        unsafe Self.compress(source, keys, codes, &output)
      }
    }
    return output.finish()
  }

  private static func compress(
    _ source: UnsafeRawBufferPointer, _ keys: UnsafeMutableBufferPointer<Int32>,
    _ codes: UnsafeMutableBufferPointer<UInt16>, _ output: inout BitWriter
  ) {
    var (width, next) = (9, firstFree)
    unsafe keys.update(repeating: -1)
    output.put(clear, width)
    guard let first = unsafe source.first else { return output.put(end, width) }
    var prefix = Int(first)
    for index in 1..<source.count {
      let byte = unsafe source[index]
      let key = Int32(truncatingIfNeeded: prefix << 8 | Int(byte))
      var slot = Int((UInt32(bitPattern: key) &* 2_654_435_761) >> UInt32(32 - slotBits))
      while unsafe keys[slot] != key, unsafe keys[slot] != -1 {
        slot = (slot &+ 1) & (keys.count &- 1)
      }
      if unsafe keys[slot] == key {
        prefix = unsafe Int(codes[slot])
        continue
      }
      output.put(prefix, width)
      prefix = Int(byte)
      unsafe keys[slot] = key
      unsafe codes[slot] = UInt16(truncatingIfNeeded: next)
      if next == lastCode {
        output.put(clear, width)
        unsafe keys.update(repeating: -1)
        (width, next) = (9, firstFree)
      } else {
        if next == 1 << width - 1 { width += 1 }
        next += 1
      }
    }
    output.put(prefix, width)
    if next == 1 << width - 1, width < 12 { width += 1 }
    output.put(end, width)
  }

  /// Packs codes into bytes, highest bit first.
  @safe private struct BitWriter {
    private let target: UnsafeMutableRawBufferPointer
    private var count = 0
    private var pending: UInt32 = 0
    private var pendingBits = 0

    init(target: UnsafeMutableRawBufferPointer) { unsafe self.target = target }

    mutating func put(_ code: Int, _ width: Int) {
      pending = pending << UInt32(truncatingIfNeeded: width) | UInt32(truncatingIfNeeded: code)
      pendingBits &+= width
      while pendingBits >= 8 {
        pendingBits &-= 8
        let byte = pending >> UInt32(truncatingIfNeeded: pendingBits)
        unsafe target[count] = UInt8(truncatingIfNeeded: byte)
        count &+= 1
      }
    }

    mutating func finish() -> Int {
      if pendingBits > 0 { put(0, 8 - pendingBits) }
      return count
    }
  }
}
