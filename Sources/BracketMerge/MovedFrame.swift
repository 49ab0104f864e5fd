import ImageCore
import RawDecode
import RawSensor

/// The values of a frame at the photosites of the reference, which it does not lie exactly on.
///
/// Source: own; cubic convolution (Keys 1981, a = −½). The frame is demosaiced and its colors are
/// interpolated at the position of each photosite of the reference, and the color of its filter is
/// used: planes of single filters are sampled too coarsely for sub-pixel shifts. On the terrace
/// scene moved by (0.37, 0.61) photosites the error of demosaiced values is below 0.8 of the error
/// of moving each plane separately (`MovedFrameTests`). In a demosaic saturated photosites spoil
/// their neighbors, so trust in a sample falls with the brightest one within `reach`; and with the
/// error of the interpolation e, `detailError` of the local range in excess of noise, as σ² / (σ² +
/// e²). Units: linear values of the frame before white balance; NaN outside of it.
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
  /// Whether trust has no upper limit, as in the shortest exposure.
  private let isNeverSaturated: Bool
  private let pool = WorkspacePool { Memory() }

  private final class Memory {
    let pixels = PlanarBuffer()
    var brightest = PixelStorage<Float>()
    var line = PixelStorage<Float>()
    private var count = 0

    func hold(_ area: Int) throws(PixelError) {
      guard area > count else { return }
      brightest = try PixelStorage(zeros: area)
      line = try PixelStorage(zeros: area)
      count = area
    }
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
    isNeverSaturated = (0..<3).allSatisfy { fall.end[$0] == .greatestFiniteMagnitude }
  }

  /// Fills rows `first` and following, `height` of them, `stride` samples apart: values and the
  /// trust in each, 0…1, without and, in `detail`, with that which the detail around allows; both
  /// may be in the same memory, which then has the latter.
  func read(
    _ first: Int, _ height: Int, into values: UnsafeMutablePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, detail: UnsafeMutablePointer<Float>?, stride: Int
  ) throws(PixelError) {
    let width = channels.size.width
    try pool.with { memory throws(PixelError) in
      for left in Swift.stride(from: 0, to: width, by: Self.tile) {
        let rect = PixelRect(
          x: left, y: first, width: min(Self.tile, width - left), height: height)
        try read(rect, values, trust, detail, stride, memory)
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
    _ trust: UnsafeMutablePointer<Float>, _ detail: UnsafeMutablePointer<Float>?, _ stride: Int,
    _ memory: Memory
  ) throws(PixelError) {
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
        let index = (y - rect.y) * stride + x * perPixel + sample
        (values[index], trust[index]) = (.nan, 0)
        if let detail { detail[index] = 0 }
      }
    }
    guard box.width >= 4, box.height >= 4 else {
      for y in rect.y..<rect.endY { for x in rect.x..<rect.endX { leave(y, x) } }
      return
    }
    try pipeline.read(box, into: memory.pixels)
    try findBrightest(box.size, memory)
    let pixels = memory.pixels
    let base = pixels.plane(0).start
    let planeStride = pixels.row(1, 0).start - pixels.row(0, 0).start
    let rowStride = box.height > 1 ? pixels.row(0, 1).start - pixels.row(0, 0).start : 0
    let gains = 1 / balance
    let (farRight, farDown) = (Double(box.width - 2), Double(box.height - 2))
    let brightest = UnsafePointer(memory.brightest.start)
    let period = channels.period
    for y in rect.y..<rect.endY {
      // The row goes straight through the frame.
      let start = position(rect.x, y)
      let (fx, fy) = (start.x - Double(box.x), start.y - Double(box.y))
      let filters = (0..<period).map { min(channels.channel($0, y), 2) }
      filters.withUnsafeBufferPointer { filters in
        var index = (y - rect.y) * stride + rect.x * perPixel
        var phase = rect.x * perPixel % period
        for x in 0..<rect.width {
          let (u, v) = (
            fx + Double(x) * (1 + similarity.a), fy + Double(x) * similarity.b
          )
          guard u >= 1, v >= 1, u < farRight, v < farDown else {
            leave(y, rect.x + x)
            index &+= perPixel
            phase = (phase &+ perPixel) % period
            continue
          }
          let (i, j) = (Int(u), Int(v))
          let (s, t) = (Float(u - Double(i)), Float(v - Double(j)))
          let (across, down) = (Self.taps(s), Self.taps(t))
          // The nearest pixel's surroundings.
          let near = (j &+ (t > 0.5 ? 1 : 0)) &* box.width &+ i &+ (s > 0.5 ? 1 : 0)
          let weight = brightest[near]
          let corner = (j &- 1) &* rowStride &+ i &- 1
          for _ in 0..<perPixel {
            let channel = filters[phase]
            phase &+= 1
            if phase == period { phase = 0 }
            let first = base + (channel &* planeStride &+ corner)
            @inline(__always) func row(_ k: Int) -> SIMD4<Float> {
              UnsafeRawPointer(first + k &* rowStride).loadUnaligned(as: SIMD4<Float>.self)
            }
            let (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3))
            let column = (r0 * down.x + r1 * down.y) + (r2 * down.z + r3 * down.w)
            let gain = gains[channel]
            let value = (across * column).sum() * gain
            (values[index], trust[index]) = (value, weight)
            if let detail {
              var own = weight
              let low = Self.lower(Self.lower(r0, r1), Self.lower(r2, r3))
              let high = Self.lower(Self.lower(-r0, -r1), Self.lower(-r2, -r3))
              let range = -(Self.minimum(low) + Self.minimum(high)) * gain
              let variance = noise.shot[channel] * (value > 0 ? value : 0) + noise.read[channel]
              let excess = range * range - Self.noiseRange * Self.noiseRange * variance
              if excess > 0 {
                own *= variance / (variance + Self.detailError * Self.detailError * excess)
              }
              detail[index] = own
            }
            index &+= 1
          }
        }
      }
    }
  }

  @inline(__always) private static func lower(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>
  ) -> SIMD4<Float> { b.replacing(with: a, where: a .< b) }

  @inline(__always) private static func minimum(_ a: SIMD4<Float>) -> Float {
    let (x, y) = (a.x < a.y ? a.x : a.y, a.z < a.w ? a.z : a.w)
    return x < y ? x : y
  }

  /// The minimum trust over the pixels within ``reach`` of each pixel.
  private func findBrightest(_ size: PixelSize, _ memory: Memory) throws(PixelError) {
    let pixels = memory.pixels
    try memory.hold(size.area)
    let (line, brightest) = (memory.line.start, memory.brightest.start)
    let width = size.width
    if isNeverSaturated {
      brightest.update(repeating: 1, count: size.area)
      return
    }
    let (ends, slope) = (ends, slope)
    for y in 0..<size.height {
      let (r, g, b) = (pixels.row(0, y).start, pixels.row(1, y).start, pixels.row(2, y).start)
      let out = brightest + y * width
      for x in 0..<width {
        let (first, second) = ((ends.x - r[x]) * slope.x, (ends.y - g[x]) * slope.y)
        let third = (ends.z - b[x]) * slope.z
        var weight = first < second ? first : second
        weight = third < weight ? third : weight
        weight = weight > 0 ? weight : 0
        weight = weight < 1 ? weight : 1
        out[x] = weight * weight * (3 - 2 * weight)
      }
      // The minimum in the row.
      let minimum = line + y * width
      minimum.update(from: out, count: width)
      for k in 1...Self.reach where k < width {
        for x in 0..<width - k { minimum[x] = out[x + k] < minimum[x] ? out[x + k] : minimum[x] }
        for x in k..<width { minimum[x] = out[x - k] < minimum[x] ? out[x - k] : minimum[x] }
      }
    }
    for y in 0..<size.height {
      let out = brightest + y * width
      out.update(from: line + y * width, count: width)
      for j in max(y - Self.reach, 0)...min(y + Self.reach, size.height - 1) where j != y {
        let row = line + j * width
        for x in 0..<width { out[x] = row[x] < out[x] ? row[x] : out[x] }
      }
    }
  }

  @inline(__always) private static func taps(_ t: Float) -> SIMD4<Float> {
    let (t2, t3) = (t * t, t * t * t)
    return SIMD4(
      -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t,
      0.5 * t3 - 0.5 * t2)
  }
}
