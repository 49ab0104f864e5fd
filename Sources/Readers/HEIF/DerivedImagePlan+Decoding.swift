import AV1Codec
import Codecs
import Containers
import ImageCore
import Synchronization

extension DerivedImagePlan {
  /// The code values of the picture, upright: tiles are decoded in parallel straight to their
  /// positions. The result does not depend on the number of threads. What is damaged in it is a
  /// note where `policy` reads such pictures.
  func picture(
    _ reader: HEIFItemReader, _ policy: ReadPolicy
  ) throws(FormatError) -> DecodedSamples {
    try DecodedSamples(size: size, channels: channels, format: .codes(bits: bits)) {
      picture throws(FormatError) in
      let leavesOut = tiles.count > 1 && policy.reads(.heifTile)
      if leavesOut { picture.clear() }
      let findings = Mutex(Findings())
      let workers = workers(within: reader.file.limits)
      let ended = Result { () throws(PixelError) in
        try Parallel.forEach(count: tiles.count, workers: workers) { index, _ in
          if findings.withLock({ ($0.failure.first?.index ?? .max) < index }) { return }
          do throws(FormatError) {
            try reader.file.checkReading()
            if bits > 8 {
              try decode(index, reader, policy, into: picture, UInt16.self)
            } else {
              try decode(index, reader, policy, into: picture, UInt8.self)
            }
          } catch {
            let isLeftOut = leavesOut && error.code == .damaged
            findings.withLock {
              if isLeftOut {
                $0.missing.add(error, of: index)
              } else {
                $0.failure.add(error, of: index)
              }
            }
          }
        }
      }
      let found = findings.withLock { $0 }
      if let error = found.failure.first?.error { throw error }
      try reader.file.checkReading()
      if case .failure(let error) = ended { throw FormatError(error) }
      let lost = found.missing
      if lost.count == tiles.count, let error = lost.first?.error { throw error }
      if lost.count > 0 {
        picture.add(note: StillInfo.partsNote(lost.count, of: tiles.count, "tiles"))
      }
    }
  }

  /// The result of decoding the tiles.
  private struct Findings {
    /// An error that stops reading the picture.
    var failure = TileDamage()
    /// Tiles that are left out.
    var missing = TileDamage()
  }

  /// Damaged tiles, and the error of the first of them by number, independent of threads.
  private struct TileDamage {
    private(set) var count = 0
    private(set) var first: (index: Int, error: FormatError)?

    mutating func add(_ error: FormatError, of index: Int) {
      count += 1
      if index < first?.index ?? .max { first = (index, error) }
    }
  }

  /// Tiles that are decoded in parallel: as many as fit in the memory limit with the picture; the
  /// first is known to fit.
  func workers(within limits: DecodeLimits, maxWorkers: Int = Parallel.defaultWorkers) -> Int {
    let picture = memory(tiles: 0)
    let tile = memory(tiles: 1) - picture
    return max(1, min(maxWorkers, (limits.maxDecodeBytes - picture) / tile))
  }

  private func decode<Code: FixedWidthInteger & UnsignedInteger>(
    _ index: Int, _ reader: HEIFItemReader, _ policy: ReadPolicy, into picture: DecodedSamples,
    _: Code.Type
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
    let part = area.intersection(placement.crop)
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
    // Only after the planes of the decoder are freed.
    if tile.codec == .av1, policy.outcome(of: .av1TileEnd) != .unchecked {
      try AOMCheck().check(try AV1Configuration.units(record, data))
    }
  }
}
