public import Formats
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Writers

/// The export of a film: inputs and options, a plan that can be asked for, and the work, which can
/// be cancelled and, after the process was killed, goes on with what is done.
public struct FilmSession: Sendable {
  /// Files and folders, in the order of the film.
  public let inputs: [String]
  /// The file that is written.
  public let container: FilmContainer
  /// What the film is made by.
  public let options: FilmOptions
  private let tools: FilmTools

  /// What is being done.
  public enum Progress: Sendable, Hashable {
    /// Samples of the raws are measured; the fraction that is done.
    case measuring(Double)
    /// Frames are developed and coded: how many of how many are done.
    case frames(done: Int, total: Int)
    /// Segments are joined and the film is checked.
    case joining
  }

  /// An export of `inputs`. Throws where the programs that it needs are missing.
  public init(
    _ inputs: [String], container: FilmContainer, options: FilmOptions = FilmOptions()
  ) throws(FilmError) {
    (self.inputs, self.container, self.options) = (inputs, container, options)
    tools = try FilmTools()
  }

  /// What the film is going to be. Develops nothing.
  public func plan() throws -> FilmDescription { try resolved().description }

  private func resolved() throws -> FilmPlan {
    guard !inputs.isEmpty else {
      throw FilmError(.badInput, "there is no input; name pictures, folders or movies")
    }
    return try FilmPlan(inputs, container, options, tools)
  }

  /// Makes the film at `destination`, completely or not at all. `progress` is called on any thread.
  public func export(
    to destination: OutputDestination,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws -> FilmReport {
    let start = ContinuousClock.now
    let plan = try resolved()
    let paths =
      plan.clips.flatMap(\.files.paths) + [options.audio, options.cover].compactMap { $0 }
    let sources = Set(paths.compactMap { FileIdentity(path: $0) })
    try destination.check(
      OutputContent(plan.settings.codec.row.name, [container.rawValue], of: sources))
    let (clips, headroom) = try measured(plan, progress)
    let mastering = mastering(plan, headroom)
    let command = try EncoderCommand(
      tools, plan.settings, size: plan.framing.size, rate: plan.rate, segment: plan.segment,
      mastering: mastering)
    let work = try WorkFolder(
      destination.url?.path, container: container,
      plan: plan.identity(tools, headroom: headroom, clips)
        + " \(options.badFrames.rawValue) \(mastering.map { "\($0)" } ?? "")",
      keeps: plan.settings.isResumable)
    let assembly = FilmAssembly(command, work)
    do {
      let encoding = VideoEncoding(
        plan.settings.space, matrix: plan.settings.codePoints.matrix, bits: plan.settings.bits,
        chroma: plan.settings.chroma.coded, isFullRange: plan.settings.isFullRange,
        headroom: headroom)
      let maker = FrameMaker(plan, clips, encoding, options, tools)
      let resumed = try code(plan, maker, assembly, progress)
      progress(.joining)
      let joined = try assembly.join(
        to: destination, of: sources, plan.extras, given: plan.settings.metadata.contentLight)
      work.remove()
      var notes = plan.notes
      for (old, new) in zip(plan.clips, clips) {
        guard case .raws(let before) = old.content, case .raws(let after) = new.content else {
          continue
        }
        notes += after.notes.dropFirst(before.notes.count)
      }
      return FilmReport(
        output: destination.url?.path ?? "", coding: plan.settings.description,
        width: plan.framing.size.width, height: plan.framing.size.height, frames: joined.frames,
        rate: plan.rate.description, bytes: joined.bytes, maxCLL: joined.light?.maximum,
        maxFALL: joined.light?.average, resumedFrames: resumed,
        badFrames: joined.records.flatMap(\.bad), warnings: notes,
        seconds: start.duration(to: .now) / .seconds(1))
    } catch {
      assembly.abort()
      if plan.settings.isResumable, destination.url != nil { work.leave() } else { work.remove() }
      throw error
    }
  }

  /// The same on a thread of its own; the work ends when the task is cancelled.
  public func export(
    to destination: OutputDestination,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> FilmReport {
    try await Cancellation.ofTask { () throws(any Error) in
      try export(to: destination, progress: progress)
    }
  }

  /// The clips with what is measured on their raws, and the largest value of all.
  private func measured(
    _ plan: FilmPlan, _ progress: @Sendable (Progress) -> Void
  ) throws -> ([FilmPlan.Clip], Float) {
    var clips = plan.clips
    let raws = clips.count { $0.files.kind == .raws }
    var done = 0.0
    for (index, clip) in clips.enumerated() {
      guard case .raws(var measured) = clip.content else { continue }
      func show(_ fraction: Double) { progress(.measuring((done + fraction) / Double(raws))) }
      if options.deflickers {
        let count = clip.files.paths.count
        var grids: [[Float?]?] = []
        for frame in 0..<count {
          try Cancellation.check()
          show(0.8 * Double(frame) / Double(count))
          grids.append(try measured.grid(frame))
        }
        measured.add(stops: Deflicker.stops(grids))
      }
      let part = options.deflickers ? 0.2 : 1
      try measured.measure { show(1 - part + part * $0) }
      clips[index] = FilmPlan.Clip(
        files: clip.files, content: .raws(measured), headroom: measured.headroom)
      done += 1
    }
    return (clips, clips.map(\.headroom).max() ?? 1)
  }

  /// The display that the film is made for: the caller's, else one that reaches its largest value.
  private func mastering(
    _ plan: FilmPlan, _ headroom: Float
  ) -> HDRMetadata.MasteringDisplay? {
    guard plan.settings.format == .pq else { return nil }
    if let given = plan.settings.metadata.masteringDisplay { return given }
    let c = plan.settings.primaries.chromaticities
    let peak = min(max(Double(headroom), 1) * ReferenceWhite.nits, PQ.peakNits).rounded(.up)
    return HDRMetadata.MasteringDisplay(
      red: c.red, green: c.green, blue: c.blue, white: .d65, maximumNits: peak,
      minimumNits: 0.0005)
  }

  /// Codes all segments that are not done. Returns the frames that were.
  private func code(
    _ plan: FilmPlan, _ maker: FrameMaker, _ assembly: FilmAssembly,
    _ progress: @Sendable (Progress) -> Void
  ) throws -> Int {
    let total = plan.frames.count
    var (resumed, cut) = (0, Set<Int>())
    segments: for (index, first) in stride(from: 0, to: total, by: plan.segment).enumerated() {
      let end = min(first + plan.segment, total)
      if let record = assembly.work.record(index) {
        resumed += record.frames
        progress(.frames(done: end, total: total))
        if record.isLast { break }
        continue
      }
      try assembly.begin(index)
      for number in first..<end {
        try Cancellation.check()
        switch try maker.make(plan.frames[number]) {
        case .success(let made): try assembly.append(made.bytes, made.light)
        case .failure(let error):
          // Of a movie that is cut all others are missing, too.
          if plan.clips[plan.frames[number].clip].files.kind != .movie
            || cut.insert(plan.frames[number].clip).inserted
          {
            assembly.note(
              BadFrame(path: maker.path(plan.frames[number]), message: error.message))
          }
          switch options.badFrames {
          case .leave: break
          case .hold:
            if let made = try maker.held(for: number) {
              try assembly.append(made.bytes, made.light)
            }
          case .end:
            try assembly.end(isLast: true)
            break segments
          }
        }
        progress(.frames(done: number + 1, total: total))
      }
      try assembly.end(isLast: end == total)
    }
    try assembly.complete()
    return resumed
  }
}
