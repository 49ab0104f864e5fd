import Containers
import Formats
import Foundation
import ImageCore
import Writers

/// What ffmpeg does not write, or cannot know, put into the film: `colr` with the range, boxes and
/// messages of the mastering display and of the content light levels of all frames, exact times.
struct MoviePatch {
  let settings: FilmSettings
  let rate: FrameRate
  /// PQ only.
  let mastering: HDRMetadata.MasteringDisplay?
  let light: ContentLightCode?

  /// Copies the joined `film` to `descriptor`, with the changes. Returns the number of bytes.
  func write(_ film: FileBytes, to descriptor: Int32, name: String) throws -> Int {
    var boxes = try MovieBoxes(film)
    var changes: [(at: Int, bytes: [UInt8])] = []
    try boxes.changePictures { track throws(FilmError) in
      try MovieTiming.regulate(&track, rate: rate)
      try track.change("mdia") { media throws(FilmError) in
        try media.change("minf") { info throws(FilmError) in
          try info.change("stbl") { table throws(FilmError) in
            if let light, settings.codec.row.light != .boxesAlone {
              changes = try self.changes(table, film, light)
            }
            try table.change("stsd") { entries throws(FilmError) in
              try entries.change(settings.codec.row.tag) { entry throws(FilmError) in
                try change(&entry)
              }
            }
          }
        }
      }
    }
    let moov = boxes.moov.bytes
    let rest = boxes.range.upperBound..<film.count
    // Offsets of samples count from the start of the file: what is before the index stays.
    guard moov.count == boxes.range.count || rest.isEmpty else {
      throw FilmError(.encoderFailed, "the film has bytes behind its index; nothing was written")
    }
    try copy(film, 0..<boxes.range.lowerBound, changes, to: descriptor, name)
    try AtomicFile.append(moov, to: descriptor, path: name)
    try copy(film, rest, [], to: descriptor, name)
    try film.checkReading()
    return boxes.range.lowerBound + moov.count + rest.count
  }

  private func copy(
    _ film: FileBytes, _ range: Range<Int>, _ changes: [(at: Int, bytes: [UInt8])],
    to descriptor: Int32, _ name: String
  ) throws {
    var next = changes[...]
    var at = range.lowerBound
    let step = 8 << 20
    while at < range.upperBound {
      try Cancellation.check()
      var end = min(at + step, range.upperBound)
      // No change is cut.
      if let cut = next.first(where: { $0.at < end && $0.at + $0.bytes.count > end }) {
        end = cut.at + cut.bytes.count
      }
      guard var bytes = film.bytes(at, end - at) else { break }
      while let change = next.first, change.at < end {
        for (index, byte) in change.bytes.enumerated() { bytes[change.at - at + index] = byte }
        next = next.dropFirst()
      }
      try AtomicFile.append(bytes, to: descriptor, path: name)
      at = end
    }
  }

  /// The levels in the samples of random access points.
  private func changes(
    _ table: MovieBoxes.Box, _ film: FileBytes, _ light: ContentLightCode
  ) throws(FilmError) -> [(at: Int, bytes: [UInt8])] {
    let samples = try SampleTable(table, fileBytes: film.count)
    let record = table["stsd"]?[settings.codec.row.tag]?["hvcC"]?.head ?? []
    let width = record.count > 21 ? Int(record[21] & 3) + 1 : 4
    var changes: [(at: Int, bytes: [UInt8])] = []
    for index in samples.synced ?? Array(samples.samples.indices) {
      let range = samples.samples[index]
      let sample = film.bytes(range.lowerBound, range.count) ?? []
      let found =
        settings.codec.row.light == .messages
        ? ContentLightPatch.messages(sample, width: width) : ContentLightPatch.units(sample)
      for position in found {
        try requireHeld(sample[position..<position + 4])
        changes.append((range.lowerBound + position, light.bytes))
      }
    }
    guard !changes.isEmpty else {
      throw FilmError(
        .encoderFailed, "the encoder wrote no content light levels; take another version of it")
    }
    return changes.sorted { $0.at < $1.at }
  }

  private func requireHeld(_ bytes: ArraySlice<UInt8>) throws(FilmError) {
    guard bytes.elementsEqual(EncoderCommand.heldContentLight.bytes) else {
      throw FilmError(.encoderFailed, "the encoder wrote other content light levels than given")
    }
  }

  private func change(_ entry: inout MovieBoxes.Box) throws(FilmError) {
    entry.children?.removeAll { ["colr", "mdcv", "clli"].contains($0.type) }
    if let light, let at = entry.children?.firstIndex(where: { $0.type == "hvcC" }),
      var record = entry.children?[at].head
    {
      for position in ContentLightPatch.arrays(record) {
        try requireHeld(record[position..<position + 4])
        record.replaceSubrange(position..<position + 4, with: light.bytes)
      }
      entry.children?[at].head = record
    }
    let points = settings.codePoints
    var color = BoxWriter()
    color.append("nclx".utf8)
    for code in [points.primaries, points.transfer, Int(points.matrix.rawValue)] {
      color.u16(UInt16(code))
    }
    color.u8(settings.isFullRange ? 0x80 : 0)
    entry.children?.append(MovieBoxes.Box(type: "colr", head: color.bytes))
    if let mastering {
      entry.children?.append(MovieBoxes.Box(type: "mdcv", head: Self.bytes(mastering)))
    }
    if let light { entry.children?.append(MovieBoxes.Box(type: "clli", head: light.bytes)) }
  }

  /// `mdcv`: green, blue, red and white, then the luminances.
  private static func bytes(_ display: HDRMetadata.MasteringDisplay) -> [UInt8] {
    var box = BoxWriter()
    for xy in [display.green, display.blue, display.red, display.white] {
      box.u16(.nearest(xy.x * 50_000))
      box.u16(.nearest(xy.y * 50_000))
    }
    box.u32(.nearest(display.maximumNits * 10_000))
    box.u32(.nearest(display.minimumNits * 10_000))
    return box.bytes
  }
}
