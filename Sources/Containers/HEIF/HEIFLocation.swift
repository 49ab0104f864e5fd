/// Where the bytes of an item are (`iloc`, ISO/IEC 14496-12:2022 8.11.3).
package struct HEIFLocation {
  /// What offsets count from.
  package enum Origin: Int {
    case file = 0
    case inline = 1
    case item = 2
  }

  package struct Extent {
    package let index, offset: Int
    /// nil: to the end.
    package let length: Int?
  }

  package let origin: Origin?
  /// Whether the bytes are in this file.
  package let isHere: Bool
  package let extents: [Extent]

  /// Where each item is; `count` counts items and extents.
  static func list(
    _ box: ByteCursor, _ count: ItemCount
  ) throws(FormatError) -> [(Int, HEIFLocation)] {
    var (box, total) = (box, count)
    let version = try box.version().version
    guard version <= 2 else {
      throw FormatError(.unsupported, "its iloc version \(version) is unsupported; export it again")
    }
    let sizes = try box.u16()
    let (offsetBytes, lengthBytes) = (sizes >> 12, sizes >> 8 & 15)
    let (baseBytes, indexBytes) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy([0, 4, 8].contains) else {
      throw .contradiction("its iloc box has an invalid field size")
    }
    var list: [(Int, HEIFLocation)] = []
    for _ in 0..<(version < 2 ? try box.u16() : try box.u32()) {
      let number = version < 2 ? try box.u16() : try box.u32()
      let method = version == 0 ? 0 : try box.u16() & 15
      let isHere = try box.u16() == 0
      let base = try box.uint(baseBytes)
      let count = try box.u16()
      // Extents of no bytes could be listed without end.
      guard count <= 1 || offsetBytes + lengthBytes > 0 else {
        throw .contradiction("item \(number) has \(count) extents without offset and length")
      }
      try total.add(1 + count)
      var extents: [Extent] = []
      for _ in 0..<count {
        let index = try box.uint(indexBytes)
        let (offset, overflow) = base.addingReportingOverflow(try box.uint(offsetBytes))
        let length = try box.uint(lengthBytes)
        guard !overflow else {
          throw .contradiction("an offset of item \(number) is out of range")
        }
        extents.append(
          Extent(
            index: index, offset: offset, length: lengthBytes == 0 || length == 0 ? nil : length))
      }
      list.append(
        (number, HEIFLocation(origin: Origin(rawValue: method), isHere: isHere, extents: extents)))
    }
    return list
  }
}
