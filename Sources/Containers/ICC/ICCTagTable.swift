package import ImageCore

/// The tag table of an ICC profile (ICC.1:2022, clause 7.3): signatures, offsets, lengths. Read
/// here because lcms2 up to 2.17 cannot read `cicp`, which it reads as 16 bytes where the standard
/// has 12, and hands out a `chad` of fewer than nine values.
package struct ICCTagTable: Sendable {
  /// Bytes before the number of rows, which takes four.
  package static let headerBytes = 128
  /// Signature, offset, length.
  package static let rowBytes = 12
  private let file: FileBytes
  private let elements: [String: (offset: Int, length: Int)]
  /// Where the tags with processing elements begin. Of two tags with one signature lcms2 may take
  /// either.
  private let pipelines: [Int]

  /// Nil when `profile` has no header, or a table that does not fit.
  package init?(_ profile: [UInt8]) {
    guard profile.count <= FormatLimits.blockBytes, let file = try? FileBytes(profile),
      file.matches("acsp", at: 36),
      let count = file.integer(UInt32.self, at: Self.headerBytes, bigEndian: true),
      count <= FormatLimits.profileTags,
      file.holds(Self.headerBytes + 4, Int(count) * Self.rowBytes)
    else { return nil }
    var elements: [String: (offset: Int, length: Int)] = [:]
    var pipelines: [Int] = []
    for index in 0..<Int(count) {
      let row = Self.headerBytes + 4 + Self.rowBytes * index
      guard let signature = file.bytes(row, 4),
        let offset = file.integer(UInt32.self, at: row + 4, bigEndian: true),
        let length = file.integer(UInt32.self, at: row + 8, bigEndian: true),
        file.holds(Int(offset), Int(length))
      else { continue }
      elements[String(decoding: signature, as: UTF8.self)] = (Int(offset), Int(length))
      if file.matches("mpet", at: Int(offset)) { pipelines.append(Int(offset)) }
    }
    self.file = file
    self.elements = elements
    self.pipelines = pipelines
  }

  /// Whether lcms2 may be given the profile: its processing elements are no more, and no larger,
  /// than in genuine profiles (``ICCElements``).
  package var hasFewElements: Bool {
    pipelines.allSatisfy { ICCElements.areFew(in: file, at: $0) }
  }

  /// Whether linear values come from three-dimensional tables or other processing elements.
  package var hasLookup: Bool {
    ["A2B0", "A2B1", "D2B0", "D2B1"].contains { elements[$0] != nil }
  }

  /// Primaries, transfer and matrix of `cicp` (clause 10.3); nil if missing, or invalid in an RGB
  /// profile.
  package var codePoints: [UInt16]? {
    guard let (offset, length) = elements["cicp"], length == 12, file.matches("cicp", at: offset),
      let points = file.bytes(offset + 8, 4), points[2] == 0, points[3] == 1
    else { return nil }
    return points.prefix(3).map { UInt16($0) }
  }

  /// The tag and the type of the headroom adaptive gain curve, SMPTE ST 2094-50 in a profile.
  package static let adaptiveGainCurve = (tag: "HAGC", type: "hagc")

  /// Its element, unchanged; nil if missing, or longer than a curve can be.
  package var adaptiveGainCurve: [UInt8]? {
    guard let (offset, length) = elements[Self.adaptiveGainCurve.tag], 9...65_536 ~= length,
      file.matches(Self.adaptiveGainCurve.type, at: offset)
    else { return nil }
    return file.bytes(offset, length)
  }

  /// From the white of the device to D50 (`chad`, clause 9.2.15), nine numbers in steps of 1/65536;
  /// nil when the profile does not declare it.
  package var adaptation: Matrix3? {
    guard let (offset, length) = elements["chad"], length >= 44, file.matches("sf32", at: offset)
    else { return nil }
    let values = (0..<9).compactMap { index in
      file.integer(Int32.self, at: offset + 8 + 4 * index, bigEndian: true)
        .map { Double($0) / 65_536 }
    }
    return values.count == 9 ? Matrix3(values) : nil
  }
}
