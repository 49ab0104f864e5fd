import Testing

@testable import Containers

@Suite struct JPEGSegmentsTests {
  private static let kinds: [JPEGIdentifier] = [
    .jfif, .exif, .xmp, .extendedXMP, .profile, .gainMap, .pictures,
  ]

  @Test("Segments are found by their own identifier only")
  func kinds() throws {
    let start: [UInt8] = [0xFF, 0xD8]
    let segments = Self.kinds.enumerated().map { $1.segment([UInt8($0), 7]) }
    let file = try FileBytes(start + segments.flatMap { $0 } + [0xFF, 0xD9])
    let image = try #require(JPEGSegments(file))
    #expect(image.applications.count == Self.kinds.count && image.scan == nil)
    for (index, kind) in Self.kinds.enumerated() {
      let ranges = image.payloads(kind)
      #expect(ranges.count == 1)
      let range = try #require(ranges.first)
      #expect(file.bytes(range.lowerBound, range.count) == [UInt8(index), 7])
      let segment = JPEGSegments.segmentRange(range, kind)
      #expect(file.bytes(segment.lowerBound, segment.count) == segments[index])
    }
  }

  @Test("The longest body fills a segment")
  func longest() {
    let bytes = JPEGIdentifier.xmp.segment(
      [UInt8](repeating: 1, count: JPEGIdentifier.xmp.longestBody))
    #expect(bytes.count == 65_537 && bytes[2] == 0xFF && bytes[3] == 0xFF)
  }
}
