import Foundation
import ImageCore
import RawDecode
import RawSensor
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct MovedFrameTests {
  private static let size = FrameAlignmentTests.size
  private static let cfa = CFA(width: 2, height: 2, channels: [0, 1, 1, 2])
  private static let noise = FrameNoise(
    shot: SIMD4(repeating: 1e-6), read: SIMD4(repeating: 1e-9), saturation: SIMD4(repeating: 0.99))

  /// Linear values of the terrace, moved.
  private static func frame(_ placement: FramePlacement) throws -> SensorData {
    let samples = try RawSamples(of: Float.self, stride: size.width, rows: size.height) { out in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let radiance = FrameAlignmentTests.radiance(placement, x, y)[cfa.channel(x: x, y: y)]
          out[y * size.width + x] = min(radiance * 0.3, 1)
        }
      }
    }
    return SensorData(
      size: size, layout: .mosaic(cfa), samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [0], scale: SIMD4(repeating: 1)))
  }

  private static func read(
    _ data: SensorData, _ similarity: Similarity
  ) throws -> (values: [Float], trust: [Float]) {
    let exposure = RadianceEstimate.Exposure(time: 4, noise: noise)
    let frame = try MovedFrame(
      data, noise, balance: SIMD4(repeating: 1), similarity: similarity,
      fall: exposure.fall(linearLimit: 1), workers: 1)
    var values = [Float](repeating: 0, count: size.area)
    var trust = values
    // In strips without visible borders.
    for top in stride(from: 0, to: size.height, by: 50) {
      try values.withUnsafeMutableBufferPointer { values in
        try trust.withUnsafeMutableBufferPointer { trust in
          guard let value = values.baseAddress, let trusted = trust.baseAddress else { return }
          try frame.read(
            top, 50, into: value + top * size.width, trusted + top * size.width, detail: nil,
            stride: size.width)
        }
      }
    }
    return (values, trust)
  }

  /// The error of moving each plane of the mosaic by itself, by the same interpolation.
  private func planeValue(_ data: [[Float]], _ x: Int, _ y: Int, _ dx: Float, _ dy: Float) -> Float
  {
    // Samples of this color at the four rows and columns around.
    let (u, v) = (Float(x) + dx, Float(y) + dy)
    func taps(_ at: Float, _ phase: Int) -> ([Int], [Float]) {
      let cell = (at - Float(phase)) / 2
      let left = Int(cell.rounded(.down))
      let t = cell - Float(left)
      let (t2, t3) = (t * t, t * t * t)
      return (
        (-1...2).map { (left + $0) * 2 + phase },
        [
          -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t,
          0.5 * t3 - 0.5 * t2,
        ]
      )
    }
    let (columns, across) = taps(u, x % 2)
    let (rows, down) = taps(v, y % 2)
    var sum: Float = 0
    for j in 0..<4 { for i in 0..<4 { sum += down[j] * across[i] * data[rows[j]][columns[i]] } }
    return sum
  }

  @Test func demosaicedColorsAreNearerToTheTruthThanPlanesByThemselves() throws {
    let placement = FramePlacement(right: 0.37, down: 0.61)
    let data = try Self.frame(placement)
    let moved = try Self.read(data, Similarity(right: 0.37, down: 0.61))
    let stored = data.linearValues
    var (demosaiced, planes, count) = (0.0, 0.0, 0.0)
    for y in 8..<Self.size.height - 8 {
      for x in 8..<Self.size.width - 8 {
        let i = y * Self.size.width + x
        let channel = Self.cfa.channel(x: x, y: y)
        let truth = FrameAlignmentTests.radiance(FramePlacement(), x, y)[channel] * 0.3
        guard moved.trust[i] == 1, truth < 0.8 else { continue }
        let (a, b) = (moved.values[i], planeValue(stored, x, y, 0.37, 0.61))
        // Square roots: errors as noise counts.
        let root = truth.squareRoot()
        demosaiced += Double((max(a, 0).squareRoot() - root) * (max(a, 0).squareRoot() - root))
        planes += Double((max(b, 0).squareRoot() - root) * (max(b, 0).squareRoot() - root))
        count += 1
      }
    }
    let ratio = (demosaiced / planes).squareRoot()
    #expect(
      ratio < 0.8,
      "\(ratio): \((demosaiced / count).squareRoot()) to \((planes / count).squareRoot())")

  }

  @Test func nothingIsReadBeyondTheFrame() throws {
    let moved = try Self.read(Self.frame(FramePlacement()), Similarity(right: 40, down: 0))
    for y in [0, 200, 399] {
      let row = y * Self.size.width
      #expect(moved.values[row + 590].isNaN && moved.trust[row + 590] == 0)
    }
    #expect(moved.values[200 * Self.size.width + 500].isFinite)
  }

  @Test func whatIsNearSaturationIsNotTrusted() throws {
    let data = try Self.frame(FramePlacement())
    let moved = try Self.read(data, Similarity(right: 0.5, down: 0.5))
    let stored = data.linearValues
    for y in stride(from: 10, to: 390, by: 3) {
      for x in stride(from: 10, to: 590, by: 3) where stored[y][x] >= 1 {
        #expect(moved.trust[y * Self.size.width + x] == 0)
      }
    }
  }
}
