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
  private static let bandHeight = 16
  private static let movedBandHeight = 64
  private static let stripHeight = 512

  /// The frames with the samples `data` at the photosites of the reference.
  func sources(_ data: [SensorData], workers: Int) throws(RAWError) -> [FrameSource] {
    var sources: [FrameSource] = []
    for (i, data) in data.enumerated() {
      guard similarities[i] != .identity else {
        sources.append(.still(LinearLevels(data, balance: SIMD4(repeating: 1))))
        continue
      }
      let exposure = estimate.exposures[i]
      sources.append(
        .moved(
          try MovedFrame(
            data, exposure.noise, balance: balance, similarity: similarities[i],
            fall: exposure.fall(linearLimit: linearLimit), workers: workers)))
    }
    return sources
  }

  /// The picture of the frames with the samples `data`, which are used up: black 0, 1.0 where the
  /// shortest frame saturates.
  func merge(_ data: [SensorData], workers: Int) throws(RAWError) -> SensorData {
    let sources = try sources(data, workers: workers)
    let size = channels.size
    let stride = (channels.rowCount + 7) / 8 * 8
    let bandHeight = sources.contains(where: \.isMoved) ? Self.movedBandHeight : Self.bandHeight
    let frameStride = stride * bandHeight
    let pool = WorkspacePool { [frames] in BandMemory(count: frames.count * frameStride) }
    let samples = RawSamples(of: Float.self, stride: stride, rows: size.height) { target in
      nonisolated(unsafe) let target = target.start
      for top in Swift.stride(from: 0, to: size.height, by: Self.stripHeight) {
        let rows = min(Self.stripHeight, size.height - top)
        let bands = (rows + bandHeight - 1) / bandHeight
        Parallel.forEach(count: bands, workers: workers) { band, _ in
          let first = top + band * bandHeight
          let height = min(bandHeight, top + rows - first)
          pool.with { memory in
            merge(
              sources, first, height, stride: stride, frameStride: frameStride, memory,
              into: target + first * stride)
          }
        }
        for (source, frame) in zip(sources, data) where !source.isMoved {
          frame.samples.forget(above: top + rows)
        }
      }
    }
    var levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: [Float](repeating: 0, count: channels.perPixel),
      scale: SIMD4(repeating: 1))
    levels.endsAtWhite = estimate.exposures[0].noise.saturation.min().isFinite
    levels.blackOrigin = data[reference].levels.blackOrigin
    levels.whiteOrigin = data[reference].levels.whiteOrigin
    return SensorData(size: size, layout: layout, samples: samples, levels: levels)
  }

  private func merge(
    _ sources: [FrameSource], _ first: Int, _ height: Int, stride: Int, frameStride: Int,
    _ memory: BandMemory, into target: UnsafeMutablePointer<Float>
  ) {
    let (values, trust) = (memory.values.start, memory.trust.start)
    for (i, source) in sources.enumerated() {
      let frame = i * frameStride
      source.read(first, height, into: values + frame, trust + frame, stride: stride)
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
    }
  }

  private final class BandMemory {
    let values: PixelStorage<Float>
    let trust: PixelStorage<Float>
    init(count: Int) {
      values = PixelStorage(zeros: count)
      trust = PixelStorage(zeros: count)
    }
  }
}
