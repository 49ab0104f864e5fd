import Containers
import Formats
import Foundation
import ImageCore
import Writers

/// Coded frames become a film: segments of a fixed length, each coded once by a process of its own,
/// joined without coding them again, patched and checked. Not synchronized: for one thread.
final class FilmAssembly {
  let command: EncoderCommand
  let work: WorkFolder
  private let settings: FilmSettings
  private let check: MovieCheck
  private var encoder: SegmentEncoder?
  private var record = SegmentRecord(frames: 0, light: CodedContentLight())
  private var index = 0
  /// The segment before, which may not be complete yet.
  private var ending: (encoder: SegmentEncoder, index: Int, record: SegmentRecord)?

  init(_ command: EncoderCommand, _ work: WorkFolder) {
    (self.command, self.work, settings) = (command, work, command.settings)
    check = MovieCheck(
      tools: command.tools, settings: settings, size: command.size, rate: command.rate)
  }

  /// Begins segment `index`.
  func begin(_ index: Int) throws(FilmError) {
    // An encoder that outlives a killed run may still write to it.
    unsafe unlink(work.part(index))
    encoder = try SegmentEncoder(command.encoding(to: work.part(index)))
    (self.index, record) = (index, SegmentRecord(frames: 0, light: CodedContentLight()))
  }

  /// Adds a frame.
  func append(_ frame: [UInt8], _ light: CodedContentLight) throws(FilmError) {
    try encoder?.append(frame)
    record.frames += 1
    record.light.add(light)
  }

  /// Adds a frame that could not be read to the record.
  func note(_ bad: BadFrame) { record.bad.append(bad) }

  /// Ends the segment, which is completed while the next one begins.
  func end(isLast: Bool = false) throws(FilmError) {
    record.isLast = isLast
    guard let encoder else { return }
    self.encoder = nil
    if record.frames == 0 {
      // An encoder without frames writes no film.
      encoder.abort()
      try complete()
      try work.finishEmpty(index, record)
      return
    }
    encoder.close()
    let own = (encoder, index, record)
    do { try complete() } catch {
      encoder.abort()
      throw error
    }
    ending = own
  }

  /// Waits for the segment before, and checks it.
  func complete() throws(FilmError) {
    guard let (encoder, index, record) = ending else { return }
    ending = nil
    try encoder.finish()
    let found = try check.frames(work.part(index))
    guard found == record.frames else {
      throw FilmError(
        .encoderFailed,
        "the encoder wrote \(found) of \(record.frames) frames of a segment; try again, or take "
          + "another codec")
    }
    try work.finish(index, record)
  }

  /// Ends all encoders. What is complete stays.
  func abort() {
    encoder?.abort()
    ending?.encoder.abort()
    (encoder, ending) = (nil, nil)
  }

  /// What a film was joined to.
  struct Joined {
    var bytes: Int
    var frames: Int
    var light: ContentLightCode?
    var records: [SegmentRecord]
  }

  /// Joins all segments to the film at `destination`, made of the files `sources`. `given` are
  /// content light levels that count instead of those that were measured.
  func join(
    to destination: OutputDestination, of sources: Set<FileIdentity>,
    _ extras: EncoderCommand.Extras, given: HDRMetadata.ContentLight?
  ) throws -> Joined {
    try complete()
    var records: [SegmentRecord] = []
    while let record = work.record(records.count) {
      records.append(record)
      if record.isLast { break }
    }
    let frames = records.reduce(0) { $0 + $1.frames }
    guard frames > 0 else {
      let first = records.lazy.flatMap(\.bad).first
      throw FilmError(
        .badInput,
        "none of the frames can be read; nothing was written"
          + (first.map { ". The first: \($0.message)" } ?? ""), path: first?.path)
    }
    let segments = records.indices.filter { records[$0].frames > 0 }
    try work.write(list: command.list(segments.map { (work.name($0), records[$0].frames) }))
    let child = try Child(
      command.joining(list: work.list, frames: frames, extras, to: work.joined),
      takesInput: false, givesOutput: false)
    try child.finish()
    var light: ContentLightCode?
    if settings.format == .pq {
      var all = CodedContentLight()
      for record in records { all.add(record.light) }
      light =
        given.map { ContentLightCode(maximum: $0.maximumNits, average: $0.averageNits) }
        ?? ContentLightCode(all)
    }
    var limits = DecodeLimits()
    limits.maxFileBytes = .max
    let film = try FileBytes(path: work.joined, limits: limits)
    let patch = MoviePatch(
      settings: settings, rate: command.rate, mastering: command.mastering, light: light)
    let content = OutputContent(
      settings.codec.row.name, [settings.container.rawValue], of: sources)
    let (bytes, _) = try destination.write(content) { descriptor in
      let count = try patch.write(film, to: descriptor, name: destination.name)
      // Before the name appears: by the descriptor, which other programs can open.
      try check.check(
        "/proc/\(getpid())/fd/\(descriptor)", frames: frames, mastering: command.mastering,
        light: light)
      return count
    }
    return Joined(bytes: bytes, frames: frames, light: light, records: records)
  }
}

extension WorkFolder {
  /// Segment `index` has no frames: an empty file stands for it.
  func finishEmpty(_ index: Int, _ record: SegmentRecord) throws(FilmError) {
    unsafe unlink(part(index))
    guard FileManager.default.createFile(atPath: part(index), contents: Data()) else {
      throw FilmError(.cannotWrite, "cannot be written to", path: path)
    }
    try finish(index, record)
  }
}
