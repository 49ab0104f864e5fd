/// The texts and numbers in the header of an OpenEXR file (OpenEXR file layout, version 2):
/// attributes of a name, a type, a length and a value, until an empty name.
package struct EXRHeader {
  /// 20000630, little-endian.
  private static let magic: [UInt8] = [0x76, 0x2F, 0x31, 0x01]

  /// The values of type `string`, by name.
  package private(set) var texts: [String: String] = [:]
  /// The values of type `float`, by name.
  package private(set) var numbers: [String: Float] = [:]

  /// Nil for what is no OpenEXR file, or has a header that ends early.
  package init?(_ file: FileBytes) {
    guard let bytes = file.bytes(0, min(file.count, FormatLimits.exrHeaderBytes)),
      bytes.starts(with: Self.magic)
    else { return nil }
    var at = 8
    /// The text up to the next NUL.
    func name() -> String? {
      guard at < bytes.count, let end = bytes[at...].prefix(256).firstIndex(of: 0) else {
        return nil
      }
      defer { at = end + 1 }
      return String(decoding: bytes[at..<end], as: UTF8.self)
    }
    while let key = name() {
      if key.isEmpty { return }
      guard let type = name(), at + 4 <= bytes.count else { return nil }
      let count = (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
      at += 4
      guard count <= bytes.count - at else { return nil }
      if type == "string" { texts[key] = String(decoding: bytes[at..<at + count], as: UTF8.self) }
      if type == "float", count == 4 {
        numbers[key] = file.integer(UInt32.self, at: at, bigEndian: false)
          .map(Float.init(bitPattern:))
      }
      at += count
    }
    return nil
  }
}
