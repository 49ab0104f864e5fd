import Codecs
import Formats
import ImageCore
import Synchronization

/// A band ready for the file.
struct EncodedBand: Sendable {
  /// Its strips or chunks, concatenated.
  let block: BandMemory.Block
  /// Their lengths.
  let partBytes: [Int]
  /// Luminance statistics of the linear values.
  let statistics: ContentLightStatistics
}

extension PictureBands {
  /// Encodes every band on ``workers`` threads and passes the parts of each, band by band, to
  /// `write` with the first row of the part; parts are `partRows` rows apart. The blocks of the
  /// bands go back to `memory`; `startWriting` is called from time to time. Gives the statistics of
  /// all bands.
  func write(
    partRows: Int, memory: BandMemory, startWriting: @Sendable () -> Void,
    _ encode: @Sendable (_ band: PictureBand, _ worker: Int) throws -> EncodedBand,
    _ write: @Sendable (_ row: Int, UnsafeMutableRawBufferPointer) throws(CodecError) -> Void
  ) throws -> ContentLightStatistics {
    let total = Mutex(ContentLightStatistics())
    let held = Mutex(0)
    try forEach(encode) { index, band in
      var offset = 0
      for (part, count) in band.partBytes.enumerated() {
        let bytes = unsafe UnsafeMutableRawBufferPointer(
          rebasing: band.block.bytes[offset..<offset + count])
        try MeasuredStage.write.measure { () throws(CodecError) in
          try unsafe write(index * rows + part * partRows, bytes)
        }
        offset += count
      }
      memory.giveBack(band.block)
      let isMuch = held.withLock { held in
        held += offset
        guard held >= AtomicFile.writtenTogether else { return false }
        held = 0
        return true
      }
      if isMuch { startWriting() }
      total.withLock { $0.add(band.statistics) }
    }
    return total.withLock { $0 }
  }
}
