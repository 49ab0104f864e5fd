import Containers
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Readers

@Suite struct HEIFGainMapTests {
  private static let base = try? TestHEIF.Coded(PixelSize(width: 64, height: 48))
  private static let map = try? TestHEIF.Coded(PixelSize(width: 32, height: 24), seed: 20)

  private func file(record: [UInt8]?, apple: String?) throws -> TestHEIF {
    TestHEIF.mapped(
      try #require(Self.base), try #require(Self.map), record: record, apple: apple)
  }

  private func record(_ stops: Double = 2, baseSpace: Bool = true) throws -> [UInt8] {
    try GainMapMetadata(
      channels: [.init(maximumStops: stops)], alternateHeadroomStops: stops,
      usesBaseColorSpace: baseSpace
    ).isoRecord
  }

  private let apple = TestHEIF.apple(headroom: 3)

  @Test func theRecordComesFirst() throws {
    let both = try StillImage(file(record: record(), apple: apple).bytes())
    #expect(both.gainMap?.formats == [.iso, .apple] && both.notes.isEmpty)
    #expect(both.contentHeadroom == 4 && both.gainMap?.channels == 3)
    #expect(both.gainMap?.alternatePrimaries == .bt2020)
    let alone = try StillImage(file(record: nil, apple: apple).bytes())
    #expect(alone.gainMap?.formats == [.apple] && abs(alone.contentHeadroom - 3) < 1e-6)
    #expect(alone.gainMap?.alternatePrimaries == nil)
    let none = try StillImage(file(record: nil, apple: nil).bytes())
    // The map is a picture of its own then.
    #expect(none.gainMap == nil && none.contentHeadroom == 1)
    #expect(none.notes == ["the file has 2 pictures; the primary one is read"])
  }

  /// Names of auxiliary pictures and types of items are known by all of their bytes.
  @Test func longerNamesAreOthers() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 200)
    var file = try file(record: nil, apple: apple)
    let name = TestHEIF.auxiliary(HEIFProperty.appleGainMap)
    let index = try #require(file.properties.firstIndex(of: name))
    file.properties[index] = TestHEIF.auxiliary(HEIFProperty.appleGainMap + marks)
    let other = try StillImage(file.bytes())
    #expect(other.gainMap == nil && other.notes.isEmpty)
    // Without the packet that says how bright the map is.
    file.properties[index] = name
    file.items[file.items.count - 1].contentType = "application/rdf+xml" + marks
    let silent = try StillImage(file.bytes())
    #expect(silent.gainMap == nil && silent.notes.count == 1)
  }

  /// A map that cannot be used leaves a picture and a note.
  @Test func damagedMapsAreNoted() throws {
    var bad = try record()
    bad.replaceSubrange(9..<13, with: [0, 0, 0, 0])
    let fallback = try StillImage(file(record: bad, apple: apple).bytes())
    #expect(fallback.gainMap?.formats == [.apple] && fallback.notes.count == 1)
    let lost = try StillImage(file(record: bad, apple: "<x/>").bytes())
    #expect(lost.gainMap == nil && lost.notes.count == 2)
    #expect(try lost.picture().contentHeadroom == 1)
    var later = try file(record: record(), apple: nil)
    later.items[2].data[0] = 1
    #expect(try StillImage(later.bytes()).notes.count == 1)
    var pixels = try file(record: record(), apple: nil)
    pixels.items[1].data = [0, 0, 0, 9]
    let still = try StillImage(pixels.bytes())
    #expect(throws: ReadError.self) { try still.container.gainMap() }
    #expect(try TestHEIF.codes(still).count == 64 * 48 * 3)
    var shape = try file(record: record(), apple: nil)
    shape.items[1].properties.removeFirst()
    #expect(try StillImage(shape.bytes()).notes.count == 1)
  }

  /// Apple's map is used by whatever says how bright it is: ISO's parameters in its XMP, else the
  /// numbers of the maker note.
  @Test func applesMapWithoutItsVersion() throws {
    func packet(_ description: String) -> String {
      String(decoding: TestJPEG.packet(description), as: UTF8.self)
    }
    func image(_ xmp: String, maker: (Int, Int)?) throws -> StillImage {
      var file = try file(record: nil, apple: packet(xmp))
      if let maker {
        let segment = TestJPEG.exif(maker: maker)
        file.items.append(.init(number: 9, type: "Exif", data: [0, 0, 0, 0] + segment[10...]))
        file.references.append(("cdsc", 9, [1]))
      }
      return try StillImage(file.bytes())
    }
    #expect(try image(TestGainMap.toneMap(), maker: nil).gainMap?.formats == [.iso])
    let later = try image(TestGainMap.toneMap(version: "2"), maker: (1000, 0))
    #expect(later.gainMap?.formula == .apple(headroom: 8))
    #expect(try image("<rdf:Description/>", maker: (0, 0)).contentHeadroom > 3.4)
    #expect(try image("<rdf:Description/>", maker: nil).gainMap == nil)
  }

  /// A primary item that is the map's own is the picture with the map.
  @Test func toneMapItemsMayBePrimary() throws {
    var file = try file(record: record(), apple: nil)
    file.primary = 3
    let still = try StillImage(file.bytes())
    #expect(still.size == PixelSize(width: 64, height: 48) && still.gainMap?.formats == [.iso])
  }

  @Test(arguments: [true, false])
  func standardDisplayGetsTheBase(isISO: Bool) throws {
    let still = try StillImage(
      file(record: isISO ? record(baseSpace: false) : nil, apple: apple).bytes())
    let pictures = try [still.base(), still.linear(.standard), still.linear(.high)].map { source in
      let buffer = try PlanarBuffer(size: source.size)
      try source.read(PixelRect(source.size), into: buffer)
      return (0..<3).flatMap { plane in
        (0..<48).flatMap { y in (0..<64).map { buffer.row(plane, y)[$0].bitPattern } }
      }
    }
    #expect(pictures[0] == pictures[1] && pictures[0] != pictures[2])
  }

  /// The map lies as the picture does: turned by its own steps, by the picture's where it has none,
  /// not at all where it is upright already.
  @Test func mapsTurnWithThePicture() throws {
    let turn = TestHEIF.box("irot", [1])
    var own = try file(record: record(), apple: nil)
    for number in [1, 2] { own.add(number, turn) }
    var borrowed = try file(record: record(), apple: nil)
    borrowed.add(1, turn)
    let (a, b) = (try StillImage(own.bytes()), try StillImage(borrowed.bytes()))
    #expect(a.size == PixelSize(width: 48, height: 64))
    #expect(
      a.gainMap?.size == PixelSize(width: 24, height: 32) && b.gainMap?.size == a.gainMap?.size)
    #expect(try a.container.gainMap() == b.container.gainMap())
    var upright = TestHEIF.mapped(
      try #require(Self.base), try TestHEIF.Coded(PixelSize(width: 24, height: 32)),
      record: try record(), apple: nil)
    upright.add(1, turn)
    #expect(
      try StillImage(upright.bytes()).container.gainMap().size == PixelSize(width: 24, height: 32))
  }
}
