import Foundation
import ImageCore
import RawDecode
import RawFilter
import RawSensor
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct BracketMergeTests {
  /// Root mean square of the error of `merged` over the minimum deviation of any unbiased estimate
  /// of the radiance; frames are usable up to `usable` of their saturation.
  private func excess(
    _ bracket: SyntheticBracket, _ merged: SensorData, radiance: (Int, Int) -> SIMD3<Float>
  ) -> (error: Double, mean: Double) {
    let channels = SampleChannels(bracket.size, merged.layout)
    let order = bracket.times.indices.sorted { bracket.times[$0] < bracket.times[$1] }
    let shortest = bracket.times[order[0]]
    var (squares, sum, count) = (0.0, 0.0, 0.0)
    for (y, row) in merged.linearValues.enumerated() {
      for (x, value) in row.enumerated() {
        let channel = channels.channel(x, y)
        let truth =
          Double(radiance(x / channels.perPixel, y)[channel] * SyntheticBracket.white) * shortest
        guard truth < 0.9 else { continue }
        var information = 0.0
        for i in order {
          let (t, speed) = (bracket.times[i] / shortest, Double(bracket.frames[i].iso) / 100)
          guard t * truth < usable || i == order[0] else { continue }
          // Rounding to integers adds a twelfth of their square.
          let range = Double(bracket.frames[i].whiteLevel) - Double(bracket.frames[i].black + 3) / 4
          information +=
            t * t
            / ((Double(bracket.shot) * t * truth + Double(bracket.read)) * speed
              + 1 / (12 * range * range))
        }
        let z = (Double(value) - truth) * information.squareRoot()
        squares += z * z
        sum += z
        count += 1
      }
    }
    return ((squares / count).squareRoot(), sum / count)
  }

  /// Closer to saturation noise reaches it.
  private let usable = 0.9

  @Test(arguments: [(2, 1.0), (2, 3), (3, 2), (3, 3), (3, 4), (5, 1), (5, 2), (7, 1), (9, 1)])
  func errorIsThatOfTheBestEstimate(count: Int, spacing: Double) throws {
    let bracket = SyntheticBracket(count: count, spacing: spacing)
    let merged = try BracketMerge().merge(
      bracket.members { _, x, y in SyntheticBracket.patches(x, y) })
    let samples = try merged.filter.file.storedData()
    let (error, mean) = excess(bracket, samples, radiance: SyntheticBracket.patches)
    #expect(error < 1.05, "\(count) frames, \(spacing) stops: \(error) of the optimum")
    #expect(abs(mean) < 0.05, "\(count) frames, \(spacing) stops: biased by \(mean)")
  }

  @Test(arguments: [MosaicPattern.xTrans(), nil])
  func errorIsTheSameWithoutABayerPattern(pattern: MosaicPattern?) throws {
    var bracket = SyntheticBracket(count: 3, spacing: 2)
    bracket.pattern = pattern
    let merged = try BracketMerge().merge(
      bracket.members { _, x, y in SyntheticBracket.patches(x, y) })
    let samples = try merged.filter.file.storedData()
    let (error, mean) = excess(bracket, samples, radiance: SyntheticBracket.patches)
    #expect(error < 1.05 && abs(mean) < 0.05)
  }

  /// Filters and lenses without contacts: all frames have the same Exif, or Exif in another order.
  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func orderIsByMeasuredExposure(order: [Int]) throws {
    for spacing in [0, -0.5] {
      var bracket = SyntheticBracket(count: 3, spacing: spacing)
      // Exposures 1.5 stops apart.
      for (i, step) in order.enumerated() {
        bracket.frames[i].slip = exp2(Double(step - 1) * 1.5 - bracket.frames[i].stops)
      }
      let merged = try BracketMerge().merge(
        bracket.members { _, x, y in SyntheticBracket.patches(x, y) })
      let samples = try merged.filter.file.storedData()
      let (error, mean) = excess(bracket, samples, radiance: SyntheticBracket.patches)
      #expect(error < 1.05 && abs(mean) < 0.05, "\(spacing): \(error), biased by \(mean)")
      let stops = merged.report.frames.map(\.stops)
      #expect(stops == stops.sorted())
      #expect(abs((stops.last ?? 0) - (stops.first ?? 0) - 3) < 0.01)
    }
  }

  @Test func framesMayDifferInSpeedLevelsAndWhite() throws {
    var bracket = SyntheticBracket(count: 3, spacing: 2)
    bracket.frames[0].iso = 800
    bracket.frames[1].iso = 200
    bracket.frames[0].whiteLevel = 15_000
    bracket.frames[2].black = 1000
    bracket.frames[2].white = SIMD3(0.5, 1, 0.7)
    let merged = try BracketMerge().merge(
      bracket.members { _, x, y in SyntheticBracket.patches(x, y) })
    let samples = try merged.filter.file.storedData()
    let (error, mean) = excess(bracket, samples, radiance: SyntheticBracket.patches)
    #expect(error < 1.05 && abs(mean) < 0.05)
  }

  @Test func exposuresAreMeasured() throws {
    var bracket = SyntheticBracket(count: 5, spacing: 1.5)
    let slips = [1.07, 0.9, 1, 1.2, 0.85]
    for i in slips.indices { bracket.frames[i].slip = slips[i] }
    let merged = try BracketMerge().merge(
      bracket.members { _, x, y in SyntheticBracket.patches(x, y) })
    for (i, frame) in merged.report.frames.enumerated() {
      #expect(abs(frame.nominalStops - bracket.frames[i].stops) < 1e-3)
      let truth = log2(bracket.times[i] / bracket.times[2])
      #expect(abs(frame.stops - truth) < 0.003, "\(frame.name): \(frame.stops), not \(truth)")
    }
    let samples = try merged.filter.file.storedData()
    let (error, _) = excess(bracket, samples, radiance: SyntheticBracket.patches)
    #expect(error < 1.1)
  }

  /// A frame that is five stops darker than its Exif says belongs to no bracket.
  @Test func exposuresFarFromExifAreRefused() throws {
    var bracket = SyntheticBracket(count: 2, spacing: 1)
    bracket.frames[1].slip = 1.0 / 32
    let error = #expect(throws: RAWError.self) {
      try BracketMerge().merge(
        bracket.members { _, x, y in SyntheticBracket.patches(x, y) })
    }
    #expect(error?.code == .unsupported)
  }

  /// A ramp: its mean error does not change where a frame saturates.
  @Test(arguments: [1.0, 0.93]) func bordersOfSaturationAreNotSeen(slip: Double) throws {
    var bracket = SyntheticBracket(count: 3, spacing: 2)
    bracket.size = PixelSize(width: 960, height: 120)
    bracket.frames[1].slip = slip
    let ramp: @Sendable (Int, Int) -> SIMD3<Float> = { x, _ in
      SIMD3(repeating: exp2(3.2 - 9 * Float(x) / 960))
    }
    let merged = try BracketMerge().merge(bracket.members { _, x, y in ramp(x, y) })
    let values = try merged.filter.file.storedData().linearValues
    let shortest = Float(try #require(bracket.times.min()))
    #expect(merged.report.frames.allSatisfy { $0.placement?.isIdentity ?? true })
    for left in stride(from: 0, to: 960, by: 4) {
      var (sum, truths) = (0.0, 0.0)
      for x in left..<left + 4 {
        for y in 0..<120 { sum += Double(values[y][x]) }
        truths += 120 * Double(ramp(x, 0).x * SyntheticBracket.white * shortest)
      }
      let noise = (1e-4 / (truths / 480) / 480).squareRoot()
      #expect(abs(sum / truths - 1) < 0.003 + 3.5 * noise, "column \(left): \(sum / truths)")
    }
  }

  @Test func theOrderOfFramesAndTheThreadsDoNotMatter() throws {
    let bracket = SyntheticBracket(count: 3, spacing: 2)
    let members = try bracket.members { _, x, y in SyntheticBracket.patches(x, y) }
    var merge = BracketMerge()
    let first = try merge.merge(members).filter.file.storedData().linearValues
    for order in [[2, 1, 0], [1, 0, 2]] {
      merge.workers = order[0] * 2 + 1
      let merged = try merge.merge(order.map { members[$0] })
      #expect(merged.report.reference == "frame-1.dng")
      #expect(try merged.filter.file.storedData(workers: merge.workers).linearValues == first)
      // Decoded again.
      #expect(try merged.filter.file.storedData(workers: 1).linearValues == first)
    }
  }

  @Test func oneFrameIsThatFrame() throws {
    let bracket = SyntheticBracket(count: 1, spacing: 0)
    let member = try #require(
      bracket.members { _, x, y in SyntheticBracket.patches(x, y) }.first)
    let merged = try BracketMerge().merge([member])
    let (own, one) = (
      try member.filter.outputImage().image, try merged.filter.outputImage().image
    )
    #expect(own.size == one.size)
    for y in 0..<own.size.height {
      for x in 0..<own.size.width { try #require(own[x, y] == one[x, y]) }
    }
  }

  /// Developed, the picture is as bright as its reference and holds what only the short exposure
  /// shows.
  @Test func brightnessIsThatOfTheReference() throws {
    var bracket = SyntheticBracket(count: 3, spacing: 2)
    bracket.size = PixelSize(width: 96, height: 96)
    // Full in the middle frame at 2.8.
    let members = try bracket.members { _, x, y in
      let level: Float = if x < 48 { 0.18 } else if y < 48 { 1 } else { 8 }
      return SIMD3<Float>(repeating: level)
    }
    let merged = try BracketMerge().merge(members)
    var (own, alone) = (merged.filter, members[1].filter)
    (own.boostAmount, alone.boostAmount) = (0, 0)
    let (picture, single) = (try own.outputImage().image, try alone.outputImage().image)
    #expect(try own.inspection().headroom > 1.8 * alone.inspection().headroom)
    for (x, y) in [(20, 48), (70, 24)] {
      let ratio: SIMD3<Float> = picture[x, y] / single[x, y]
      for c in 0..<3 { #expect(abs(ratio[c] - 1) < 0.05) }
    }
    let step: SIMD3<Float> = picture[70, 70] / picture[70, 24]
    for c in 0..<3 { #expect(abs(step[c] / 8 - 1) < 0.03) }
  }
}
