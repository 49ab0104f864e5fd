import Formats
import Foundation
import HDRRender
import ImageCore
import Writers

@testable import Containers
@testable import Readers

/// A HEIF file put together box by box, so that any of it can be wrong.
struct TestHEIF {
  struct Item {
    var number: Int
    var type: String
    var data: [UInt8] = []
    var isInline = false
    var contentType: String?
    /// Indices in ``properties``, from 1 on, and whether they are essential.
    var properties: [(Int, Bool)] = []
  }

  var brand = "heic"
  var primary = 1
  var items: [Item] = []
  var properties: [[UInt8]] = []
  var references: [(type: String, from: Int, to: [Int])] = []
  var groups: [[Int]] = []
  /// Replaces the box of that name in `meta`.
  var replaced: [String: [UInt8]] = [:]

  static func u16(_ value: Int) -> [UInt8] {
    [8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
  static func u32(_ value: Int) -> [UInt8] { u16(value >> 16) + u16(value) }
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    u32(content.count + 8) + Array(type.utf8) + content
  }
  static func full(_ type: String, _ version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, 0] + content)
  }
  static func size(_ width: Int, _ height: Int) -> [UInt8] {
    full("ispe", 0, u32(width) + u32(height))
  }
  static func auxiliary(_ name: String) -> [UInt8] { full("auxC", 0, Array(name.utf8) + [0]) }
  static func nclx(_ p: Int, _ t: Int, _ m: Int, full: Bool = true) -> [UInt8] {
    box("colr", Array("nclx".utf8) + u16(p) + u16(t) + u16(m) + [full ? 0x80 : 0])
  }
  static func crop(_ numbers: [Int]) -> [UInt8] { box("clap", numbers.flatMap(u32)) }

  /// Adds a property, or finds it, and returns its index.
  mutating func index(_ property: [UInt8]) -> Int {
    if let index = properties.firstIndex(of: property) { return index + 1 }
    properties.append(property)
    return properties.count
  }

  mutating func add(_ number: Int, essential: Bool = true, _ property: [UInt8]) {
    let association = index(property)
    for index in items.indices where items[index].number == number {
      items[index].properties.append((association, essential))
    }
  }

  func bytes() -> [UInt8] {
    let head = Self.box("ftyp", Array("\(brand)\0\0\0\0mif1\(brand)".utf8))
    let media = items.filter { !$0.isInline }.reduce(into: [UInt8]()) { $0 += $1.data }
    let start = head.count + meta(0).count + 8
    return head + meta(start) + Self.box("mdat", media)
  }

  private func meta(_ start: Int) -> [UInt8] {
    var (media, inline) = (start, 0)
    var locations = [0x44, 0] + Self.u16(items.count)
    var infos = Self.u16(items.count)
    for item in items {
      for number in [item.number, item.isInline ? 1 : 0, 0, 1] { locations += Self.u16(number) }
      for number in [item.isInline ? inline : media, item.data.count] {
        locations += Self.u32(number)
      }
      if item.isInline { inline += item.data.count } else { media += item.data.count }
      let content: [UInt8] = item.contentType.map { Array($0.utf8) + [0] } ?? []
      var info = Self.u16(item.number) + Self.u16(0)
      info += Array(item.type.utf8) + [0]
      infos += Self.full("infe", 2, info + content)
    }
    let described = items.filter { !$0.properties.isEmpty }
    var associations = Self.u32(described.count)
    for item in described {
      associations += Self.u16(item.number)
      associations.append(UInt8(item.properties.count))
      for (index, essential) in item.properties {
        associations.append(UInt8(index) | (essential ? 0x80 : 0))
      }
    }
    let handler = Self.u32(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
    let links = references.map { link in
      Self.box(link.type, Self.u16(link.from) + Self.u16(link.to.count) + link.to.flatMap(Self.u16))
    }
    let altr = groups.map { group in
      Self.full("altr", 0, Self.u32(900) + Self.u32(group.count) + group.flatMap(Self.u32))
    }
    let container = Self.box("ipco", Array(properties.joined()))
    var boxes: [(String, [UInt8])] = []
    boxes.append(("hdlr", Self.full("hdlr", 0, handler)))
    boxes.append(("pitm", Self.full("pitm", 0, Self.u16(primary))))
    boxes.append(("iloc", Self.full("iloc", 1, locations)))
    boxes.append(("iinf", Self.full("iinf", 0, infos)))
    boxes.append(("iref", Self.full("iref", 0, Array(links.joined()))))
    boxes.append(("iprp", Self.box("iprp", container + Self.full("ipma", 0, associations))))
    boxes.append(("idat", Self.box("idat", items.filter(\.isInline).flatMap(\.data))))
    boxes.append(("grpl", Self.box("grpl", Array(altr.joined()))))
    return Self.full("meta", 0, boxes.flatMap { replaced[$0.0] ?? $0.1 })
  }
}

extension TestHEIF {
  /// A coded picture: configuration and data, as ``HEIFWriter`` codes it.
  struct Coded {
    let configuration, data: [UInt8]
    let size: PixelSize

    init(_ size: PixelSize, _ transfer: DynamicRangeMix.Transfer = .standard, seed: Int = 0) throws
    {
      let linear = try Image<DisplayReferred>(
        size: size,
        info: .init(primaries: transfer == .standard ? .displayP3 : .bt2020, headroom: 1)
      ) { planes in
        for plane in 0..<3 {
          for y in 0..<size.height {
            for x in 0..<size.width {
              let slope =
                Float((x + plane * 9 + seed) % 64) / 64 * 0.5 + Float(y) / Float(size.height) * 0.4
              planes.row(plane, y)[x] = slope
            }
          }
        }
      }
      let writer = try HEIFWriter(
        .init(.heif, ColorSpace(transfer), chroma: .yuv444, quality: 0.9), workers: 1)
      let file = try FileBytes(try writer.encode(linear))
      let items = try HEIFItems(file)
      configuration = items[1]?.configuration ?? []
      data = try HEIFItemReader(file: file, items: items).bytes(of: 1)
      self.size = size
    }
  }

  /// One plain picture, item 1.
  static func plain(_ coded: Coded) -> TestHEIF {
    var file = TestHEIF()
    file.items = [Item(number: 1, type: "hvc1", data: coded.data)]
    file.add(1, box("hvcC", coded.configuration))
    file.add(1, essential: false, size(coded.size.width, coded.size.height))
    file.add(1, essential: false, nclx(12, 13, 6))
    return file
  }

  /// Item 1 with a map, item 2: `record` in a `tmap` item 3, Apple's words on it in item 4.
  static func mapped(_ base: Coded, _ map: Coded, record: [UInt8]?, apple: String?) -> TestHEIF {
    var file = plain(base)
    file.items.append(Item(number: 2, type: "hvc1", data: map.data))
    file.add(2, box("hvcC", map.configuration))
    file.add(2, essential: false, size(map.size.width, map.size.height))
    if let record {
      file.items.append(Item(number: 3, type: "tmap", data: [0] + record, isInline: true))
      file.add(3, essential: false, nclx(9, 16, 9))
      file.references.append(("dimg", 3, [1, 2]))
      file.groups = [[3, 1]]
    }
    if let apple {
      file.items.append(
        Item(number: 4, type: "mime", data: Array(apple.utf8), contentType: "application/rdf+xml"))
      file.add(2, auxiliary(HEIFProperty.appleGainMap))
      file.references += [("auxl", 2, [1]), ("cdsc", 4, [2])]
    }
    return file
  }

  /// A picture of 64 × 48 pixels with a map of two stops by ISO 21496-1.
  static func twoStopStill() throws -> StillImage {
    let record = try GainMapMetadata(
      channels: [.init(maximumStops: 2)], alternateHeadroomStops: 2
    ).isoRecord
    return try StillImage(
      mapped(
        Coded(PixelSize(width: 64, height: 48)), Coded(PixelSize(width: 32, height: 24), seed: 9),
        record: record, apple: nil
      ).bytes())
  }

  /// What Apple writes of a map.
  static func apple(headroom: Double) -> String {
    let space = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    let description = AppleGainMap(headroom: headroom).xmpDescription
    return "<rdf:RDF xmlns:rdf=\"\(space)\">\n\(description)\n</rdf:RDF>"
  }

  static func codes(_ still: StillImage) throws -> [UInt16] {
    let picture = try still.container.picture()
    let count = picture.size.width * picture.channels
    return (0..<picture.size.height).flatMap { y -> [UInt16] in
      let row = UnsafeRawPointer(picture.row(y))
      return (0..<count).map {
        still.bitDepth > 8
          ? row.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)
          : UInt16(row.loadUnaligned(fromByteOffset: $0, as: UInt8.self))
      }
    }
  }
}
