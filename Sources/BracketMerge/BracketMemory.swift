import ImageCore
import RawDecode
import RawFilter

/// The memory for all frames of a merge, which must fit the smallest of their limits: each file was
/// opened within its own, and all of them are decoded before the first row is merged.
///
/// It counts what grows with the number of frames: their samples, as decoded or resampled onto the
/// reference (``ResampledFrame``), the blocks of the ghost search, the merged picture, and the rows
/// of a moved frame that threads read at a time. The data for alignment is freed before that.
struct BracketMemory: Sendable {
  /// A sample of a ``ResampledFrame``, and of the merged picture.
  private static let bytesPerSample = (resampled: 3, merged: 4)

  /// Bytes of all frames and the merged picture.
  let bytes: Int

  /// For `frames`, all of one size, `aligned` and `deghosted` or not, on `workers` threads; throws
  /// where the sum exceeds `maxDecodeBytes`. `mergedSamples`: samples of the merged picture per
  /// sample of a frame.
  init(
    _ frames: [BracketFrame], aligned: Bool, deghosted: Bool, mergedSamples: Int = 1, workers: Int
  ) throws(RAWError) {
    guard let first = frames.first?.filter.file.info else {
      self.bytes = 0
      return
    }
    let channels = SampleChannels(first.size, first.layout)
    let samples = channels.rowCount * channels.size.height
    let blocks = FrameBlocks(
      channels: channels, side: GhostMap.side(channels), workers: workers)
    // What a block says, and how much it counts.
    let perBlock = MemoryLayout<GhostMap.Block>.stride + MemoryLayout<Float>.stride
    let compared = deghosted ? blocks.size.area * perBlock : 0
    let resampled = aligned && deghosted ? Self.bytesPerSample.resampled : 0
    let read = aligned && deghosted ? blocks.movedBytes : 0
    let merged = samples * mergedSamples * Self.bytesPerSample.merged
    let bytes = frames.reduce(merged + read) { sum, frame in
      sum + samples * max(Self.storedBytes(frame.filter.file), resampled) + compared
    }
    let limit = frames.map { $0.filter.file.limits.maxDecodeBytes }.min() ?? 0
    guard bytes <= limit else {
      let hint = deghosted ? ", merge them without a search for ghosts" : ""
      throw RAWError(
        .tooLarge, .merge,
        "the \(frames.count) frames need \(bytes) bytes, more than the limit of \(limit) "
          + "bytes; leave some out\(hint) or raise the limit",
        remedies: deghosted ? [.mergeWithGhosts] : [])
    }
    self.bytes = bytes
  }

  /// Bytes of a decoded sample; merged pictures hold floats.
  private static func storedBytes(_ file: RawFile) -> Int {
    file.hasOtherSamples || file.tags?.storage.format == .float32 ? 4 : 2
  }
}
