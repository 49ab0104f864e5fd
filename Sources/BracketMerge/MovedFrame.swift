import ImageCore
import RawDecode
import RawSensor

/// The values of a frame at the photosites of the reference, which it does not lie exactly on.
///
/// Source: own; cubic convolution (Keys 1981, a = −½). The frame is demosaiced and its colors are
/// interpolated at the place of each photosite of the reference, of which the one of its filter
/// counts: planes of single filters alone are sampled too coarsely to be moved by parts of a pixel.
/// On the terrace scene moved by (0.37, 0.61) photosites the error of demosaiced values is below
/// 0.8 of that of moving each plane by itself (`MovedFrameTests`). Saturated photosites spoil those
/// around them in a demosaic, so trust in a sample falls with the brightest one within `reach`; and
/// with the error of the interpolation e, `detailError` of the range around beyond that of noise,
/// as σ² / (σ² + e²). Units:
/// linear values of the frame before white balance; NaN where it ends.
struct MovedFrame: Sendable {
  /// Error of the interpolation as a fraction of the range of the sixteen values around, and the
  /// range that noise has, in standard deviations.
  private static let detailError: Float = 0.15
  private static let noiseRange: Float = 4

  /// Photosites around a sample on which it depends: two for the interpolation, the others for the
  /// demosaic.
  private static let reach = 4
  private static let tile = 256

  let similarity: Similarity
  private let noise: FrameNoise
  private let pipeline: SensorPipeline
  private let balance: SIMD4<Float>
  private let channels: SampleChannels
  /// Where trust ends and how fast it falls, in balanced values.
  private let ends: SIMD3<Float>
  private let slope: SIMD3<Float>
  private let pool = WorkspacePool { Memory() }

  private final class Memory {
    let pixels = PlanarBuffer(size: PixelSize(width: 0, height: 0))
    var brightest: [Float] = []
    var line: [Float] = []
  }

  /// The frame with the samples `data`. `balance`: gains that make a neutral about gray, the
  /// smallest 1, for the demosaic.
  init(
    _ data: SensorData, _ noise: FrameNoise, balance: SIMD4<Float>, similarity: Similarity,
    fall: RadianceEstimate.Fall, workers: Int
  ) throws(RAWError) {
    var settings = SensorSettings(highlights: .kept, defects: .kept, method: .best)
    if data.layout != .linear {
      let shot = SIMD3(noise.shot.x, noise.shot.y, noise.shot.z)
      let read = SIMD3(noise.read.x, noise.read.y, noise.read.z)
      let gain = SIMD3(balance.x, balance.y, balance.z)
      settings.defects = .byNoise(
        NoiseModel(shot: shot * gain, read: read * gain * gain, saturation: gain))
    }
    pipeline = try SensorPipeline(data, balance: balance, settings: settings, workers: workers)
    (self.similarity, self.noise) = (similarity, noise)
    self.balance = balance
    channels = SampleChannels(data.size, data.layout)
    var (ends, slope) = (SIMD3<Float>(), SIMD3<Float>())
    for c in 0..<3 {
      ends[c] = fall.end[c] * balance[c]
      slope[c] = fall.slope[c] / balance[c]
    }
    (self.ends, self.slope) = (ends, slope)
  }

  /// Fills rows `first` and following, `height` of them, `stride` samples apart: values and the
  /// trust in each, 0…1, in which their detail counts, or not.
  func read(
    _ first: Int, _ height: Int, into values: UnsafeMutablePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, stride: Int, countsDetail: Bool
  ) {
    let width = channels.size.width
    pool.with { memory in
      for left in Swift.stride(from: 0, to: width, by: Self.tile) {
        let rect = PixelRect(
          x: left, y: first, width: min(Self.tile, width - left), height: height)
        read(rect, values, trust, stride, countsDetail, memory)
      }
    }
  }

  /// A photosite of the reference in the frame.
  private func position(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
    let size = channels.size
    let (cx, cy) = (Double(size.width - 1) / 2, Double(size.height - 1) / 2)
    let moved = similarity(Double(x) - cx, Double(y) - cy)
    return (moved.x + cx, moved.y + cy)
  }

  private func read(
    _ rect: PixelRect, _ values: UnsafeMutablePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, _ stride: Int, _ countsDetail: Bool, _ memory: Memory
  ) {
    let perPixel = channels.perPixel
    let corners = [
      position(rect.x, rect.y), position(rect.endX - 1, rect.y), position(rect.x, rect.endY - 1),
      position(rect.endX - 1, rect.endY - 1),
    ]
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    func low(_ values: [Double]) -> Int { Int((values.min() ?? 0).rounded(.down)) - Self.reach - 1 }
    func high(_ values: [Double]) -> Int { Int((values.max() ?? 0).rounded(.up)) + Self.reach + 2 }
    let around = PixelRect(
      x: low(xs), y: low(ys), width: high(xs) - low(xs), height: high(ys) - low(ys))
    let box = around.intersection(PixelRect(pipeline.size))
    func leave(_ y: Int, _ x: Int) {
      for sample in 0..<perPixel {
        let place = (y - rect.y) * stride + x * perPixel + sample
        (values[place], trust[place]) = (.nan, 0)
      }
    }
    guard box.width >= 4, box.height >= 4 else {
      for y in rect.y..<rect.endY { for x in rect.x..<rect.endX { leave(y, x) } }
      return
    }
    pipeline.read(box, into: memory.pixels)
    findBrightest(box.size, memory)
    let pixels = memory.pixels
    let base = pixels.plane(0).start
    let planeStride = pixels.row(1, 0).start - pixels.row(0, 0).start
    let rowStride = box.height > 1 ? pixels.row(0, 1).start - pixels.row(0, 0).start : 0
    for y in rect.y..<rect.endY {
      for x in rect.x..<rect.endX {
        let at = position(x, y)
        let (left, top) = (at.x.rounded(.down), at.y.rounded(.down))
        let (i, j) = (Int(left) - box.x, Int(top) - box.y)
        guard i >= 1, j >= 1, i + 2 < box.width, j + 2 < box.height else {
          leave(y, x)
          continue
        }
        let across = Self.taps(Float(at.x - left))
        let down = Self.taps(Float(at.y - top))
        // The nearest pixel's surroundings.
        let near = (j + (at.y - top > 0.5 ? 1 : 0)) * box.width + i + (at.x - left > 0.5 ? 1 : 0)
        let share = memory.brightest[near]
        for sample in 0..<perPixel {
          let channel = min(channels.channel(x * perPixel + sample, y), 2)
          let corner = base + channel * planeStride + (j - 1) * rowStride + i - 1
          var sum: Float = 0
          var (low, high) = (
            SIMD4<Float>(repeating: .infinity), SIMD4<Float>(repeating: -.infinity)
          )
          for k in 0..<4 {
            let row = UnsafeRawPointer(corner + k * rowStride).loadUnaligned(as: SIMD4<Float>.self)
            sum += down[k] * (across * row).sum()
            (low, high) = (pointwiseMin(low, row), pointwiseMax(high, row))
          }
          let value = sum / balance[channel]
          var own = share
          if countsDetail {
            let range = (high.max() - low.min()) / balance[channel]
            let variance = noise.shot[channel] * max(value, 0) + noise.read[channel]
            let detail = max(
              range * range - Self.noiseRange * Self.noiseRange * variance, 0)
            own *= variance / (variance + Self.detailError * Self.detailError * detail)
          }
          let place = (y - rect.y) * stride + x * perPixel + sample
          (values[place], trust[place]) = (value, own)
        }
      }
    }
  }

  /// The least trust that a pixel within ``reach`` of each pixel allows.
  private func findBrightest(_ size: PixelSize, _ memory: Memory) {
    let pixels = memory.pixels
    let count = size.area
    if memory.line.count < count {
      memory.line = [Float](repeating: 0, count: count)
      memory.brightest = memory.line
    }
    for y in 0..<size.height {
      let (r, g, b) = (pixels.row(0, y), pixels.row(1, y), pixels.row(2, y))
      for x in 0..<size.width {
        let least = min(
          (ends.x - r[x]) * slope.x, (ends.y - g[x]) * slope.y, (ends.z - b[x]) * slope.z)
        let share = min(max(least, 0), 1)
        memory.brightest[y * size.width + x] = share * share * (3 - 2 * share)
      }
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        var least: Float = 1
        for i in max(x - Self.reach, 0)...min(x + Self.reach, size.width - 1) {
          least = min(least, memory.brightest[y * size.width + i])
        }
        memory.line[y * size.width + x] = least
      }
    }
    for y in 0..<size.height {
      let rows = max(y - Self.reach, 0)...min(y + Self.reach, size.height - 1)
      for x in 0..<size.width {
        var least: Float = 1
        for j in rows { least = min(least, memory.line[j * size.width + x]) }
        memory.brightest[y * size.width + x] = least
      }
    }
  }

  private static func taps(_ t: Float) -> SIMD4<Float> {
    let (t2, t3) = (t * t, t * t * t)
    return SIMD4(
      -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t,
      0.5 * t3 - 0.5 * t2)
  }
}
