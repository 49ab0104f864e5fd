import Foundation
import ImageCore
import RawDecode
import RawFilter
import SyntheticRaw
import Testing

@testable import BracketMerge

/// Files of four frames between which the sensor moved by one photosite, of a known scene.
@Suite struct PixelShiftTests {
  private static let size = PixelSize(width: 240, height: 160)

  /// Where the photosite of each frame lies that sees what the first frame's does: the orders and
  /// directions that cameras could take.
  static let orders: [[(x: Int, y: Int)]] = [
    [(0, 0), (0, 1), (1, 1), (1, 0)], [(0, 0), (-1, 0), (-1, -1), (0, -1)],
  ]

  /// Fine structure with edges of strong colors.
  @Sendable static func radiance(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let (u, v) = (Float(x), Float(y))
    let fine = 0.5 + 0.35 * sin(u * u / 90) * cos(v * 0.9 + u * 0.2)
    let patch = IntegerNoise.uniform(
      Int32((u + 0.4 * v) / 17), Int32((v - 0.3 * u + 200) / 13), seed: 3)
    let tint: SIMD3<Float> =
      patch < 0.3 ? SIMD3(1, 0.35, 0.2) : patch < 0.6 ? SIMD3(0.3, 0.6, 1) : SIMD3(1, 1, 1)
    return fine * tint
  }

  private static func sensor(_ seed: UInt64, pattern: MosaicPattern? = .bayer(.rggb))
    -> SimulatedSensor
  {
    var frame = SyntheticBracket.Frame(stops: 0, seed: seed)
    frame.iso = 100
    var bracket = SyntheticBracket(count: 1, spacing: 1, size: size)
    (bracket.pattern, bracket.shot, bracket.read) = (pattern, 5e-5, 2e-8)
    return bracket.sensor(frame)
  }

  /// A DNG of the frames of `radiance` at each frame and position.
  private static func filter(
    _ shifts: [(x: Int, y: Int)],
    radiance: @Sendable @escaping (_ frame: Int, _ x: Int, _ y: Int) -> SIMD3<Float>
  ) throws -> RAWFilter {
    let frames = shifts.enumerated().map { index, shift in
      sensor(UInt64(index + 5)).expose(size: size) { x, y in
        radiance(index, x - shift.x, y - shift.y)
      }
    }
    var file = frames[0]
    file.furtherFrames = frames.dropFirst().map(\.samples)
    file.preview = DNGPreview(
      size: PixelSize(width: 8, height: 8), srgb: Array(repeating: 99, count: 192))
    file.metadata = SyntheticBracket.exif(seconds: 0.02, iso: 100)
    return try RAWFilter(data: Data(file.bytes))
  }

  /// The same frames, each in a DNG of its own.
  private static func members(
    _ shifts: [(x: Int, y: Int)], seed: UInt64 = 5
  ) throws -> [BracketMerge.Member] {
    try shifts.enumerated().map { index, shift in
      var file = sensor(UInt64(index) + seed).expose(size: size) { x, y in
        radiance(x - shift.x, y - shift.y)
      }
      file.metadata = SyntheticBracket.exif(seconds: 0.02, iso: 100)
      return .init(name: "\(index).dng", filter: try RAWFilter(data: Data(file.bytes)))
    }
  }

  private static func scene(_ filter: RAWFilter) throws -> Image<DisplayReferred> {
    var filter = filter
    filter.look = .scene
    return try filter.outputImage().image
  }

  /// The same scene seen by a sensor with all three filters at each position, without noise.
  private static func truth() throws -> Image<DisplayReferred> {
    var sensor = sensor(1, pattern: nil)
    (sensor.shotNoise, sensor.readNoise) = (0, 0)
    var file = sensor.expose(size: size) { radiance($0, $1) }
    file.metadata = SyntheticBracket.exif(seconds: 0.02, iso: 100)
    return try scene(RAWFilter(data: Data(file.bytes)))
  }

  /// PSNR to the largest value of a gray of 1, and the mean error of red and blue against green.
  private static func judged(
    _ image: Image<DisplayReferred>, _ truth: Image<DisplayReferred>,
    in rect: PixelRect = PixelRect(x: 4, y: 4, width: 232, height: 152)
  ) -> (psnr: Double, fringe: Double) {
    var (squares, fringe) = (0.0, 0.0)
    for y in rect.y..<rect.endY {
      for x in rect.x..<rect.endX {
        let off = SIMD3<Double>(image[x, y]) - SIMD3<Double>(truth[x, y])
        squares += (off * off).sum()
        fringe += abs(off.x - off.y) + abs(off.z - off.y)
      }
    }
    let count = Double(rect.width * rect.height)
    let peak = Double(SyntheticBracket.white)
    return (10 * log10(peak * peak / (squares / (3 * count))), fringe / (2 * count * peak))
  }

  @Test(arguments: orders.indices) func colorIsMeasuredAtEachPosition(_ order: Int) throws {
    let filter = try Self.filter(Self.orders[order]) { _, x, y in Self.radiance(x, y) }
    let merged = try BracketMerge().merge([.init(name: "a.dng", filter: filter)])
    for (frame, shift) in zip(merged.report.frames, Self.orders[order]) {
      let found = frame.placement ?? FramePlacement(right: 99)
      #expect(abs(found.right - Double(shift.x)) < 0.2 && abs(found.down - Double(shift.y)) < 0.2)
    }
    let truth = try Self.truth()
    let single = Self.judged(try Self.scene(filter), truth)
    let full = Self.judged(try Self.scene(merged.filter), truth)
    #expect(full.psnr > single.psnr + 3, "\(full.psnr), one frame \(single.psnr)")
    #expect(full.fringe < 0.5 * single.fringe, "\(full.fringe), one frame \(single.fringe)")
    #expect(merged.report.ghostShare == 0)
    // A second reading decodes the frames again.
    let again = try merged.filter.file.decode()
    #expect(again.linearValues == (try merged.filter.file.decode()).linearValues)
  }

  /// Cameras that write each frame as a raw of its own.
  @Test(arguments: orders.indices) func framesMayHaveTheirOwnFiles(_ order: Int) throws {
    let members = try Self.members(Self.orders[order])
    // The demosaiced frames of this scene differ, which looks like motion.
    var merge = BracketMerge()
    merge.removesGhosts = false
    let merged = try merge.merge(members)
    #expect(merged.report.notes.contains { $0.contains("one photosite apart") })
    let reference = try BracketMerge.reference(of: members)
    #expect(merged.report.reference == reference.name && merged.report.frames.count == 4)
    let turned = try merge.merge(members.reversed())
    let linear = try merged.filter.file.decode().linearValues
    #expect(try turned.filter.file.decode().linearValues == linear)
    // The truth is where the first frame saw it.
    let number = try #require(members.firstIndex { $0.name == reference.name })
    let shift = Self.orders[order][number]
    var sensor = Self.sensor(1, pattern: nil)
    (sensor.shotNoise, sensor.readNoise) = (0, 0)
    var file = sensor.expose(size: Self.size) { Self.radiance($0 - shift.x, $1 - shift.y) }
    file.metadata = SyntheticBracket.exif(seconds: 0.02, iso: 100)
    let truth = try Self.scene(RAWFilter(data: Data(file.bytes)))
    let single = Self.judged(try Self.scene(members[number].filter), truth)
    let full = Self.judged(try Self.scene(merged.filter), truth)
    #expect(full.psnr > single.psnr + 3, "\(full.psnr), one frame \(single.psnr)")
  }

  /// Four files of one exposure that are not shifted so are merged as ever.
  @Test func framesOfOneExposureAreAveraged() throws {
    let still = [(x: 0, y: 0), (x: 0, y: 0), (x: 0, y: 0), (x: 0, y: 0)]
    let merged = try BracketMerge().merge(try Self.members(still))
    #expect(merged.report.notes.isEmpty && merged.filter.file.info.layout != .linear)
    var asTheyLie = BracketMerge()
    asTheyLie.alignsFrames = false
    let moved = try asTheyLie.merge(try Self.members(Self.orders[0]))
    #expect(moved.filter.file.info.layout != .linear)
  }

  /// Moving objects come from the first frame alone; the rest is as without motion.
  @Test func motionIsOfOneFrame() throws {
    @Sendable func moving(_ frame: Int, _ x: Int, _ y: Int) -> SIMD3<Float> {
      let (u, v) = (x - 60 - 24 * frame, y - 80)
      return u * u + v * v < 200 ? SIMD3(0.9, 0.1, 0.05) : Self.radiance(x, y)
    }
    let filter = try Self.filter(Self.orders[0], radiance: moving)
    let merged = try BracketMerge().merge([.init(name: "a.dng", filter: filter)])
    let fraction = try #require(merged.report.ghostShare)
    #expect(fraction > 0.02 && fraction < 0.5)
    let (image, single) = (try Self.scene(merged.filter), try Self.scene(filter))
    // Where the ball of each frame is.
    for frame in 0..<4 {
      for (dx, dy) in [(0, 0), (8, 0), (0, -8)] {
        let (x, y) = (60 + 24 * frame + dx, 80 + dy)
        let off = image[x, y] - single[x, y]
        #expect(max(off.max(), -off.min()) < 0.02, "ball \(frame)")
      }
    }
    let rest = PixelRect(x: 4, y: 4, width: 232, height: 44)
    let truth = try Self.truth()
    #expect(
      Self.judged(image, truth, in: rest).psnr > Self.judged(single, truth, in: rest).psnr + 3)
  }

  /// Frames that do not record each position through every filter are not merged.
  @Test func otherFramesAreRefused() throws {
    let still = [(x: 0, y: 0), (x: 0, y: 0), (x: 0, y: 0), (x: 0, y: 0)]
    let filter = try Self.filter(still) { _, x, y in Self.radiance(x, y) }
    let error = #expect(throws: RAWError.self) {
      try BracketMerge().merge([.init(name: "a.dng", filter: filter)])
    }
    #expect(error?.message.contains("through every filter") == true)
    let three = try Self.filter(Array(Self.orders[0].prefix(3))) { _, x, y in Self.radiance(x, y) }
    let refusal = #expect(throws: RAWError.self) {
      try BracketMerge().merge([.init(name: "a.dng", filter: three)])
    }
    #expect(refusal?.message.contains("3 frames") == true)
  }
}
