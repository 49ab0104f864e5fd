import ImageCore
import Readers
import Testing

@testable import Containers
@testable import Remux

@Suite struct HEIFGainMapRemovalTests {
  /// A file with a long packet that mentions a gain map, used by `copies` further items.
  private func sharing(copies: Int) throws -> [UInt8] {
    var document = try HEIFDocument(FileBytes(HEIFDocumentTests.written()))
    let packet =
      XMPWriter.packet(descriptions: [AppleGainMap(headroom: 2).xmpDescription])
      + [UInt8](repeating: 0x20, count: 100_000)
    func add(_ storage: HEIFMeta.Storage) -> Int {
      document.meta.addItem("mime", storage, isHidden: true, contentType: HEIFMeta.xmpType)
    }
    let number = add(.new(packet, isInline: false))
    document = try HEIFDocument(FileBytes(document.bytes()))
    let storage = try #require(document.meta.items[number]?.storage)
    for _ in 0..<copies { _ = add(storage) }
    return try document.bytes()
  }

  /// Each item would be rewritten.
  @Test func packetsOfManyItemsAreRefused() throws {
    let few = try sharing(copies: 2)
    let edited = try GainMapEditor(few).discardingGainMap().bytes
    let mark = Array("HDRGainMap".utf8)
    #expect(few.firstRange(of: mark) != nil && edited.firstRange(of: mark) == nil)
    #expect(edited.count > 250_000)

    let many = try sharing(copies: 300)
    #expect(many.count < 400_000)
    let error = #expect(throws: ReadError.self) { try GainMapEditor(many).discardingGainMap() }
    #expect(error?.code == .damaged && error?.message.contains("items overlap") == true)
  }

  /// Names of maps are known by all of their bytes.
  @Test func longerNamesAreOthers() throws {
    var document = try HEIFDocument(FileBytes(HEIFDocumentTests.written()))
    let maps = document.auxiliaryMaps
    let name = HEIFProperty.appleGainMap + String(repeating: "\u{301}\u{323}", count: 200)
    document.meta.add(.auxiliary(name), to: document.meta.primary)
    #expect(!maps.isEmpty && document.auxiliaryMaps == maps)
  }

  /// Each is compared with every reference.
  @Test func manyToneMapsAreRefused() throws {
    var document = try HEIFDocument(FileBytes(HEIFDocumentTests.written()))
    func bytes(adding count: Int) throws -> [UInt8] {
      for _ in 0..<count {
        _ = document.meta.addItem("tmap", .new([], isInline: true), isHidden: false)
      }
      return try document.bytes()
    }
    #expect(try HEIFDocument(FileBytes(bytes(adding: 255))).toneMaps.count == 256)
    let error = #expect(throws: FormatError.self) {
      try HEIFDocument(FileBytes(bytes(adding: 1)))
    }
    #expect(error?.message.contains("more than 256 gain maps") == true)
  }
}
