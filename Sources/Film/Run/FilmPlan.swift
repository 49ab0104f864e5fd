import Containers
import Develop
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Readers
import Writers

/// Every resolved value of a film but those that are measured on pixels. Reads headers of movies,
/// stills and the first raws alone.
struct FilmPlan: Sendable {
  let settings: FilmSettings
  let framing: FilmFraming
  let rate: FrameRate
  let clips: [Clip]
  /// The frames of the film.
  let frames: [Frame]
  /// Frames of a segment.
  let segment: Int
  let extras: EncoderCommand.Extras
  private(set) var notes: [String]

  /// A clip and what is known of it.
  struct Clip: Sendable {
    let files: FilmClip
    let content: Content
    /// The largest value of its pictures, a ratio to white; of raws it is measured later.
    let headroom: Float

    enum Content: Sendable {
      case raws(RawClip)
      case stills
      case movie(MovieInfo)
    }
  }

  /// A frame of the film: which of a clip.
  struct Frame: Sendable, Hashable {
    let clip: Int
    let index: Int
  }

  /// Stills whose headers are read for the rules of mixed sources.
  private static let maxHeaders = 2000

  /// The film of `inputs` in `container`.
  init(
    _ inputs: [String], _ container: FilmContainer, _ options: FilmOptions, _ tools: FilmTools
  ) throws {
    var files = try FilmClip.clips(inputs, options.order)
    if options.order == .time { files = try files.map { try Self.byTime($0, options) } }
    notes = files.flatMap(\.notes)
    // Ranges and rates of what is there.
    var ranges: [DynamicRangeMix] = []
    var rates: [FrameRate] = []
    var movies: [Int: MovieInfo] = [:]
    var headrooms: [Int: Float] = [:]
    var tags = ClipTags()
    for (index, clip) in files.enumerated() {
      try Cancellation.check()
      switch clip.kind {
      case .movie:
        let info = try MovieInfo(path: clip.paths[0], tools, options.limits)
        movies[index] = info
        ranges.append(info.range)
        rates.append(info.rate)
        headrooms[index] = Float(info.headroom)
        notes += info.notes.map { "\(clip.paths[0]): \($0)" }
        if tags.timecode == nil, index == 0 { tags.timecode = info.timecode }
      case .stills:
        let found = Self.ranges(clip, options)
        ranges += found.map(\.range)
        headrooms[index] = Float(found.map(\.headroom).max() ?? 1)
      case .raws:
        let found = ClipTags(path: clip.paths[0])
        if let rate = found.rate { rates.append(rate) }
        if index == 0 { tags.timecode = found.timecode }
      }
    }
    let hasRaws = files.contains { $0.kind == .raws }
    let mixed = DynamicRangeMix.result(of: ranges)
    let format = options.format ?? Self.format(mixed, hasRaws: hasRaws, options.codec)
    settings = try FilmSettings(
      options.codec, in: container, format,
      primaries: options.primaries, bits: options.bits, chroma: options.chroma,
      isFullRange: options.isFullRange, coding: options.coding,
      metadata: Self.metadata(options, format, Array(movies.values)))
    try tools.require(settings.codec)
    rate = options.rate ?? rates.first ?? .usual
    if options.rate == nil {
      if rates.isEmpty {
        notes.append("nothing states the frame rate; the film has 24000/1001 frames per second")
      } else if Set(rates).count > 1 {
        notes.append("the clips have several frame rates; the film has \(rate) of the first")
      }
    }
    let (settings, rate) = (settings, rate)
    clips = try files.enumerated().map { index, clip in
      let content: Clip.Content =
        switch clip.kind {
        case .raws: .raws(try RawClip(clip.paths, options, settings))
        case .stills: .stills
        case .movie: .movie(try Self.known(movies[index], clip))
        }
      return Clip(files: clip, content: content, headroom: headrooms[index] ?? 1)
    }
    for case .raws(let raws) in clips.map(\.content) { notes += raws.notes }
    frames = try Self.frames(clips, rate, options, tools)
    framing = try FilmFraming(
      try Self.firstSize(clips, options), options.size, settings.chroma)
    segment =
      settings.isResumable
      ? options.segmentFrames ?? EncoderCommand.usualSegment(rate) : max(frames.count, 1)
    extras = try Self.extras(clips, options, tags, rate, container, tools)
    if !settings.isResumable {
      notes.append("a bit rate counts for the film as a whole: a run that ends early starts again")
    }
  }

  private static func known(_ info: MovieInfo?, _ clip: FilmClip) throws(FilmError) -> MovieInfo {
    guard let info else {
      throw FilmError(.badInput, "the movie cannot be read", path: clip.paths[0])
    }
    return info
  }

  private static func format(
    _ mixed: DynamicRangeMix, hasRaws: Bool, _ codec: FilmCodec
  ) -> FilmFormat {
    if codec.row.hdrBits.isEmpty { return .sdr }
    return switch mixed.transfer {
    case .hlg: .hlg
    case .pq: .pq
    case .standard: hasRaws ? .hlg : .sdr
    }
  }

  /// The caller's metadata, and the mastering display of the only movie.
  private static func metadata(
    _ options: FilmOptions, _ format: FilmFormat, _ movies: [MovieInfo]
  ) -> HDRMetadata {
    var metadata = options.metadata
    if format == .pq, movies.count == 1, metadata.masteringDisplay == nil {
      metadata.masteringDisplay = movies[0].metadata.masteringDisplay
    }
    return metadata
  }

  private static func ranges(
    _ clip: FilmClip, _ options: FilmOptions
  ) -> [(range: DynamicRangeMix, headroom: Double)] {
    let step = (clip.paths.count + maxHeaders - 1) / maxHeaders
    return stride(from: 0, to: clip.paths.count, by: max(step, 1)).compactMap { index in
      let url = URL(fileURLWithPath: clip.paths[index])
      guard let still = try? StillImage(contentsOf: url, limits: options.limits) else { return nil }
      return (still.dynamicRange, still.contentHeadroom)
    }
  }

  /// The same clip by the times of its frames.
  private static func byTime(_ clip: FilmClip, _ options: FilmOptions) throws -> FilmClip {
    guard clip.kind != .movie else { return clip }
    var clip = clip
    let times = try clip.paths.map { path -> String in
      try Cancellation.check()
      let metadata: CaptureMetadata? =
        clip.kind == .raws
        ? (try? Developer.open(path, limits: options.limits))?.properties
        : (try? StillImage(contentsOf: URL(fileURLWithPath: path), limits: options.limits))?
          .metadata
      return metadata.flatMap { data in
        data.dateTimeOriginal.map { $0 + String(format: " %.6f", data.subsecond) }
      } ?? ""
    }
    let missing = times.count(where: \.isEmpty)
    if missing > 0 {
      clip.notes.append("\(missing) frames have no time and are first, by their numbers")
    }
    clip.paths = zip(times, clip.paths.enumerated()).sorted {
      ($0.0, $0.1.offset) < ($1.0, $1.1.offset)
    }.map(\.1.element)
    return clip
  }

  private static func frames(
    _ clips: [Clip], _ rate: FrameRate, _ options: FilmOptions, _ tools: FilmTools
  ) throws -> [Frame] {
    var frames: [Frame] = []
    for (number, clip) in clips.enumerated() {
      let count: Int
      let index: (Int) -> Int
      switch clip.content {
      case .raws: (count, index) = (clip.files.paths.count, { $0 })
      case .stills:
        let held = max(Int(((options.stillSeconds ?? 0) * rate.value).rounded()), 1)
        (count, index) = (clip.files.paths.count * held, { $0 / held })
      case .movie(let info):
        let own = try MovieReader(path: clip.files.paths[0], info, tools).count()
        let ratio = info.rate == rate ? 1 : info.rate.value / rate.value
        (count, index) = (
          Int((Double(own) / ratio).rounded()),
          { min(Int((Double($0) + 0.5) * ratio), own - 1) }
        )
      }
      guard frames.count + count <= FilmClip.maxFrames else {
        throw FilmError(.badSetting, "a film has \(FilmClip.maxFrames) frames at most")
      }
      frames += (0..<count).map { Frame(clip: number, index: index($0)) }
    }
    guard !frames.isEmpty else {
      throw FilmError(.badInput, "there is no frame; name pictures, folders of them, or movies")
    }
    return frames
  }

  /// The size of the first frame that can be opened.
  private static func firstSize(_ clips: [Clip], _ options: FilmOptions) throws -> PixelSize {
    for clip in clips {
      switch clip.content {
      case .movie(let info):
        let size = PixelSize(width: info.size.height, height: info.size.width)
        return try options.frame.cropped(info.turns % 2 == 0 ? info.size : size)
      case .raws(let raws):
        for index in clip.files.paths.indices.prefix(100) {
          if let size = try? raws.size(index) { return size }
        }
      case .stills:
        for path in clip.files.paths.prefix(100) {
          if let still = try? StillImage(
            contentsOf: URL(fileURLWithPath: path), limits: options.limits)
          {
            return try options.frame.cropped(still.size)
          }
        }
      }
    }
    throw FilmError(
      .badInput, "no frame can be opened; copy the files again from their source",
      path: clips.first?.files.paths.first)
  }

  private static func extras(
    _ clips: [Clip], _ options: FilmOptions, _ tags: ClipTags, _ rate: FrameRate,
    _ container: FilmContainer, _ tools: FilmTools
  ) throws -> EncoderCommand.Extras {
    var extras = EncoderCommand.Extras()
    extras.timecode = options.timecode ?? tags.timecode
    if let timecode = extras.timecode, !timecode.fits(rate) {
      if options.timecode != nil {
        throw FilmError(.badSetting, "the time code \(timecode) is none of \(rate) per second")
      }
      extras.timecode = nil
    }
    for path in [options.audio, options.cover].compactMap({ $0 })
    where !FileManager.default.isReadableFile(atPath: path) {
      throw FilmError(.cannotRead, "there is no such file, or it may not be read", path: path)
    }
    if let audio = options.audio {
      extras.audio = URL(fileURLWithPath: audio).standardizedFileURL.path
      try SoundInfo.check(audio, container, tools)
    }
    if options.cover != nil, container != .mp4 {
      throw FilmError(.badSetting, "a cover is part of .mp4 alone; name the film so, or give none")
    }
    extras.cover = options.cover.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    var metadata: CaptureMetadata?
    if let first = clips.first {
      let path = first.files.paths[0]
      switch first.files.kind {
      case .raws: metadata = (try? Developer.open(path, limits: options.limits))?.properties
      case .stills:
        metadata =
          (try? StillImage(contentsOf: URL(fileURLWithPath: path), limits: options.limits))?
          .metadata
      case .movie: break
      }
    }
    guard let metadata else { return extras }
    extras.date = date(metadata)
    for (name, tag) in [("artist", UInt16(0x013B)), ("copyright", 0x8298)] {
      if case .ascii(let text)? = metadata[.image, tag], !text.isEmpty {
        extras.tags[name] = String(text.prefix(1000))
      }
    }
    return extras
  }

  /// The time of capture in UTC, where the file says how it differs, else as it is.
  private static func date(_ metadata: CaptureMetadata) -> String? {
    guard let text = metadata.dateTimeOriginal else { return nil }
    let parts = text.split { $0 == ":" || $0 == " " }.compactMap { Int($0) }
    guard parts.count == 6 else { return nil }
    var components = DateComponents()
    (components.year, components.month, components.day) = (parts[0], parts[1], parts[2])
    (components.hour, components.minute, components.second) = (parts[3], parts[4], parts[5])
    var minutes = 0
    if case .ascii(let zone)? = metadata[.exif, 0x9011] {
      let numbers = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
      if numbers.count == 2, let sign = zone.first, "+-".contains(sign) {
        minutes = (numbers[0] * 60 + numbers[1]) * (sign == "-" ? -1 : 1)
      }
    }
    components.timeZone = TimeZone(secondsFromGMT: minutes * 60)
    guard parts[0] >= 1904, parts[0] < 2040,
      let date = Calendar(identifier: .gregorian).date(from: components)
    else { return nil }
    return date.ISO8601Format()
  }

  /// What the film is going to be.
  var description: FilmDescription {
    FilmDescription(
      coding: settings.description, width: framing.size.width, height: framing.size.height,
      frames: frames.count, rate: rate.description, seconds: rate.duration(of: frames.count),
      timecode: extras.timecode?.description, isResumable: settings.isResumable,
      clips: clips.enumerated().map { number, clip in
        FilmDescription.Clip(
          kind: clip.files.kind.rawValue, first: clip.files.paths[0],
          last: clip.files.paths[clip.files.paths.count - 1],
          frames: frames.count { $0.clip == number })
      }, warnings: notes)
  }

  /// All that segments depend on, as text: the tools, every setting, every file.
  func identity(_ tools: FilmTools, headroom: Float, _ clips: [Clip]) -> String {
    var lines = [
      RawdevVersion.current, tools.version, "\(settings)", "\(framing.size)", "\(rate)",
      "\(segment)", "\(headroom)", "\(frames.count)",
    ]
    for clip in clips {
      if case .raws(let raws) = clip.content { lines.append(raws.text) }
      for path in clip.files.paths {
        var status = stat()
        _ = unsafe stat(path, &status)
        lines.append("\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
      }
    }
    lines.append(frames.map { "\($0.clip).\($0.index)" }.joined(separator: " "))
    return NameUUID.text(lines)
  }
}
