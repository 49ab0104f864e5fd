import Testing

@testable import Containers

@Suite struct MultiPictureIndexTests {
  @Test("An index of two pictures is read back as written")
  func twoPictures() throws {
    let bytes = try #require(
      MultiPictureIndex.ofTwo(first: 1000, second: 300, secondOffset: 900))
    #expect(bytes.count == MultiPictureIndex.byteCountOfTwo)
    let file = try FileBytes([UInt8](repeating: 9, count: 100) + bytes)
    let index = try #require(MultiPictureIndex(file, 100..<100 + bytes.count))
    #expect(index.others.map(\.kind) == [0] && index.others.map(\.start) == [1000])
    let block = try FileBytes(bytes)
    let first = try #require(MultiPictureIndex.Entry(block, at: 50, bigEndian: true))
    #expect(first.kind == 0x03_0000 && first.size == 1000 && first.offset == 0)
    #expect(first.bytes(bigEndian: true) == Array(bytes[50..<66]))
  }

  @Test("Sizes and offsets beyond 32 bits are refused")
  func tooLarge() {
    for value in [-1, 1 << 32] {
      #expect(MultiPictureIndex.ofTwo(first: value, second: 1, secondOffset: 1) == nil)
      #expect(MultiPictureIndex.ofTwo(first: 1, second: value, secondOffset: 1) == nil)
      #expect(MultiPictureIndex.ofTwo(first: 1, second: 1, secondOffset: value) == nil)
    }
  }

  @Test("A damaged index is nil", arguments: 0..<82)
  func damage(cut: Int) throws {
    let bytes = try #require(MultiPictureIndex.ofTwo(first: 10, second: 3, secondOffset: 9))
    let file = try FileBytes([0] + bytes[..<cut])
    #expect(MultiPictureIndex(file, 1..<1 + cut)?.others.isEmpty ?? true)
  }
}
