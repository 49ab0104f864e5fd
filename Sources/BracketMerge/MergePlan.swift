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

  /// Rows that one thread merges at a time, and that are merged before rows of the frames are
  /// given back.
  private static let bandHeight = 16
  private static let stripHeight = 512

  /// The picture of the frames with the samples `data`, which are used up: black 0, 1.0 where the
  /// shortest frame saturates.
  func merge(_ data: [SensorData], workers: Int) -> SensorData {
    let size = channels.size
    let (count, stride) = (channels.rowCount, (channels.rowCount + 7) / 8 * 8)
    let frameStride = stride * Self.bandHeight
    let sources = data.map { LinearLevels($0, balance: SIMD4(repeating: 1)) }
    let pool = WorkspacePool { [frames] in
      BandMemory(PixelStorage<Float>(zeros: frames.count * frameStride))
    }
    let samples = RawSamples(of: Float.self, stride: stride, rows: size.height) { target in
      nonisolated(unsafe) let target = target.start
      for top in Swift.stride(from: 0, to: size.height, by: Self.stripHeight) {
        let rows = min(Self.stripHeight, size.height - top)
        let bands = (rows + Self.bandHeight - 1) / Self.bandHeight
        Parallel.forEach(count: bands, workers: workers) { band, _ in
          let first = top + band * Self.bandHeight
          let height = min(Self.bandHeight, size.height - first)
          pool.with { memory in
            let values = memory.values.start
            for (i, source) in sources.enumerated() {
              for y in 0..<height {
                source.fill(row: first + y, into: values + i * frameStride + y * stride)
              }
            }
            for y in 0..<height {
              estimate.estimate(
                row: first + y, count: stride, values: values + y * stride,
                frameStride: frameStride, trust: nil, into: target + (first + y) * stride)
            }
          }
        }
        for frame in data { frame.samples.forget(above: top + rows) }
      }
    }
    var levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: [Float](repeating: 0, count: channels.perPixel),
      scale: SIMD4(repeating: 1))
    levels.endsAtWhite = estimate.exposures[0].noise.saturation.min().isFinite
    levels.blackOrigin = data[reference].levels.blackOrigin
    levels.whiteOrigin = data[reference].levels.whiteOrigin
    _ = count
    return SensorData(size: size, layout: layout, samples: samples, levels: levels)
  }

  private final class BandMemory {
    let values: PixelStorage<Float>
    init(_ values: consuming PixelStorage<Float>) { self.values = values }
  }
}
