import AV1Codec
import Codecs
import Containers
import ImageCore
import Synchronization

extension DerivedImagePlan {
  /// The code values of the picture, upright: tiles are decoded in parallel straight to their
  /// positions. The result does not depend on the number of threads.
  func picture(_ reader: HEIFItemReader) throws(FormatError) -> DecodedSamples {
    try DecodedSamples(size: size, channels: channels, format: .codes(bits: bits)) {
      picture throws(FormatError) in
      let failure = Mutex<(index: Int, error: FormatError)?>(nil)
      let workers = workers(within: reader.file.limits)
      let ended = Result { () throws(PixelError) in
        try Parallel.forEach(count: tiles.count, workers: workers) { index, _ in
          if failure.withLock({ ($0?.index ?? .max) < index }) { return }
          do throws(FormatError) {
            try reader.file.checkReading()
            if bits > 8 {
              try decode(index, reader, into: picture, UInt16.self)
            } else {
              try decode(index, reader, into: picture, UInt8.self)
            }
          } catch {
            failure.withLock { if index < $0?.index ?? .max { $0 = (index, error) } }
          }
        }
      }
      if let error = failure.withLock({ $0?.error }) { throw error }
      try reader.file.checkReading()
      if case .failure(let error) = ended { throw FormatError(error) }
    }
  }

  /// Tiles that are decoded at a time: as many as `limits` have memory for beside the picture, of
  /// which the first was seen to fit.
  func workers(within limits: DecodeLimits, most: Int = Parallel.defaultWorkers) -> Int {
    let picture = memory(tiles: 0)
    let tile = memory(tiles: 1) - picture
    return max(1, min(most, (limits.maxDecodeBytes - picture) / tile))
  }

  private func decode<Code: FixedWidthInteger & UnsignedInteger>(
    _ index: Int, _ reader: HEIFItemReader, into picture: DecodedSamples, _: Code.Type
  ) throws(FormatError) {
    let number = tiles[index]
    let data = try reader.bytes(of: number)
    let tile = try Self.still(number, reader) { data }
    guard tile.size == still.size, tile.codedSize == still.codedSize, tile.bits == still.bits,
      tile.isGray == still.isGray
    else {
      throw .contradiction("tile \(number) differs from the first in size or format")
    }
    let area = PixelRect(
      x: index % columns * tile.size.width, y: index / columns * tile.size.height,
      width: tile.size.width, height: tile.size.height)
    let part = area.intersection(placement.kept)
    let scratch = UnsafeMutablePointer<Code>.allocate(capacity: max(part.width, 1) * channels)
    defer { unsafe scratch.deallocate() }
    let record = reader.items[number]?.configuration ?? []
    try StillDecoder.decode(
      tile, record: record, data: data, threads: tiles.count == 1 ? Parallel.defaultWorkers : 1
    ) { planes in
      guard !part.isEmpty else { return }
      for y in part.y..<part.endY {
        let row = unsafe YCbCrDecoding.Row<Code>(planes, y: y - area.y)
        let x = part.x - area.x
        let start = placement.target(x: part.x, y: y)
        let next = placement.target(x: part.x + 1, y: y)
        let first =
          unsafe picture.row(start.y).assumingMemoryBound(to: Code.self) + start.x * channels
        if next.y == start.y, next.x > start.x {
          unsafe decoding.convert(row, x: x, first, count: part.width, channels: channels)
          continue
        }
        unsafe decoding.convert(row, x: x, scratch, count: part.width, channels: channels)
        let step =
          (next.y - start.y) * (picture.stride / MemoryLayout<Code>.stride)
          + (next.x - start.x) * channels
        for i in 0..<part.width {
          for channel in 0..<channels {
            unsafe first[i &* step &+ channel] = scratch[i &* channels &+ channel]
          }
        }
      }
    }
    // Only now that the planes of the decoder are gone.
    if tile.codec == .av1 {
      try AOMCheck().check(try AV1Configuration.units(record, data))
    }
  }
}
