import Containers
import Formats
import ImageCore
import Testing

@testable import Writers

struct HEIFContainerTests {
  private func file(properties: Int) throws -> ParsedHEIF {
    var file = HEIFDocument(majorBrand: "heic", compatibleBrands: ["mif1"])
    for index in 0..<properties {
      _ = file.add(
        "hvc1", .new([UInt8(index & 255), 7], isInline: false), isHidden: true,
        properties: [.size(PixelSize(width: index + 1, height: 2)), .auxiliary("a")])
    }
    let derived = file.add(
      "tmap", .new([1, 2, 3], isInline: true), references: [("dimg", [1, 2]), ("auxl", [3])])
    file.add(xmp: [9], about: [derived, 1])
    file.meta.primary = 1
    file.meta.group("altr", [derived, 1], anchor: 1)
    return try ParsedHEIF(file.bytes())
  }

  @Test("Items keep their data, properties and references", arguments: [3, 126, 127, 128, 300])
  func items(count: Int) throws {
    let file = try file(properties: count)
    #expect(file.items.count == count + 2)
    for index in 0..<count {
      let item = try #require(file.items[index + 1])
      #expect(item.isHidden && item.data == [UInt8(index & 255), 7])
      #expect(item.properties.map(\.isEssential) == [false, true])
      #expect(
        item.property("ispe") == HEIFProperty.size(PixelSize(width: index + 1, height: 2)).box)
      #expect(item.property("auxC") == HEIFProperty.auxiliary("a").box)
    }
    let (number, derived) = try file.first("tmap")
    #expect(number == count + 1 && derived.data == [1, 2, 3] && !derived.isHidden)
    #expect(derived.reference("dimg") == [1, 2])
    #expect(derived.reference("auxl") == [3])
    let packet = try file.first("mime").item
    #expect(packet.data == [9] && packet.reference("cdsc") == [number, 1])
    #expect(packet.contentType == "application/rdf+xml")
    // A group has a number that no item has.
    let group = try #require(file.alternatives)
    #expect(group.items == [number, 1])
    #expect(file.items[group.number] == nil)
  }

  @Test("More items than a file can number are refused")
  func refusal() {
    var file = HEIFDocument(majorBrand: "heic", compatibleBrands: [])
    for _ in 0..<65_600 { _ = file.add("hvc1", .new([], isInline: false)) }
    #expect(throws: FormatError.self) { try file.bytes() }
  }
}
