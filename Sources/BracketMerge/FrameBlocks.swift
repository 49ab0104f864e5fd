import ImageCore

/// Reads frames as the blocks in which ``GhostMap`` compares them.
struct FrameBlocks: Sendable {
  let channels: SampleChannels
  let side: Int
  let workers: Int

  /// Error of the mean of a block as a fraction of the deviation within it: of frames that lie on
  /// the reference, and of others, whose fine detail is interpolated.
  private static let texture: (still: Float, moved: Float) = (0.1, 0.5)

  /// Blocks across and down; the last ones may be smaller.
  var size: PixelSize {
    PixelSize(
      width: (channels.size.width + side - 1) / side,
      height: (channels.size.height + side - 1) / side)
  }

  /// Those of a frame of this exposure, row by row.
  func read(_ source: FrameSource, _ exposure: RadianceEstimate.Exposure) -> [GhostMap.Block] {
    let (size, stride) = (size, channels.rowCount)
    let end = exposure.fall(linearLimit: 1).begin
    let pool = WorkspacePool { [side] in Memory(count: stride * side) }
    let rows = Parallel.map(count: size.height, workers: workers) { line -> [GhostMap.Block] in
      pool.with { memory in
        let (values, trust) = (memory.values.start, memory.trust.start)
        let first = line * side
        let height = min(side, channels.size.height - first)
        source.read(
          first, height, into: values, trust, stride: stride, countsDetail: false)
        return (0..<size.width).map { block in
          let columns = block * side..<min((block + 1) * side, channels.size.width)
          return self.block(
            columns, first, height, values, trust, exposure, end,
            texture: source.isMoved ? Self.texture.moved : Self.texture.still)
        }
      }
    }
    return rows.flatMap { $0 }
  }

  private final class Memory {
    let values: PixelStorage<Float>
    let trust: PixelStorage<Float>
    init(count: Int) {
      values = PixelStorage(zeros: count)
      trust = PixelStorage(zeros: count)
    }
  }

  private func block(
    _ columns: Range<Int>, _ first: Int, _ height: Int, _ values: UnsafePointer<Float>,
    _ trust: UnsafePointer<Float>, _ exposure: RadianceEstimate.Exposure, _ end: SIMD4<Float>,
    texture: Float
  ) -> GhostMap.Block {
    let perPixel = channels.perPixel
    var block = GhostMap.Block()
    var (counts, squares) = (SIMD4<Float>(), SIMD4<Float>())
    block.isWhole = true
    for y in 0..<height {
      let row = y * channels.rowCount
      for sample in columns.lowerBound * perPixel..<columns.upperBound * perPixel {
        let channel = channels.channel(sample, first + y)
        let value = values[row + sample]
        // NaN compares as false.
        if !(value < end[channel]) || trust[row + sample] < 1 { block.isWhole = false }
        if value >= end[channel] { block.isSaturated = true }
        block.light[channel] += value
        block.peak[channel] = max(block.peak[channel], value)
        squares[channel] += value * value
        counts[channel] += 1
      }
    }
    let (noise, time) = (exposure.noise, exposure.time)
    counts = pointwiseMax(counts, SIMD4(repeating: 1))
    let mean = block.light / counts
    let spread = pointwiseMax(squares / counts - mean * mean, SIMD4.zero)
    let sample = noise.shot * pointwiseMax(mean, SIMD4.zero) + noise.read
    block.variance = (sample / counts + texture * texture * spread) / (time * time)
    (block.light, block.peak) = (mean / time, block.peak / time)
    return block
  }
}
