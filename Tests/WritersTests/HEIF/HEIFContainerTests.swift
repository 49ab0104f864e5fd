import Formats
import ImageCore
import Testing

@testable import Writers

struct HEIFContainerTests {
  private func file(properties: Int) throws -> ParsedHEIF {
    var file = HEIFContainer(majorBrand: "heic", compatibleBrands: ["mif1"])
    for index in 0..<properties {
      _ = file.add(
        HEIFContainer.Item(
          type: "hvc1", storage: .media([UInt8(index & 255), 7]), isHidden: true,
          properties: [.size(PixelSize(width: index + 1, height: 2)), .auxiliary("a")]))
    }
    let derived = file.add(
      HEIFContainer.Item(
        type: "tmap", storage: .inline([1, 2, 3]),
        references: [
          HEIFContainer.Reference("dimg", to: [1, 2]), HEIFContainer.Reference("auxl", to: [3]),
        ]))
    file.add(xmp: [9], about: [derived, 1])
    file.alternatives = [derived, 1]
    return try ParsedHEIF(try file.head() + file.media.flatMap { $0 })
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
    var file = HEIFContainer(majorBrand: "heic", compatibleBrands: [])
    for _ in 0..<65_600 { _ = file.add(HEIFContainer.Item(type: "hvc1", storage: .media([]))) }
    #expect(throws: WriteError.self) { try file.head() }
  }
}
