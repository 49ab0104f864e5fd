import Export
import ImageCore
import Readers
import Recipes
import TestSupport
import Testing
import Writers

@testable import Develop

@Suite struct FiniteSourceTests {
  private static let size = PixelSize(width: 19, height: 5)

  private static func source(_ value: Float, plane: Int, x: Int, y: Int) throws -> FiniteSource {
    FiniteSource(
      try Image<DisplayReferred>(size: size, info: .init(primaries: .bt2020, headroom: 1)) {
        planes in
        for c in 0..<3 {
          for row in 0..<size.height {
            planes.row(c, row).update(repeating: 1e38, count: size.width)
          }
        }
        planes.row(plane, y)[x] = value
      })
  }

  /// In every plane, in full vectors and after them; one value ends reading, and is remembered.
  @Test(arguments: [Float.nan, -.nan, .infinity, -.infinity])
  func whatIsNoNumberIsFound(value: Float) throws {
    for (plane, x, y) in [(0, 0, 0), (1, 7, 4), (2, 15, 2), (0, 16, 3), (1, 18, 0), (2, 18, 4)] {
      let source = try Self.source(value, plane: plane, x: x, y: y)
      let buffer = try PlanarBuffer(size: Self.size)
      #expect(source.isFinite)
      #expect(throws: PixelError.cancelled) {
        try source.read(PixelRect(x: 0, y: y, width: Self.size.width, height: 1), into: buffer)
      }
      #expect(!source.isFinite, "\(plane) \(x) \(y)")
      try source.read(
        PixelRect(x: 0, y: (y + 1) % 5, width: Self.size.width, height: 1), into: buffer)
      #expect(!source.isFinite)
    }
  }

  /// Large values are finite, pixels are passed on, and padding after a row does not count.
  @Test func numbersArePassedOn() throws {
    let source = try Self.source(-3e38, plane: 1, x: 3, y: 2)
    let buffer = try PlanarBuffer(size: Self.size)
    for c in 0..<3 { buffer.row(c, 1)[Self.size.width] = .nan }
    try source.read(PixelRect(Self.size), into: buffer)
    #expect(source.isFinite && buffer.row(1, 2)[3] == -3e38 && buffer.row(0, 2)[3] == 1e38)
  }

  /// A picture of a gain map with values beyond all range is refused and leaves no file.
  @Test(arguments: [(Float.infinity, false), (0.5, true)])
  func infinitePicturesAreNotWritten(value: Float, isWritten: Bool) throws {
    let folder = try TestFolder()
    var output = Recipe.Output()
    output.format = .pngSDR
    let picture = try Image<DisplayReferred>(
      size: Self.size, info: .init(primaries: output.primaries, headroom: 1)
    ) { planes in
      for c in 0..<3 {
        for y in 0..<Self.size.height {
          planes.row(c, y).update(repeating: value, count: Self.size.width)
        }
      }
    }
    let written = try? output.exporter(workers: 1).write(
      FinishedPicture(picture: picture), metadata: CaptureMetadata(),
      to: .replacing(folder.file("a.png")),
      whereInfinite: .infiniteGain("in.jpg"))
    #expect((written != nil) == isWritten)
    #expect(folder.names == (isWritten ? ["a.png"] : []))
  }
}
