import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Opcodes in complete files, by `RAWFilter`.
@Suite struct LensCorrectionTests {
  private typealias B = OpcodeBytes

  /// A gray mosaic of `level` with opcode lists 1, 2 and 3.
  static func file(
    _ lists: [UInt8: [UInt8]], level: Float = 0.2,
    size: PixelSize = PixelSize(width: 96, height: 64)
  ) throws -> RAWFilter {
    var sensor = SimulatedSensor()
    (sensor.defectCount, sensor.cropMargin) = (0, 0)
    var writer = sensor.expose(size: size) { _, _ in SIMD3(repeating: level) }
    for (list, bytes) in lists {
      writer.additionalFields[[51008, 51009, 51022][Int(list) - 1]] = .bytes(bytes)
    }
    return try RAWFilter(data: Data(try writer.bytes))
  }

  private static let area = OpcodeBytes.area(planes: 3)

  @Test func canBeSwitchedOff() throws {
    var filter = try Self.file([3: B.list(B.vignette([1, 0, 0, 0, 0]))])
    filter.boostAmount = 0
    filter.extendedDynamicRangeAmount = 1
    let corrected = try filter.outputImage().image
    filter.isLensCorrectionEnabled = false
    let plain = try filter.outputImage().image
    let (corner, center) = (PixelPoint(x: 3, y: 3), PixelPoint(x: 48, y: 32))
    #expect(corrected[corner.x, corner.y].y > 1.7 * plain[corner.x, corner.y].y)
    #expect(abs(corrected[center.x, center.y].y / plain[center.x, center.y].y - 1) < 0.05)
    #expect(filter.isLensCorrectionSupported)
    // Without such opcodes there is nothing to switch.
    let other = try Self.file([2: B.list(B.gainMap(1, 1, [1.5]))])
    #expect(!other.isLensCorrectionSupported)
    #expect(!other.supportedAdjustments.contains("isLensCorrectionEnabled"))
  }

  @Test func decodesOnceWhereListsAskForNoMore() throws {
    var filter = try Self.file([3: B.list(B.vignette([1, 0, 0, 0, 0]))])
    _ = try filter.outputImage()
    filter.isLensCorrectionEnabled = false
    _ = try filter.outputImage()
    #expect(filter.picture.counts == (1, 2))
    _ = try filter.outputImage()
    #expect(filter.picture.counts == (1, 2))
    // A vignette before the demosaic asks for the numbers again.
    var second = try Self.file([2: B.list(B.vignette([1, 0, 0, 0, 0]))])
    let first = try second.outputImage().image
    second.isLensCorrectionEnabled = false
    let plain = try second.outputImage().image
    #expect(second.picture.counts == (2, 2))
    #expect(first[3, 3].y > plain[3, 3].y)
  }

  @Test func draftsLeaveOutWhatMayBe() throws {
    let skipped = B.list(B.gainMap(1, 1, [2], Self.area, flags: 3))
    var filter = try Self.file([3: skipped])
    filter.boostAmount = 0
    filter.extendedDynamicRangeAmount = 1
    let full = try filter.outputImage().image
    filter.isDraftModeEnabled = true
    let draft = try filter.outputImage().image
    #expect(abs(full[40, 30].y / draft[40, 30].y - 2) < 0.1)
  }

  @Test func peakSeesTheGains() throws {
    let filter = try Self.file([3: B.list(B.gainMap(1, 1, [4], Self.area))])
    let plain = try Self.file([:])
    let ratio = try filter.inspection().scenePeak / plain.inspection().scenePeak
    #expect(abs(ratio - 4) < 0.05)
    var half = filter
    half.scaleFactor = 0.5
    #expect(try half.scenePipeline().info.peak == filter.scenePipeline().info.peak)
    _ = try half.outputImage()
    #expect(try half.scenePipeline().info.peak == filter.scenePipeline().info.peak)
  }

  @Test func trimsMakeThePictureSmaller() throws {
    let trim = { (t: Int, l: Int, b: Int, r: Int) in B.list(B.opcode(6, B.words(t, l, b, r))) }
    for list: UInt8 in [2, 3] {
      let filter = try Self.file([list: trim(3, 5, 43, 85)])
      #expect(filter.nativeSize == PixelSize(width: 80, height: 40))
      let picture = try filter.outputImage().image
      #expect(picture.size == filter.outputSize)
      let middle = picture[40, 20]
      #expect(abs(middle.x / middle.y - 1) < 0.05 && abs(middle.z / middle.y - 1) < 0.05)
      var half = filter
      half.scaleFactor = 0.5
      #expect(try half.outputImage().image.size == PixelSize(width: 40, height: 20))
    }
  }

  @Test func reducedResolutionIsCorrectedToo() throws {
    var filter = try Self.file([3: B.list(B.vignette([1, 0, 0, 0, 0]))])
    filter.boostAmount = 0
    filter.extendedDynamicRangeAmount = 1
    let full = try filter.outputImage().image
    filter.scaleFactor = 0.5
    let half = try filter.outputImage().image
    for (x, y) in [(4, 4), (24, 16), (40, 28)] {
      let mean = (full[2 * x, 2 * y].y + full[2 * x + 1, 2 * y + 1].y) / 2
      #expect(abs(half[x, y].y / mean - 1) < 0.05)
    }
  }

  @Test func damagedListsAreRefusedWhenOpened() {
    for list: UInt8 in 1...3 {
      let error = #expect(throws: (any Error).self) {
        try Self.file([list: [0, 0, 0, 9, 1, 2, 3]])
      }
      #expect((error as? RAWError)?.code == .damaged)
      #expect((error as? RAWError)?.message.contains("OpcodeList\(list)") == true)
    }
  }
}
