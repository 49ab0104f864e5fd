import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

/// Files that store several raw pictures: each is read as if it were alone.
@Suite struct RAWFilterFrameTests {
  private static let size = PixelSize(width: 96, height: 64)

  private static func sensor(_ frame: Int) -> SimulatedSensor {
    var sensor = SimulatedSensor()
    (sensor.defectCount, sensor.seed) = (0, UInt64(frame))
    return sensor
  }

  private static func frame(_ frame: Int) -> DNGWriter {
    let width = Float(size.width)
    return sensor(frame).expose(size: size) { x, y in
      SIMD3(repeating: (0.1 + 0.6 * Float(x) / width) / Float(frame))
    }
  }

  /// Three frames, each darker than the last.
  private static func file() throws -> RAWFilter {
    var file = frame(1)
    file.furtherFrames = [frame(2).samples, frame(3).samples]
    file.preview = DNGPreview(
      size: PixelSize(width: 8, height: 8), srgb: Array(repeating: 99, count: 192))
    return try RAWFilter(data: Data(file.bytes))
  }

  @Test func eachFrameOfADNGIsItself() throws {
    var filter = try Self.file()
    #expect(filter.frameCount == 3 && filter.supportedAdjustments.contains("frameNumber"))
    filter.look = .scene
    for number in [2, 1, 3, 2] {
      var alone = try RAWFilter(data: Data(Self.frame(number).bytes))
      #expect(alone.frameCount == 1 && !alone.supportedAdjustments.contains("frameNumber"))
      alone.look = .scene
      filter.frameNumber = number
      let (a, b) = (try filter.outputImage().image, try alone.outputImage().image)
      #expect(AdjustmentTests.isSame(a, b), "frame \(number)")
    }
    #expect(filter.contentUUID != (try Self.file()).contentUUID)
    // As LibRaw reads it.
    let file = try filter.file.frame(3)
    let (own, other) = (try file.decode(), try file.decode(by: .libRaw))
    for y in 0..<own.size.height { #expect(own.linear(row: y) == other.linear(row: y)) }
  }

  @Test func framesThatAreNotThereAreRefused() throws {
    var filter = try Self.file()
    filter.frameNumber = 4
    let error = #expect(throws: RAWError.self) { try filter.outputImage() }
    #expect(error?.code == .badSetting && error?.setting == "frameNumber")
    #expect(error?.message.contains("stores 3 frames and has no frame 4") == true)
    var single = try RAWFilter(data: Data(Self.frame(1).bytes))
    single.frameNumber = 2
    #expect(throws: RAWError.self) { try single.outputImage() }
    single.frameNumber = 1
    _ = try single.plan()
    single.frameNumber = 0
    #expect(throws: RAWError.self) { try single.plan() }
  }

  /// Pentax's pixel shift: directories that follow one another, read through LibRaw.
  @Test func eachFrameOfAPEFIsItself() throws {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .pefUncompressed })
    let frames = (1...4).map { number in
      sample.exposed { x, _ in SIMD3(repeating: (0.1 + 0.002 * Float(x)) / Float(number)) }
    }
    var raw = frames[0]
    raw.furtherFrames = frames.dropFirst().map(\.samples)
    let file = try RawFile.open(bytes: raw.written().bytes)
    #expect(file.info.frameCount == 4)
    for number in 1...4 {
      let (own, alone) = (
        try file.frame(number).decode(),
        try RawFile.open(bytes: frames[number - 1].written().bytes).decode()
      )
      for y in 0..<own.size.height {
        #expect(own.linear(row: y) == alone.linear(row: y), "frame \(number)")
      }
    }
  }

  @Test func filesOfOneFrameSaySo() throws {
    for sample in CameraSample.all where sample.decoders.contains(LibRawVersion.installed.minor) {
      let raw = sample.exposed { _, _ in SIMD3(repeating: 0.2) }
      let file = try RawFile.open(bytes: raw.written().bytes)
      #expect(file.info.frameCount == 1, "\(sample)")
    }
  }
}
