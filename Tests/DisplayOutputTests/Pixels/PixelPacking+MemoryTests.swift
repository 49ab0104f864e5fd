import Foundation
import ImageCore
import TestSupport
import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct PixelPackingMemoryTests {
  /// Renders into the one or two planes of `memory`.
  static func render(
    _ packing: PixelPacking, _ picture: any PixelSource<DisplayReferred>, _ layout: PixelLayout,
    _ memory: [UnsafeMutableRawBufferPointer]
  ) throws -> PixelAttachments {
    var first = memory[0].mutableBytes
    guard memory.count == 2 else {
      return try packing.render(picture, as: layout, into: &first, workers: 2)
    }
    var second = memory[1].mutableBytes
    return try packing.render(
      picture, as: layout, intoLuma: &first, chroma: &second, workers: 2)
  }

  /// The same bytes as in memory of its own, in rows of any length, and nothing after them.
  @Test(arguments: PixelFormat.allCases) func bytesAreThoseOfThePacking(format: PixelFormat) throws
  {
    let picture = EditScene.picture(61, 147, headroom: 4, primaries: .bt2020) { x, y in
      SIMD3(Float(x) / 20, Float(y) / 50, Float((x + y) % 9) / 3)
    }
    let transfer: SignalTransfer = format == .rgba8 ? .srgb : .hlg
    let packing = try PixelPacking(format, transfer: transfer, rowAlignment: 1)
    let packed = try packing(picture)
    let pitches = packed.planes.map { $0.bytesPerRow + 7 }
    let memory = zip(packed.planes, pitches).map { plane, pitch in
      UnsafeMutableRawBufferPointer.allocate(
        byteCount: plane.bytes.count / plane.bytesPerRow * pitch, alignment: 64)
    }
    defer { memory.forEach { $0.deallocate() } }
    for plane in memory { plane.initializeMemory(as: UInt8.self, repeating: 0xA5) }
    let layout = PixelLayout(size: picture.size, bytesPerRow: pitches)
    let attachments = try Self.render(packing, picture, layout, memory)
    #expect(attachments.transfer == transfer && attachments.primaries == .bt2020)
    for (index, plane) in packed.planes.enumerated() {
      for y in 0..<plane.bytes.count / plane.bytesPerRow {
        let row = memory[index][y * pitches[index]..<(y + 1) * pitches[index]]
        let wanted = plane.bytes[y * plane.bytesPerRow..<(y + 1) * plane.bytesPerRow]
        #expect(row.prefix(plane.bytesPerRow).elementsEqual(wanted), "plane \(index), row \(y)")
        #expect(row.suffix(7).allSatisfy { $0 == 0xA5 })
      }
    }
  }

  /// Memory that another process sees: a file mapped for sharing.
  @Test func sharedMemoryHoldsThePicture() throws {
    let path = NSTemporaryDirectory() + "shared-\(UUID().uuidString)"
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    defer {
      close(file)
      unlink(path)
    }
    let picture = EditScene.noise(61, 47)
    let packing = try PixelPacking(.rgbaHalf, transfer: .linear, primaries: .displayP3)
    let packed = try packing(picture)
    let (count, pitch) = (packed.planes[0].bytes.count, packed.planes[0].bytesPerRow)
    try #require(file >= 0 && ftruncate(file, off_t(count)) == 0)
    let start = try #require(mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
    try #require(start != MAP_FAILED)
    defer { munmap(start, count) }
    let memory = UnsafeMutableRawBufferPointer(start: start, count: count)
    let attachments = try Self.render(
      packing, picture, PixelLayout(size: picture.size, bytesPerRow: [pitch]), [memory])
    let seen = try PackedPicture(
      size: picture.size, format: .rgbaHalf,
      planes: [.init(bytes: [UInt8](Data(contentsOf: URL(filePath: path))), bytesPerRow: pitch)],
      attachments: attachments)
    #expect(EditScene.isSame(try seen.linear(), try packed.linear()))
    #expect(EditScene.range(try seen.linear()).upperBound > 7.9)
  }

  @Test func memoryThatDoesNotFitIsRefused() throws {
    let picture = EditScene.flat(SIMD3(1, 1, 1), 8, 4)
    let packing = try PixelPacking(.rgba8, transfer: .srgb, primaries: .displayP3)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 16)
    defer { memory.deallocate() }
    func render(_ size: PixelSize, _ planes: [UnsafeMutableRawBufferPointer], _ rows: [Int]) throws
    {
      _ = try Self.render(packing, picture, PixelLayout(size: size, bytesPerRow: rows), planes)
    }
    let half = UnsafeMutableRawBufferPointer(rebasing: memory[0..<127])
    for (size, planes, rows) in [
      (PixelSize(width: 9, height: 4), [memory], [32]), (picture.size, [memory, memory], [32]),
      (picture.size, [memory], [31]), (picture.size, [half], [32]),
      (picture.size, [memory], [.max]),
      (picture.size, [memory], []),
    ] {
      #expect(throws: OperatorError.self) { try render(size, planes, rows) }
    }
    try render(picture.size, [memory], [32])
  }
}
