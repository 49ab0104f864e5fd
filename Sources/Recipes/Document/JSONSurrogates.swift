/// Replaces the surrogate pairs of JSON (`\ud83d\ude00`, RFC 8259 §7), which YAML does not have,
/// by their character. Unpaired surrogates stay.
enum JSONSurrogates {
  /// JSON `text` with its pairs replaced.
  static func joined(_ text: String) -> String {
    guard text.contains(#"\u"#) else { return text }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    func unit(_ start: Int) -> UInt32? {
      guard start + 6 <= bytes.count, bytes[start] == 0x5C, bytes[start + 1] == 0x75 else {
        return nil
      }
      var value: UInt32 = 0
      for byte in bytes[start + 2..<start + 6] {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
        value = value << 4 | UInt32(digit)
      }
      return value
    }
    var index = 0
    while index < bytes.count {
      guard bytes[index] == 0x5C else {
        out.append(bytes[index])
        index += 1
        continue
      }
      if let high = unit(index), let low = unit(index + 6), (0xD800...0xDBFF).contains(high),
        (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      {
        out += Array(String(Character(scalar)).utf8)
        index += 12
      } else {
        out += bytes[index..<min(index + 2, bytes.count)]
        index += 2
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
