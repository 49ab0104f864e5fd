import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct ArrayWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// NEP 1: the magic, version 1.0, the length, a dictionary, spaces and a line break.
  @Test func headersFillWholeLines() {
    for (width, height) in [(1, 1), (7, 12_345), (100_000, 99_999), (1 << 20, 1 << 20)] {
      for depth in FloatDepth.allCases {
        let header = ArrayWriter.header(PixelSize(width: width, height: height), depth)
        #expect(header.count % 64 == 0 && header.last == UInt8(ascii: "\n"))
        #expect(Array(header.prefix(8)) == [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0])
        #expect(Int(header[8]) | Int(header[9]) << 8 == header.count - 10)
        let text = String(decoding: header.dropFirst(10), as: UTF8.self)
        let type = depth == .half ? "<f2" : "<f4"
        #expect(
          text.hasPrefix(
            "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(height), \(width), 3), }"))
      }
    }
  }

  @Test(arguments: [(1, 1), (203, 1), (131, 197), (515, 300)], FloatDepth.allCases)
  func numbersAreThePicture(side: (Int, Int), depth: FloatDepth) throws {
    let picture = FormulaPicture.noise(side.0, side.1, headroom: 6)
    let planes = try PlanarBuffer(size: picture.size)
    try picture.read(PixelRect(picture.size), into: planes)
    let bytes = depth.rawValue / 8
    func number(_ file: [UInt8], _ at: Int) -> Float {
      let bits = (0..<bytes).reduce(UInt32(0)) { $0 | UInt32(file[at + $1]) << UInt32(8 * $1) }
      return bytes == 4
        ? Float(bitPattern: bits) : Float(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
    }
    for layout in ArrayWriter.containers {
      var files: [[UInt8]] = []
      for workers in [1, 3] {
        let file = try ArrayWriter(.init(layout, bits: depth.rawValue), workers: workers)
          .write(picture, to: .replacing(folder.file("a")))
        files.append([UInt8](try #require(FileManager.default.contents(atPath: file.name))))
        #expect(files.last?.count == file.byteCount)
      }
      let isSame = files[0] == files[1]
      #expect(isSame)
      let start = layout == .npy ? ArrayWriter.header(picture.size, depth).count : 0
      #expect(files[0].count == start + picture.size.area * 3 * bytes)
      var wrong = 0
      for y in 0..<side.1 {
        for x in 0..<side.0 {
          for plane in 0..<3 {
            let index =
              layout == .npy
              ? 3 * (y * side.0 + x) + plane : plane * picture.size.area + y * side.0 + x
            let value = planes.row(plane, y)[x]
            let wanted = depth == .half ? Float(Float16(value)) : value
            if number(files[0], start + index * bytes) != wanted { wrong += 1 }
          }
        }
      }
      #expect(wrong == 0)
    }
  }
}
