import Containers

/// Frames at exactly equal distances. Joined segments have times that are rounded, and a segment of
/// two frames, which an encoder does not reorder, has decoding times that jump where it begins.
///
/// Samples stay in the order in which they are decoded. The order of their presentation is that of
/// their times; the frame that is shown as number n gets n times the distance. Decoding times are
/// equally distant, too, and composition offsets (`ctts`) are the difference, moved up until none
/// is negative; the edit list begins as much later. Source: ISO/IEC 14496-12:2022, 8.6.
enum MovieTiming {
  /// Makes the times of the track `track` regular at `rate`. Tables of another time scale, in which
  /// a frame takes no integer number of units, stay as they are.
  static func regulate(
    _ track: inout MovieBoxes.Box, rate: FrameRate
  ) throws(FilmError) {
    guard let media = track["mdia"], let header = media["mdhd"]?.head, header.count >= 20,
      header[0] == 0, let table = media["minf"]?["stbl"]
    else { return }
    let scale = number(header, 12)
    guard scale * rate.seconds % rate.frames == 0 else { return }
    let step = scale * rate.seconds / rate.frames
    let decoding = runs(table["stts"]?.head ?? [])
    let offsets = table["ctts"].map { runs($0.head) } ?? []
    guard !decoding.isEmpty, offsets.isEmpty || offsets.count == decoding.count else {
      throw FilmError(.encoderFailed, "the times of the film contradict each other")
    }
    var time = 0
    let shown = decoding.indices.map { index in
      defer { time += decoding[index] }
      // Offsets of version 1 are signed, and ffmpeg writes none that is over 2^31.
      return time + (offsets.isEmpty ? 0 : Int(Int32(truncatingIfNeeded: offsets[index])))
    }
    var number = [Int](repeating: 0, count: shown.count)
    for (rank, index) in shown.indices.sorted(by: { (shown[$0], $0) < (shown[$1], $1) })
      .enumerated()
    {
      number[index] = rank
    }
    let later = number.indices.map { $0 - number[$0] }.max() ?? 0
    let moved = number.indices.map { (number[$0] - $0 + later) * step }
    try track.change("mdia") { media throws(FilmError) in
      try media.change("mdhd") { $0.head.put(step * shown.count, at: 16) }
      try media.change("minf") { info throws(FilmError) in
        try info.change("stbl") { table throws(FilmError) in
          try table.change("stts") { $0.head = written([Int](repeating: step, count: shown.count)) }
          var boxes = table.children ?? []
          let at = boxes.firstIndex { $0.type == "ctts" } ?? boxes.endIndex
          boxes.removeAll { $0.type == "ctts" }
          if moved.contains(where: { $0 != 0 }) {
            boxes.insert(MovieBoxes.Box(type: "ctts", head: written(moved)), at: at)
          }
          table.children = boxes
        }
      }
    }
    try changeStart(&track, later * step)
  }

  /// The edit list begins at `start`.
  private static func changeStart(
    _ track: inout MovieBoxes.Box, _ start: Int
  ) throws(FilmError) {
    guard let list = track["edts"]?["elst"]?.head else {
      guard start == 0 else { throw MovieBoxes.lacking("elst") }
      return
    }
    guard list.count == 20, list[0] == 0 else {
      throw FilmError(.encoderFailed, "the film that was written has an edit list of several parts")
    }
    try track.change("edts") { edits throws(FilmError) in
      try edits.change("elst") { $0.head.put(start, at: 12) }
    }
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The values of all samples of a table of runs: a count and a value each.
  private static func runs(_ head: [UInt8]) -> [Int] {
    var values: [Int] = []
    var at = 8
    while at + 8 <= head.count {
      let count = number(head, at)
      guard count <= FilmClip.maxFrames - values.count else { return [] }
      values.append(contentsOf: repeatElement(number(head, at + 4), count: count))
      at += 8
    }
    return values
  }

  /// A table of these values as runs.
  private static func written(_ values: [Int]) -> [UInt8] {
    var runs: [(count: Int, value: Int)] = []
    for value in values {
      if let last = runs.last, last.value == value {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, value))
      }
    }
    var table = BoxWriter()
    table.u32(0)
    table.u32(UInt32(clamping: runs.count))
    for run in runs {
      table.u32(UInt32(clamping: run.count))
      table.u32(UInt32(clamping: run.value))
    }
    return table.bytes
  }
}

extension [UInt8] {
  /// Writes a number of four bytes.
  fileprivate mutating func put(_ number: Int, at offset: Int) {
    replaceSubrange(offset..<offset + 4, with: UInt32(clamping: number).bytes(bigEndian: true))
  }
}
