import Foundation
import Readers

@testable import Containers
@testable import Remux

/// A HEIF file in other legal layouts: versions of its tables, widths of numbers, parts of items,
/// order of boxes, unknown boxes.
struct RelaidHEIF {
  var locationVersion = 1
  var wideNumbers = false
  var wideOffsets = false
  var hasBase = false
  /// Bytes of the first part of each item; the rest follows elsewhere.
  var split: Int?
  var mediaFirst = false
  var longMediaHeader = false
  var openEnd = false
  var unknownBoxes = false

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(type.utf8) + content
  }
  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
  }

  func bytes(_ source: [UInt8]) throws -> [UInt8] {
    let file = try HEIFDocument(FileBytes(source))
    var media: [UInt8] = []
    var inline: [UInt8] = []
    var extents: [Int: [(Int, Int)]] = [:]
    var rests: [(Int, [UInt8])] = []
    for number in file.meta.order {
      guard let storage = file.meta.items[number]?.storage else { continue }
      let data = try file.bytes(of: number)
      guard case .source(_, let isInline) = storage, !isInline || locationVersion == 0 else {
        extents[number] = [(inline.count, data.count)]
        inline += data
        continue
      }
      let first = min(split ?? data.count, data.count)
      extents[number] = [(media.count, first)]
      media += data[..<first]
      if first < data.count { rests.append((number, Array(data[first...]))) }
    }
    for (number, rest) in rests.reversed() {
      extents[number]?.append((media.count, rest.count))
      media += rest
    }
    let isInline = { (number: Int) -> Bool in
      if case .source(_, let isInline) = file.meta.items[number]?.storage {
        return isInline && locationVersion > 0
      }
      return false
    }
    let brands = Self.box("ftyp", file.brands)
    let extra = unknownBoxes ? Self.box("abcd", [1, 2, 3]) : []
    let header = longMediaHeader ? 16 : 8
    func meta(_ start: Int) -> [UInt8] {
      let idWidth = locationVersion == 2 ? 4 : 2
      let width = wideOffsets ? 8 : 4
      var iloc: [UInt8] = [UInt8(locationVersion), 0, 0, 0]
      iloc += [UInt8(width << 4 | width), UInt8((hasBase ? width : 0) << 4)]
      iloc += Self.number(extents.count, idWidth)
      for number in file.meta.order {
        guard let parts = extents[number] else { continue }
        iloc += Self.number(number, idWidth)
        if locationVersion > 0 { iloc += Self.number(isInline(number) ? 1 : 0, 2) }
        iloc += [0, 0]
        let base = isInline(number) ? 0 : start
        if hasBase { iloc += Self.number(base, width) }
        iloc += Self.number(parts.count, 2)
        for (offset, count) in parts {
          iloc += Self.number(offset + (hasBase ? 0 : base), width) + Self.number(count, width)
        }
      }
      let n = wideNumbers ? 4 : 2
      let version: [UInt8] = [wideNumbers ? 1 : 0, 0, 0, 0]
      let infos = file.meta.order.flatMap { number -> [UInt8] in
        guard wideNumbers, let info = file.meta.items[number]?.info else {
          return file.meta.items[number]?.info ?? []
        }
        // Version 3 has numbers of four bytes.
        return Self.box(
          "infe", [3] + info[9..<12] + Self.number(number, 4) + info[14...])
      }
      let references = file.meta.references.flatMap { reference in
        Self.box(
          reference.type,
          Self.number(reference.from, n) + Self.number(reference.to.count, 2)
            + reference.to.flatMap { Self.number($0, n) })
      }
      var ipma: [UInt8] = [wideNumbers ? 1 : 0, 0, 0, wideNumbers ? 1 : 0]
      let described = file.meta.order.filter {
        !(file.meta.items[$0]?.associations.isEmpty ?? true)
      }.sorted()
      ipma += Self.number(described.count, 4)
      for number in described {
        let list = file.meta.items[number]?.associations ?? []
        ipma += Self.number(number, n) + [UInt8(list.count)]
        for a in list {
          ipma +=
            wideNumbers
            ? Self.number(a.property + 1 | (a.isEssential ? 0x8000 : 0), 2)
            : [UInt8(a.property + 1) | (a.isEssential ? 0x80 : 0)]
        }
      }
      var content: [UInt8] = file.meta.head
      for case .copied(let bytes) in file.meta.children { content += bytes }
      if unknownBoxes { content += Self.box("wxyz", [9, 9]) }
      content += Self.box("pitm", version + Self.number(file.meta.primary, n))
      content += Self.box("iloc", iloc)
      content += Self.box("iinf", version + Self.number(file.meta.order.count, n) + infos)
      if !references.isEmpty { content += Self.box("iref", version + references) }
      content += Self.box(
        "iprp", Self.box("ipco", Array(file.meta.properties.joined())) + Self.box("ipma", ipma))
      if !inline.isEmpty { content += Self.box("idat", inline) }
      let groups = file.meta.groups.flatMap { group in
        Self.box(
          group.type,
          group.head + Self.number(group.members.count, 4)
            + group.members.flatMap { Self.number($0, 4) } + group.tail)
      }
      if !groups.isEmpty { content += Self.box("grpl", groups) }
      return Self.box("meta", content)
    }
    let start =
      brands.count + extra.count + (mediaFirst ? 0 : meta(0).count) + header
    let length = media.count + header
    let head: [UInt8] =
      openEnd
      ? Self.number(0, 4) + Array("mdat".utf8)
      : longMediaHeader
        ? Self.number(1, 4) + Array("mdat".utf8) + Self.number(length, 8)
        : Self.number(length, 4) + Array("mdat".utf8)
    let tail = unknownBoxes && !openEnd ? Self.box("uuid", Array(1...40)) : []
    return brands + extra
      + (mediaFirst ? head + media + meta(start) : meta(start) + head + media) + tail
  }
}
