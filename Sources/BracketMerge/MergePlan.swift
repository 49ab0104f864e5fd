import ImageCore
import RawDecode
import RawFilter
import RawSensor

/// All that is known of a bracket before its samples are merged.
struct MergePlan: Sendable {
  /// The shortest exposure first.
  let frames: [BracketFrame]
  let reference: Int
  let estimate: RadianceEstimate
  let channels: SampleChannels
  let layout: SensorData.Layout
  /// Where each frame lies against the reference.
  let similarities: [Similarity]
  /// Gains that make a neutral of the reference about gray, the smallest 1.
  let balance: SIMD4<Float>
  let linearLimit: Float
  var ghosts: GhostMap?

  /// Rows that one thread merges at a time, and that are merged before rows of the frames are
  /// given back.
  private static let stillBandHeight = 16
  private static let movedBandHeight = 64
  private static let stripHeight = 512
  /// Maximum samples of all frames that one thread holds, of each a value and its trust; at least
  /// one row. Up to 16 moved frames of 16 384 samples a row are merged in full bands; in lower ones
  /// positions within moved frames round differently.
  static let bandSamples = 1 << 24

  /// Rows that one thread merges at a time, `stride` samples of each frame in a row.
  static func bandHeight(frames: Int, stride: Int, isMoved: Bool) -> Int {
    min(isMoved ? movedBandHeight : stillBandHeight, max(bandSamples / max(frames * stride, 1), 1))
  }

  /// Frame `i` at the photosites of the reference.
  func source(_ i: Int, _ frame: HeldFrame, workers: Int) throws(RAWError) -> FrameSource {
    switch frame {
    case .resampled(let frame): return .resampled(frame)
    case .stored(let data):
      guard similarities[i] != .identity else {
        return .still(
          try RAWError.translating(.merge) { () throws(PixelError) in
            try LinearLevels(data, balance: SIMD4(repeating: 1))
          })
      }
      let exposure = estimate.exposures[i]
      return .moved(
        try MovedFrame(
          data, exposure.noise, balance: balance, similarity: similarities[i],
          fall: exposure.fall(linearLimit: linearLimit), workers: workers))
    }
  }

  /// The picture of the frames `held`, which are used up: black 0, 1.0 where the shortest frame
  /// saturates.
  func merge(_ held: [HeldFrame], workers: Int) throws(RAWError) -> SensorData {
    let sources = try held.enumerated().map { (i, frame) throws(RAWError) in
      try source(i, frame, workers: workers)
    }
    let size = channels.size
    let stride = (channels.rowCount + 7) / 8 * 8
    let bandHeight = Self.bandHeight(
      frames: frames.count, stride: stride, isMoved: sources.contains(where: \.isMoved))
    let frameStride = stride * bandHeight
    let pool = WorkspacePool { [frames] () throws(PixelError) in
      try BandMemory(count: frames.count * frameStride)
    }
    let samples = try RAWError.translating(.merge) { () throws(PixelError) in
      try RawSamples(of: Float.self, stride: stride, rows: size.height) {
        target throws(PixelError) in
        nonisolated(unsafe) let target = target.start
        for top in Swift.stride(from: 0, to: size.height, by: Self.stripHeight) {
          let rows = min(Self.stripHeight, size.height - top)
          let bands = (rows + bandHeight - 1) / bandHeight
          try Parallel.forEach(count: bands, workers: workers) { band, _ throws(PixelError) in
            let first = top + band * bandHeight
            let height = min(bandHeight, top + rows - first)
            try pool.with { memory throws(PixelError) in
              try merge(
                sources, first, height, stride: stride, frameStride: frameStride, memory,
                into: target + first * stride)
            }
          }
          for (source, frame) in zip(sources, held) where !source.isMoved {
            frame.forget(above: top + rows)
          }
        }
      }
    }
    var levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: [Float](repeating: 0, count: channels.perPixel),
      scale: SIMD4(repeating: 1))
    levels.endsAtWhite = endsAtWhite
    if case .stored(let data) = held[reference] {
      levels.blackOrigin = data.levels.blackOrigin
      levels.whiteOrigin = data.levels.whiteOrigin
    }
    return SensorData(size: size, layout: layout, samples: samples, levels: levels)
  }

  private func merge(
    _ sources: [FrameSource], _ first: Int, _ height: Int, stride: Int, frameStride: Int,
    _ memory: BandMemory, into target: UnsafeMutablePointer<Float>
  ) throws(PixelError) {
    let (values, trust) = (memory.values.start, memory.trust.start)
    for (i, source) in sources.enumerated() {
      let frame = i * frameStride
      try source.read(
        first, height, into: values + frame, trust + frame, detail: trust + frame, stride: stride)
      for y in 0..<height {
        ghosts?.apply(
          i, row: first + y, width: channels.size.width, perPixel: channels.perPixel,
          to: trust + frame + y * stride)
      }
    }
    for y in 0..<height {
      estimate.estimate(
        row: first + y, count: stride, values: values + y * stride, frameStride: frameStride,
        trust: trust + y * stride, into: target + y * stride)
      ghosts?.fill(
        target + y * stride, y: first + y, channels: channels,
        own: values + reference * frameStride + y * stride,
        limit: estimate.exposures[reference].fall(linearLimit: 1).begin)
      guard endsAtWhite else { continue }
      // Values above white come only from interpolation and from counts above white.
      let row = target + y * stride
      for x in 0..<stride { row[x] = row[x] < 1 ? row[x] : 1 }
    }
  }

  /// Whether samples of 1.0 are saturated, as the shortest frame's are.
  private var endsAtWhite: Bool { estimate.exposures[0].noise.saturation.min().isFinite }

  private final class BandMemory {
    let values: PixelStorage<Float>
    let trust: PixelStorage<Float>
    init(count: Int) throws(PixelError) {
      values = try PixelStorage(zeros: count)
      trust = try PixelStorage(zeros: count)
    }
  }
}
