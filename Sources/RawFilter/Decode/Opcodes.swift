/// The headers of a DNG opcode list (DNG 1.7.1 chapter 7): always big-endian, a count, then for each
/// opcode its number, version, flags and length, and its data.
enum Opcodes {
  /// How many opcodes of `list` have no effect here: all but the map polynomials of list 2. A list
  /// that ends early counts up to its end.
  static func unapplied(in list: [UInt8], isSecondList: Bool) -> Int {
    guard let bytes = try? FileBytes(list),
      let count = bytes.integer(UInt32.self, at: 0, bigEndian: true)
    else { return 0 }
    var (position, found) = (4, 0)
    for _ in 0..<count {
      guard let id = bytes.integer(UInt32.self, at: position, bigEndian: true),
        let length = bytes.integer(UInt32.self, at: position + 12, bigEndian: true)
      else { break }
      if !(isSecondList && id == 8) { found += 1 }
      position += 16 + Int(length)
    }
    return found
  }
}
