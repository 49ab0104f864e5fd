import Containers

/// Where the samples of a track are in the file. Source: ISO/IEC 14496-12:2022, 8.7: `stsz`,
/// `stsc`, `stco` or `co64`, and of random access points `stss`.
struct SampleTable {
  /// Range of each sample in the file.
  let samples: [Range<Int>]
  /// Indices of random access points; nil where all are.
  let synced: [Int]?

  /// The table in the box `stbl`.
  init(_ stbl: MovieBoxes.Box, fileBytes: Int) throws(FilmError) {
    func damaged() -> FilmError {
      FilmError(.encoderFailed, "the table of samples of the film contradicts itself")
    }
    func numbers(_ type: String, skipping: Int, width: Int) -> [Int]? {
      guard let head = stbl[type]?.head, head.count >= skipping else { return nil }
      var cursor = ByteCursor(head[skipping...])
      var values: [Int] = []
      values.reserveCapacity((head.count - skipping) / width)
      while let value = try? cursor.uint(width) { values.append(value) }
      return values
    }
    guard let sizes = numbers("stsz", skipping: 4, width: 4), sizes.count >= 2,
      let runs = numbers("stsc", skipping: 8, width: 4), runs.count % 3 == 0, !runs.isEmpty,
      let chunks = numbers("stco", skipping: 8, width: 4)
        ?? numbers("co64", skipping: 8, width: 8)
    else { throw damaged() }
    let count = sizes[1]
    guard sizes[0] > 0 || sizes.count == count + 2, count <= FilmClip.maxFrames else {
      throw damaged()
    }
    var samples: [Range<Int>] = []
    samples.reserveCapacity(count)
    var run = 0
    for (chunk, start) in chunks.enumerated() {
      while 3 * (run + 1) < runs.count, runs[3 * (run + 1)] <= chunk + 1 { run += 1 }
      var offset = start
      for _ in 0..<runs[3 * run + 1] where samples.count < count {
        let size = sizes[0] > 0 ? sizes[0] : sizes[samples.count + 2]
        guard offset + size <= fileBytes else { throw damaged() }
        samples.append(offset..<offset + size)
        offset += size
      }
    }
    guard samples.count == count else { throw damaged() }
    self.samples = samples
    synced = numbers("stss", skipping: 8, width: 4)?.map { $0 - 1 }
    guard synced?.allSatisfy({ samples.indices.contains($0) }) ?? true else { throw damaged() }
  }
}
