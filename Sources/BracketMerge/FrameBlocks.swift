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

  /// Rows of blocks read at a time. A moved frame reads many rows around a request.
  private func lines(isMoved: Bool) -> Int {
    let rows = min(Self.movedHeight, MergePlan.bandSamples / max(channels.rowCount, 1))
    return isMoved ? max(rows / side, 1) : 1
  }

  /// Samples of the rows that are read at a time.
  private func samples(isMoved: Bool) -> Int {
    channels.rowCount * min(lines(isMoved: isMoved) * side, channels.size.height)
  }

  /// Bytes for reading a moved frame with `workers` when it is stored: values and two kinds of
  /// trust.
  var movedBytes: Int {
    let bands = (size.height - 1) / lines(isMoved: true) + 1
    return samples(isMoved: true) * 3 * MemoryLayout<Float>.stride * min(workers, bands)
  }

  /// The blocks of a frame of this exposure, row by row. A moved frame is stored in `resampled`.
  func read(
    _ source: FrameSource, _ exposure: RadianceEstimate.Exposure,
    resampled: ResampledFrame? = nil
  ) throws(PixelError) -> [GhostMap.Block] {
    let (size, stride) = (size, channels.rowCount)
    let end = exposure.fall(linearLimit: 1).begin
    let patterns = (0..<channels.patternHeight).flatMap { y in
      (0..<channels.period).map { x in
        let channel = channels.channel(x, y)
        var filter = Filter(end: end[channel])
        filter.lanes[channel] = 1
        return filter
      }
    }
    let lines = lines(isMoved: source.isMoved)
    let texture = source.isMoved ? Self.texture.moved : Self.texture.still
    let samples = samples(isMoved: source.isMoved)
    // Rows are read in vectors.
    let pool = WorkspacePool { () throws(PixelError) in
      try Memory(count: samples + 8, keeps: resampled != nil)
    }
    let bands = try Parallel.map(
      count: (size.height + lines - 1) / lines, workers: workers
    ) { band throws(PixelError) -> [GhostMap.Block] in
      try pool.with { memory throws(PixelError) in
        let (values, trust) = (memory.values.start, memory.trust.start)
        let top = band * lines * side
        let height = min(lines * side, channels.size.height - top)
        let detail = memory.detail.count > 0 ? memory.detail.start : nil
        try source.read(top, height, into: values, trust, detail: detail, stride: stride)
        if let resampled, let detail {
          for y in 0..<height {
            resampled.store(row: top + y, values + y * stride, detail + y * stride)
          }
        }
        return patterns.withUnsafeBufferPointer { patterns in
          (band * lines..<min((band + 1) * lines, size.height)).flatMap { line in
            let first = line * side
            let height = min(side, channels.size.height - first)
            let offset = (first - top) * stride
            return (0..<size.width).map { block in
              let columns = block * side..<min((block + 1) * side, channels.size.width)
              return self.block(
                columns, first, height, values + offset, trust + offset, exposure, patterns,
                texture: texture)
            }
          }
        }
      }
    }
    return bands.flatMap { $0 }
  }

  /// Rows of a moved frame that are read at a time.
  private static let movedHeight = 64

  /// A photosite of the pattern: 1 in the lane of its channel, and where its fall begins.
  private struct Filter {
    var end: Float
    var lanes = SIMD4<Float>()
  }

  private final class Memory {
    let values: PixelStorage<Float>
    let trust: PixelStorage<Float>
    /// Trust including detail; empty where it is not stored.
    let detail: PixelStorage<Float>
    init(count: Int, keeps: Bool) throws(PixelError) {
      values = try PixelStorage(zeros: count)
      trust = try PixelStorage(zeros: count)
      detail = try PixelStorage(zeros: keeps ? count : 0)
    }
  }

  private func block(
    _ columns: Range<Int>, _ first: Int, _ height: Int, _ values: UnsafePointer<Float>,
    _ trust: UnsafePointer<Float>, _ exposure: RadianceEstimate.Exposure,
    _ patterns: UnsafeBufferPointer<Filter>,
    texture: Float
  ) -> GhostMap.Block {
    let perPixel = channels.perPixel
    var block = GhostMap.Block()
    var (counts, squares) = (SIMD4<Float>(), SIMD4<Float>())
    block.isUsable = true
    for y in 0..<height {
      let row = y &* channels.rowCount
      let pattern = (first &+ y) % channels.patternHeight &* channels.period
      let behind = pattern &+ channels.period
      var filter = pattern &+ columns.lowerBound &* perPixel % channels.period
      for i in row &+ columns.lowerBound &* perPixel..<row &+ columns.upperBound &* perPixel {
        let own = patterns[filter]
        filter &+= 1
        if filter == behind { filter = pattern }
        let value = values[i]
        // NaN compares as false, and a block with one is not usable.
        if !(value < own.end) || trust[i] < 1 { block.isUsable = false }
        if value >= own.end { block.isSaturated = true }
        let lanes = own.lanes * value
        block.mean += lanes
        block.peak = block.peak.replacing(with: lanes, where: lanes .> block.peak)
        squares += lanes * value
        counts += own.lanes
      }
    }
    let (noise, time) = (exposure.noise, exposure.time)
    counts = pointwiseMax(counts, SIMD4(repeating: 1))
    let mean = block.mean / counts
    let spread = pointwiseMax(squares / counts - mean * mean, SIMD4.zero)
    let sample = noise.shot * pointwiseMax(mean, SIMD4.zero) + noise.read
    block.variance = (sample / counts + texture * texture * spread) / (time * time)
    (block.mean, block.peak) = (mean / time, block.peak / time)
    return block
  }
}
