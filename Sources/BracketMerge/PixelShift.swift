import Foundation
import ImageCore
import RawDecode
import RawFilter
import RawSensor

/// One picture of four frames, in one raw or four, between which the camera moved its sensor by one
/// photosite, so that each position was recorded through every filter of a Bayer pattern: full
/// color as measured, without a demosaic.
///
/// Source: own. Frame k is shifted by (right, down) photosites relative to the first one, as
/// ``FrameAlignment`` finds it, rounded: the four shifts have the four parities, in whichever order
/// and directions the camera took them. Red, green and blue at a position are the means of the
/// frames' linear values there, green of two. Where something moved between the frames
/// (``GhostMap``), and at the borders, where a frame has no photosite, the demosaiced first frame
/// is used, blended over two blocks. Units: linear values before white balance, 0 black, 1.0
/// saturated. Domain: Bayer mosaics of four frames of one exposure. Known failures: flicker between
/// frames is not corrected; stuck photosites remain, as one color of four positions; in scenes
/// without structure the shifts cannot be found.
struct PixelShift: Sendable {
  /// Frames that together record each position through each filter.
  static let frameCount = 4
  /// Tolerance around an integer shift, photosites.
  private static let tolerance = 0.3
  /// Maximum shift of a camera, photosites.
  private static let farthest = 3

  private let cfa: CFA
  private let size: PixelSize
  /// Where the photosite of each frame lies that saw what the first frame's did.
  private let shifts: [(x: Int, y: Int)]
  private let balance: SIMD4<Float>
  /// Where something moved between the frames.
  var ghosts: GhostMap?
  private let noise: FrameNoise

  /// Of the frames of one file in `plan`, which is as for a bracket of them; without ghosts.
  init(_ plan: MergePlan, found: [Similarity?]) throws(RAWError) {
    let name = plan.frames[plan.reference].name
    func refuse(_ what: String) -> RAWError {
      RAWError(
        .unsupported, .merge, "\(what); develop one of them, which frameNumber names", path: name)
    }
    guard case .mosaic(let cfa) = plan.layout, cfa.kind == .bayer else {
      throw refuse("its frames have no Bayer mosaic, so they cannot be merged")
    }
    guard found.count == Self.frameCount else {
      throw refuse("it stores \(found.count) frames; only four of a pixel shift can be merged")
    }
    guard plan.frames[0].filter.file.info.opcodes.actions(.linear, OpcodeSelection()).isEmpty else {
      throw refuse("its opcode list 2 needs a mosaic, so its frames cannot be merged")
    }
    self.cfa = cfa
    let size = plan.channels.size
    self.size = size
    shifts = try found.map { (similarity) throws(RAWError) in
      guard let similarity else {
        throw refuse("its frames have too little detail to measure their shifts")
      }
      guard let shift = Self.shift(similarity, size) else {
        throw refuse("its frames are not shifted by exact photosites")
      }
      return shift
    }
    let parities = Set(shifts.map { ($0.x & 1) + 2 * ($0.y & 1) })
    guard parities.count == Self.frameCount else {
      throw refuse("its frames do not record each position through every filter")
    }
    balance = plan.balance
    noise = plan.estimate.exposures[0].noise
  }

  private static func shift(_ found: Similarity, _ size: PixelSize) -> (x: Int, y: Int)? {
    let (x, y) = (found.right.rounded(), found.down.rounded())
    let exact = Similarity(right: x, down: y)
    let halves = (Double(size.width) / 2, Double(size.height) / 2)
    let rest = Similarity(
      right: found.right - exact.right, down: found.down - exact.down, a: found.a, b: found.b)
    guard rest.farthest(halves.0, halves.1) <= tolerance,
      max(abs(x), abs(y)) <= Double(farthest)
    else { return nil }
    return (Int(x), Int(y))
  }

  /// Variance of a value x in 0…1 as S · x + O, for each color.
  var noiseProfile: [(scale: Double, offset: Double)] {
    (0..<3).map { channel in
      let weight = channel == 1 ? 0.5 : 1
      return (Double(noise.shot[channel]) * weight, Double(noise.read[channel]) * weight)
    }
  }

  /// The picture of `frames`, three samples a pixel.
  func merge(_ frames: [SensorData], workers: Int) throws(RAWError) -> SensorData {
    var settings = SensorSettings(highlights: .kept, method: .best)
    settings.defects = .kept
    let single = try SensorPipeline(
      frames[0], balance: balance, settings: settings, workers: workers)
    let samples = try RAWError.translating(.merge) { () throws(PixelError) in
      let levels = try frames.map { data throws(PixelError) in
        try LinearLevels(data, balance: SIMD4(repeating: 1))
      }
      let band = 64
      return try RawSamples(of: Float.self, stride: 3 * size.width, rows: size.height) {
        target throws(PixelError) in
        nonisolated(unsafe) let target = target.start
        let bands = (size.height + band - 1) / band
        try Parallel.forEach(count: bands, workers: workers) { index, _ throws(PixelError) in
          let rows = index * band..<min((index + 1) * band, size.height)
          let demosaiced = PlanarBuffer()
          try single.read(
            PixelRect(x: 0, y: rows.lowerBound, width: size.width, height: rows.count),
            into: demosaiced)
          for y in rows {
            let own = demosaiced.rows(y - rows.lowerBound)
            fill(y, levels, [own.red, own.green, own.blue], into: target + 3 * size.width * y)
          }
        }
      }
    }
    var levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: [0, 0, 0], scale: SIMD4(repeating: 1))
    levels.endsAtWhite = endsAtWhite
    levels.blackOrigin = frames[0].levels.blackOrigin
    levels.whiteOrigin = frames[0].levels.whiteOrigin
    return SensorData(size: size, layout: .linear, samples: samples, levels: levels)
  }

  /// Whether samples of 1.0 are saturated, as integers are.
  private var endsAtWhite: Bool { noise.saturation.min().isFinite }

  /// Row `y`; `own` are the balanced colors of the first frame, demosaiced.
  private func fill(
    _ y: Int, _ levels: [LinearLevels], _ own: [SampleRow<Float>],
    into out: UnsafeMutablePointer<Float>
  ) {
    let width = size.width
    var sums = [SIMD4<Float>](repeating: .zero, count: width)
    var counts = [SIMD4<Float>](repeating: .zero, count: width)
    var row = [Float](repeating: 0, count: width + 8)
    for (frame, shift) in zip(levels, shifts) where 0..<size.height ~= y + shift.y {
      row.withUnsafeMutableBufferPointer { row in
        if let start = row.baseAddress { frame.fill(row: y + shift.y, into: start) }
      }
      for x in max(0, -shift.x)..<min(width, width - shift.x) {
        let channel = cfa.channel(x: x + shift.x, y: y + shift.y)
        sums[x][channel] += row[x + shift.x]
        counts[x][channel] += 1
      }
    }
    var weights = [Float](repeating: 1, count: width)
    weights.withUnsafeMutableBufferPointer { weights in
      guard let start = weights.baseAddress else { return }
      ghosts?.apply(1, row: y, width: width, perPixel: 1, to: start)
    }
    for x in 0..<width {
      let isFull = counts[x][0] > 0 && counts[x][1] > 0 && counts[x][2] > 0
      let weight = isFull ? weights[x] : 0
      for channel in 0..<3 {
        let single = own[channel][x] / balance[channel]
        let full = isFull ? sums[x][channel] / counts[x][channel] : 0
        let value = weight < 1 ? weight * full + (1 - weight) * single : full
        // Values above white come only from counts above white.
        out[3 * x + channel] = endsAtWhite ? min(value, 1) : value
      }
    }
  }
}
