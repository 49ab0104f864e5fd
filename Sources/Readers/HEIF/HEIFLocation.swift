package import Containers

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

  package static func list(_ box: ISOCursor) throws(ReadError) -> [(Int, HEIFLocation)] {
    var box = box
    let version = try box.version().version
    guard version <= 2 else {
      throw ReadError(.unsupported, "its table of places has version \(version); 2 is the latest")
    }
    let sizes = try box.u16()
    let (offsetBytes, lengthBytes) = (sizes >> 12, sizes >> 8 & 15)
    let (baseBytes, indexBytes) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy([0, 4, 8].contains) else {
      throw ISOCursor.damaged("the table of places has numbers of no known width")
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
        throw ISOCursor.damaged("item \(number) has \(count) parts in one place")
      }
      var extents: [Extent] = []
      for _ in 0..<count {
        let index = try box.uint(indexBytes)
        let (offset, overflow) = base.addingReportingOverflow(try box.uint(offsetBytes))
        let length = try box.uint(lengthBytes)
        guard !overflow else {
          throw ISOCursor.damaged("item \(number) lies beyond any file")
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

/// The bytes of items. Those of one are no more than the file has, at each depth of items within items,
/// however its tables overlap.
struct HEIFItemReader {
  private static let maxDepth = 4

  let file: FileBytes
  let items: HEIFItems

  func bytes(of number: Int) throws(ReadError) -> [UInt8] {
    var budget = Self.maxDepth * file.count
    return try bytes(of: number, depth: 0, &budget)
  }

  private func bytes(
    of number: Int, depth: Int, _ budget: inout Int
  ) throws(ReadError) -> [UInt8] {
    let outside = ISOCursor.damaged("item \(number) lies outside the file")
    guard let location = items[number]?.location else { throw outside }
    guard location.isHere, let origin = location.origin else {
      throw ReadError(
        .unsupported, "item \(number) is kept in another file; give the whole picture")
    }
    guard depth < Self.maxDepth else {
      throw ISOCursor.damaged("item \(number) is part of too many others")
    }
    let sources = origin == .item ? items.targets("iloc", of: number) : []
    var result: [UInt8] = []
    for extent in location.extents {
      func part(of whole: Int) throws(ReadError) -> Range<Int> {
        guard extent.offset <= whole else { throw outside }
        let length = extent.length ?? (whole - extent.offset)
        guard length <= whole - extent.offset, length <= budget else { throw outside }
        budget -= length
        return extent.offset..<extent.offset + length
      }
      switch origin {
      case .file:
        let range = try part(of: file.count)
        result += file.bytes(range.lowerBound, range.count) ?? []
      case .inline:
        let range = try part(of: items.inline.count)
        result += items.inline.dropFirst(range.lowerBound).prefix(range.count)
      case .item:
        let place = max(extent.index, 1) - 1
        guard place < sources.count else { throw outside }
        let whole = try bytes(of: sources[place], depth: depth + 1, &budget)
        result += whole[try part(of: whole.count)]
      }
    }
    return result
  }
}
