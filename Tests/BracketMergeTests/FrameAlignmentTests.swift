import Foundation
import ImageCore
import RawDecode
import RawFilter
import RawSensor
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct FrameAlignmentTests {
  static let size = PixelSize(width: 600, height: 400)
  static let scene = SyntheticScene(size: size)

  /// The terrace as seen by a camera moved by `placement`.
  static func radiance(
    _ placement: FramePlacement, _ x: Int, _ y: Int, samples: Int = 3
  ) -> SIMD3<Float> {
    // A point of the frame is the point of the reference that is moved there.
    let (cx, cy) = (Float(size.width - 1) / 2, Float(size.height - 1) / 2)
    let angle = -Float(placement.rotation) * .pi / 180
    let scale = 1 / Float(placement.scale)
    var sum = SIMD3<Float>()
    for j in 0..<samples {
      for i in 0..<samples {
        let u = Float(x) + (Float(i) + 0.5) / Float(samples) - 0.5 - cx - Float(placement.right)
        let v = Float(y) + (Float(j) + 0.5) / Float(samples) - 0.5 - cy - Float(placement.down)
        let px = scale * (cos(angle) * u - sin(angle) * v) + cx
        let py = scale * (sin(angle) * u + cos(angle) * v) + cy
        // The scene counts from the corner of the first pixel.
        sum += scene.light(x: px + 0.5, y: py + 0.5)
      }
    }
    return sum / Float(samples * samples)
  }

  static func bracket(_ pattern: MosaicPattern? = .bayer(.rggb)) -> SyntheticBracket {
    var bracket = SyntheticBracket(count: 3, spacing: 2)
    (bracket.size, bracket.pattern) = (size, pattern)
    return bracket
  }

  private func offset(_ a: FramePlacement, _ b: FramePlacement) -> Double {
    func similarity(_ p: FramePlacement) -> Similarity {
      let angle = p.rotation * .pi / 180
      return Similarity(
        right: p.right, down: p.down, a: p.scale * cos(angle) - 1, b: p.scale * sin(angle))
    }
    let (first, second) = (similarity(a), similarity(b))
    let (w, h) = (Double(Self.size.width) / 2, Double(Self.size.height) / 2)
    return [(-w, -h), (w, -h), (-w, h), (w, h)].map { corner in
      let (p, q) = (first(corner.0, corner.1), second(corner.0, corner.1))
      return hypot(p.x - q.x, p.y - q.y)
    }.max() ?? 0
  }

  @Test(arguments: [
    FramePlacement(right: 0.37, down: -0.61), FramePlacement(right: 13.2, down: 7.7),
    FramePlacement(right: -31.4, down: 18.9), FramePlacement(rotation: 1.3),
    FramePlacement(right: 5.3, down: -2.2, rotation: -0.6, scale: 1.004),
  ])
  func placementsAreFound(placement: FramePlacement) throws {
    let bracket = Self.bracket()
    let members = try bracket.members { frame, x, y in
      Self.radiance(frame == 1 ? FramePlacement() : placement, x, y)
    }
    let report = try BracketMerge().merge(members).report
    for frame in [0, 2] {
      let found = try #require(report.frames[frame].placement)
      let error = offset(found, placement)
      #expect(error < 0.05, "frame \(frame): \(found), not \(placement), \(error) photosites off")
    }
    #expect(report.frames[1].placement?.isIdentity == true)
    #expect(report.notes.isEmpty)
  }

  @Test func framesOfXTransAreFound() throws {
    let placement = FramePlacement(right: -4.4, down: 2.7, rotation: 0.4)
    let bracket = Self.bracket(.xTrans())
    let members = try bracket.members { frame, x, y in
      Self.radiance(frame == 1 ? FramePlacement() : placement, x, y)
    }
    let report = try BracketMerge().merge(members).report
    for frame in [0, 2] {
      #expect(offset(try #require(report.frames[frame].placement), placement) < 0.1)
    }
  }

  /// Too thin for a pyramid: the shift is followed along their length.
  @Test(arguments: [false, true]) func thinFramesAreFound(isTall: Bool) throws {
    let (along, across) = (13.2, -1.6)
    var bracket = Self.bracket()
    bracket.size = PixelSize(width: 6000, height: 40)
    if isTall { bracket.size = bracket.size.transposed }
    let members = try bracket.members { frame, x, y in
      let moved: (Float, Float) = frame == 1 ? (0, 0) : (Float(along), Float(across))
      let (u, v) = (Float(isTall ? y : x) - moved.0, Float(isTall ? x : y) - moved.1)
      let radiance = 0.02 + 0.4 * IntegerNoise.fractal(u / 120, v / 40, octaves: 5, seed: 3)
      return SIMD3(repeating: radiance)
    }
    let report = try BracketMerge().merge(members).report
    for frame in [0, 2] {
      let found = try #require(report.frames[frame].placement)
      let (right, down) = isTall ? (across, along) : (along, across)
      #expect(abs(found.right - right) < 0.3 && abs(found.down - down) < 0.3, "\(found)")
    }
  }

  @Test func alignedFramesAreNotMoved() throws {
    let bracket = Self.bracket()
    let members = try bracket.members { _, x, y in Self.radiance(FramePlacement(), x, y) }
    var merge = BracketMerge()
    let aligned = try merge.merge(members)
    for frame in aligned.report.frames {
      #expect(offset(try #require(frame.placement), FramePlacement()) < 0.05)
    }
    merge.alignsFrames = false
    let unmoved = try merge.merge(members)
    #expect(unmoved.report.frames.allSatisfy { $0.placement == nil })
    #expect(
      try aligned.filter.file.storedData().linearValues
        == unmoved.filter.file.storedData().linearValues)
  }

  @Test func otherScenesAreRefused() throws {
    let bracket = Self.bracket()
    let members = try bracket.members { frame, x, y in
      frame == 2
        ? SIMD3(
          repeating: 0.02 + IntegerNoise.fractal(Float(x) / 40, Float(y) / 40, octaves: 4, seed: 3))
        : Self.radiance(FramePlacement(), x, y)
    }
    let error = #expect(throws: RAWError.self) { try BracketMerge().merge(members) }
    #expect(error?.path == "frame-2.dng" && error?.message.contains("merge it as it lies") == true)
    var merge = BracketMerge()
    merge.alignsFrames = false
    _ = try merge.merge(members)
  }

  @Test func scenesWithoutDetailAreNotAligned() throws {
    var bracket = Self.bracket()
    bracket.size = PixelSize(width: 200, height: 150)
    let members = try bracket.members { _, _, _ in SIMD3(repeating: 0.3) }
    let report = try BracketMerge().merge(members).report
    #expect(report.frames[0].placement == nil && report.notes.count == 2)
  }

  /// Merging a shaken bracket comes closer to the truth than its reference alone.
  @Test func shakenFramesMakeThePictureBetter() throws {
    var bracket = Self.bracket()
    (bracket.shot, bracket.read) = (8e-4, 1e-6)
    let positions = [
      FramePlacement(right: 2.37, down: -1.61), FramePlacement(),
      FramePlacement(right: -3.3, down: 4.8, rotation: 0.3),
    ]
    let members = try bracket.members { Self.radiance(positions[$0], $1, $2) }
    let merged = try BracketMerge().merge(members)
    let values = try merged.filter.file.storedData().linearValues
    let alone = try members[1].filter.file.storedData().linearValues
    let channels = SampleChannels(
      Self.size, .mosaic(CFA(width: 2, height: 2, channels: [0, 1, 1, 2])))
    var (merging, single): ([Double], [Double]) = ([], [])
    for y in 20..<Self.size.height - 20 {
      for x in 20..<Self.size.width - 20 {
        let radiance = Self.radiance(FramePlacement(), x, y)[channels.channel(x, y)]
        let truth = Double(radiance * SyntheticBracket.white)
        // Where the reference is usable.
        guard truth < 0.8, truth > 0.002 else { continue }
        let (a, b) = (Double(values[y][x]) * 4 / truth - 1, Double(alone[y][x]) / truth - 1)
        merging.append(abs(a))
        single.append(abs(b))
      }
    }
    func rootMeanSquare(_ errors: [Double]) -> Double {
      (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    }
    let ratio = rootMeanSquare(merging) / rootMeanSquare(single)
    let median = merging.sorted()[merging.count / 2] / single.sorted()[single.count / 2]
    #expect(
      ratio < 0.85 && median < 0.65, "\(ratio), \(median) of the error of the reference alone")
  }
}
