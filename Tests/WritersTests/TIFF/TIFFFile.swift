import Foundation

/// A second, independent reader of TIFF and BigTIFF directories, little-endian: the writer's bytes
/// are checked against the format, not against the library that wrote them.
struct TIFFFile {
  struct Field: Equatable {
    var type: Int
    var count: Int
    var payload: [UInt8]

    /// Unsigned numbers of a SHORT, LONG or 8-byte field.
    var numbers: [Int] {
      let width = TIFFFile.width(type)
      return (0..<count).map { TIFFFile.number(payload, $0 * width, width) }
    }
    var text: String { String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self) }
  }

  let bytes: [UInt8]
  let isBig: Bool
  private(set) var main: [Int: Field] = [:]

  init?(path: String) {
    guard let data = FileManager.default.contents(atPath: path), data.count > 16 else { return nil }
    bytes = [UInt8](data)
    guard bytes[0] == 0x49, bytes[1] == 0x49 else { return nil }
    isBig = bytes[2] == 43
    main = directory(at: Self.number(bytes, isBig ? 8 : 4, isBig ? 8 : 4))
  }

  func directory(at start: Int) -> [Int: Field] {
    let word = isBig ? 8 : 4
    var at = start + (isBig ? 8 : 2)
    var fields: [Int: Field] = [:]
    for _ in 0..<Self.number(bytes, start, isBig ? 8 : 2) {
      let type = Self.number(bytes, at + 2, 2)
      let count = Self.number(bytes, at + 4, word)
      let length = count * Self.width(type)
      let offset =
        length <= word ? at + 4 + word : Self.number(bytes, at + 4 + word, word)
      fields[Self.number(bytes, at, 2)] = Field(
        type: type, count: count, payload: [UInt8](bytes[offset..<offset + length]))
      at += 4 + 2 * word
    }
    return fields
  }

  /// The directory that `tag` of the main directory points to.
  func subdirectory(_ tag: Int) -> [Int: Field] {
    main[tag]?.numbers.first.map { directory(at: $0) } ?? [:]
  }

  private static func width(_ type: Int) -> Int {
    [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8, 13: 4, 16: 8, 18: 8][type] ?? 0
  }
  private static func number(_ bytes: [UInt8], _ at: Int, _ width: Int) -> Int {
    bytes[at..<at + width].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
