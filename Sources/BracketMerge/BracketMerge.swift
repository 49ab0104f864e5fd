import Containers
import Foundation
import ImageCore
import RawDecode
public import RawFilter
import RawSensor
import Synchronization

/// Merges a bracket of raws, exposures of one scene, into one raw picture of a higher range.
///
///     let merged = try BracketMerge().merge(members)
///     var filter = merged.filter      // any adjustment, any output, as of a single raw
///
/// Sensor values are merged, before the demosaic: the result is developed like the raw of a sensor
/// that saturates where the shortest exposure does and has the noise of all frames combined. Its
/// brightness, colors, metadata and other pictures come from the reference, the middle exposure by
/// Exif.
public struct BracketMerge: Sendable {
  /// A frame of the bracket.
  public struct Member: Sendable {
    /// Its name in messages and reports: the path.
    public var name: String
    /// The opened raw. Its settings are ignored, but the result has the settings of the reference.
    public var filter: RAWFilter

    /// The raw `filter` under `name`.
    public init(name: String, filter: RAWFilter) { (self.name, self.filter) = (name, filter) }
  }

  /// The result.
  public struct Merged: Sendable {
    /// The merged picture.
    public var filter: RAWFilter
    /// How it was made.
    public var report: BracketReport
    /// Where it comes from one frame; nil where that was not looked for.
    public var ghostMap: GhostPicture?
  }

  /// Maximum number of frames; more are refused before one is decoded.
  ///
  /// Each has rows of its own in the memory of every thread, and cameras make some ten of them.
  public static let maxFrames = 128

  /// Throws for a bracket of more than ``maxFrames`` frames.
  package static func requireCount(_ count: Int) throws(RAWError) {
    guard count <= maxFrames else {
      throw RAWError(
        .badSetting, .merge,
        "\(count) frames, but at most \(maxFrames) can be merged; leave some "
          + "out")
    }
  }

  /// Whether frames that were moved are put on the reference.
  public var alignsFrames = true
  /// Whether each moving object is taken from one of the frames.
  public var removesGhosts = true
  /// Number of threads; results do not depend on it.
  public var workers = Parallel.defaultWorkers

  /// A merge on all cores.
  public init() {}

  /// The one of `members` whose brightness, colors and metadata the merged picture has: the middle
  /// exposure, of two the shorter. Decodes nothing; throws where they do not belong together.
  public static func reference(of members: [Member]) throws(RAWError) -> Member {
    let frames = try BracketFrame.frames(of: members)
    let frame = frames[reference(of: frames)]
    return Member(name: frame.name, filter: frame.filter)
  }

  private static func reference(of frames: [BracketFrame]) -> Int { (frames.count - 1) / 2 }

  /// The picture merged from the frames `members`, at most ``maxFrames``, in any order. One frame
  /// is returned unchanged. Four frames of a pixel shift, in one file or each in its own, are
  /// merged to full color at each position. Decodes all frames; throws, naming the file, where one
  /// cannot be read or does not match the others, and before decoding where all together exceed the
  /// smallest `maxDecodeBytes` with which they were opened (Docs/limits.md).
  public func merge(_ members: [Member]) throws(RAWError) -> Merged {
    var frames = try BracketFrame.frames(of: members)
    let first = frames[0]
    let isOneFile = frames.count == 1 && first.filter.frameCount > 1
    if isOneFile { frames = (1...first.filter.frameCount).map { first.frame($0) } }
    var reference = Self.reference(of: frames)
    guard frames.count > 1 else {
      return Merged(
        filter: frames[0].filter,
        report: BracketReport(
          reference: frames[0].name,
          frames: [BracketReport.Frame(name: frames[0].name, nominalStops: 0, stops: 0)]))
    }
    // Files of one exposure may be a pixel shift, too: their pixels decide.
    var mayBeShifted =
      isOneFile
      || alignsFrames && frames.count == PixelShift.frameCount
        && frames.allSatisfy { $0.nominalExposure == frames[0].nominalExposure }
    func requireMemory(samples: Int) throws(RAWError) {
      _ = try BracketMemory(
        frames, aligned: alignsFrames || isOneFile, deghosted: removesGhosts,
        mergedSamples: samples, workers: workers)
    }
    do { try requireMemory(samples: mayBeShifted ? 3 : 1) } catch {
      if isOneFile { throw error }
      // A burst takes less.
      try requireMemory(samples: 1)
      mayBeShifted = false
    }
    var data = try decode(frames)
    let channels = SampleChannels(data[0].size, data[0].layout)
    var noise = try RAWError.translating(.merge) { () throws(PixelError) in
      try FrameNoise.measured(frames, data, workers: workers)
    }
    if mayBeShifted {
      let order =
        isOneFile
        ? Array(frames.indices) : [reference] + frames.indices.filter { $0 != reference }
      let merged = try shifted(
        isOneFile ? first : frames[reference], order.map { frames[$0] }, order.map { data[$0] },
        order.map { noise[$0] }, channels, isOneFile: isOneFile)
      if let merged { return merged }
    }
    var notes: [String] = []
    var times = try exposures(frames, data, noise, channels, &notes)
    func sort() {
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      (frames, data) = (order.map { frames[$0] }, order.map { data[$0] })
      noise = order.map { noise[$0] }
      times = order.map { times[$0] / times[order[0]] }
      reference = order.firstIndex(of: reference) ?? reference
    }
    // Exif knows nothing of filters and of lenses without contacts: its order may be any.
    if !RadianceEstimate.ascend(times) {
      sort()
      notes = []
      times = try exposures(frames, data, noise, channels, &notes)
      if !RadianceEstimate.ascend(times) { sort() }
    }
    let estimate = RadianceEstimate(
      zip(times, noise).map { RadianceEstimate.Exposure(time: Float($0), noise: $1) },
      channels: channels,
      linearLimit: Float(frames[reference].filter.file.info.linearResponseLimit))
    let similarities = try similarities(
      frames, data, estimate.exposures, channels, reference, &notes)
    // Less than this is not worth an interpolation.
    let halves = (Double(channels.size.width) / 2, Double(channels.size.height) / 2)
    let filter = frames[reference].filter
    var plan = MergePlan(
      frames: frames, reference: reference, estimate: estimate, channels: channels,
      layout: data[0].layout,
      similarities: similarities.map {
        guard let found = $0, found.farthest(halves.0, halves.1) > Self.minShift else {
          return .identity
        }
        return found
      },
      balance: filter.sensorBalance,
      linearLimit: Float(filter.file.info.linearResponseLimit))
    var held = data.map { HeldFrame.stored($0) }
    data = []
    if removesGhosts { plan.ghosts = try ghosts(plan, &held) }
    let report = BracketReport(
      reference: frames[reference].name,
      frames: frames.indices.map { i in
        BracketReport.Frame(
          name: frames[i].name,
          nominalStops: log2(frames[i].nominalExposure / frames[reference].nominalExposure),
          stops: log2(times[i] / times[reference]),
          placement: alignsFrames ? similarities[i]?.placement : nil)
      }, ghostShare: plan.ghosts?.fraction, notes: notes)
    return Merged(
      filter: self.filter(plan, held, Float(times[reference])), report: report,
      ghostMap: plan.ghosts.map { GhostPicture($0, frames: frames.count) })
  }

  /// Largest shift within a frame, in photosites, that is left as it is.
  private static let minShift = 0.1

  /// Frames of a pixel shift, aligned to `first`. For several files, nil where they are not a pixel
  /// shift.
  private func shifted(
    _ first: BracketFrame, _ frames: [BracketFrame], _ data: [SensorData], _ noise: [FrameNoise],
    _ channels: SampleChannels, isOneFile: Bool
  ) throws(RAWError) -> Merged? {
    let estimate = RadianceEstimate(
      noise.map { RadianceEstimate.Exposure(time: 1, noise: $0) }, channels: channels)
    var notes: [String] = []
    var always = self
    always.alignsFrames = true
    let found = try always.similarities(
      frames, data, estimate.exposures, channels, 0, &notes)
    let plan = MergePlan(
      frames: frames, reference: 0, estimate: estimate, channels: channels, layout: data[0].layout,
      // Residuals of frames shifted by exact photosites are noise.
      similarities: found.map {
        Similarity(right: ($0?.right ?? 0).rounded(), down: ($0?.down ?? 0).rounded())
      }, balance: first.filter.sensorBalance,
      linearLimit: Float(first.filter.file.info.linearResponseLimit))
    // Refused before anything is compared.
    var merging: PixelShift
    do { merging = try PixelShift(plan, found: found) } catch {
      if isOneFile { throw error }
      return nil
    }
    var compared = data.map { HeldFrame.stored($0) }
    if removesGhosts { merging.ghosts = try ghosts(plan, &compared) }
    let shift = merging
    let report = BracketReport(
      reference: first.name,
      frames: frames.indices.map { i in
        BracketReport.Frame(
          name: frames[i].name, nominalStops: 0, stops: 0, placement: found[i]?.placement)
      }, ghostShare: shift.ghosts?.fraction,
      notes: isOneFile
        ? []
        : ["pixel shift: the frames are one photosite apart and are merged to full color"])
    var info = first.filter.file.info
    (info.layout, info.noiseProfile, info.brightNoiseProfile) = (.linear, shift.noiseProfile, [])
    let held = Held(data.map { .stored($0) })
    let replacement = SampleReplacement(
      info: info, contentUUID: NameUUID.text(frames.map(\.filter.contentUUID).sorted()),
      sources: frames.reduce(into: Set()) { $0.formUnion($1.filter.rawFile.sources) }
    ) { (workers) throws(RAWError) in
      var data = (held.take() ?? []).compactMap(\.samples)
      if data.isEmpty {
        for frame in frames { data.append(try frame.samples(workers: workers)) }
      }
      return try shift.merge(data, workers: workers)
    }
    return Merged(
      filter: first.filter.replacingSamples(replacement, stops: 0), report: report,
      ghostMap: shift.ghosts.map { GhostPicture($0, frames: frames.count) })
  }

  /// The position of each frame relative to the reference, found from neighbor to neighbor; nil
  /// where unknown.
  private func similarities(
    _ frames: [BracketFrame], _ data: [SensorData], _ exposures: [RadianceEstimate.Exposure],
    _ channels: SampleChannels, _ reference: Int, _ notes: inout [String]
  ) throws(RAWError) -> [Similarity?] {
    guard alignsFrames else { return frames.map { _ in nil } }
    if case .mosaic(let cfa) = data[0].layout, cfa.channelCount > 3 {
      notes.append("frames of sensors of four colors are not aligned")
      return frames.map { _ in nil }
    }
    func proxy(_ i: Int) throws(RAWError) -> LuminanceProxy {
      try RAWError.translating(.merge) { () throws(PixelError) in
        try LuminanceProxy(
          try LinearLevels(data[i], balance: SIMD4(repeating: 1)), exposures[i].noise,
          time: exposures[i].time, channels: channels, workers: workers)
      }
    }
    let alignment = FrameAlignment(frameSize: channels.size, workers: workers)
    var found = [Similarity?](repeating: .identity, count: frames.count)
    // From the reference to the shortest frame, then to the longest: three proxies at a time.
    let middle = try proxy(reference)
    var last = middle
    let steps =
      Array(stride(from: reference - 1, through: 0, by: -1)).map { ($0, $0 + 1) }
      + Array(reference + 1..<max(frames.count, reference + 1)).map { ($0, $0 - 1) }
    for (frame, neighbor) in steps {
      if neighbor == reference { last = middle }
      let own = try proxy(frame)
      defer { last = own }
      let step = try RAWError.translating(.merge) { () throws(PixelError) in
        try alignment.align(own, to: last)
      }
      switch step {
      case .found(let step): found[frame] = (found[neighbor] ?? .identity).then(step)
      case .unknown:
        found[frame] = nil
        notes.append(
          "\(frames[frame].name): too little overlap with \(frames[neighbor].name) to "
            + "align it; merged without alignment")
      case .different:
        throw RAWError(
          .unsupported, .merge,
          "shows another scene than \(frames[neighbor].name), or is moved too far from it; leave "
            + "it out, or merge it as it lies",
          path: frames[frame].name, remedies: [.mergeUnaligned])
      }
    }
    return found
  }

  /// The ghosts between the frames `held`. Moved frames are replaced by their resampled form.
  private func ghosts(_ plan: MergePlan, _ held: inout [HeldFrame]) throws(RAWError) -> GhostMap {
    let side = GhostMap.side(plan.channels)
    let blocks = FrameBlocks(channels: plan.channels, side: side, workers: workers)
    var frames: [[GhostMap.Block]] = []
    for (i, exposure) in plan.estimate.exposures.enumerated() {
      let source = try plan.source(i, held[i], workers: workers)
      try RAWError.translating(.merge) { () throws(PixelError) in
        let resampled =
          source.isMoved
          ? try ResampledFrame(stride: plan.channels.rowCount, rows: plan.channels.size.height)
          : nil
        frames.append(try blocks.read(source, exposure, resampled: resampled))
        if let resampled { held[i] = .resampled(resampled) }
      }
    }
    let channelCount =
      (0..<plan.channels.patternHeight).flatMap { y in
        (0..<plan.channels.period).map { plan.channels.channel($0, y) }
      }.max() ?? 0
    return GhostMap(
      frames,
      limits: plan.estimate.exposures.map { $0.fall(linearLimit: 1).begin / $0.time },
      size: blocks.size, side: side, reference: plan.reference,
      channelCount: channelCount + 1, balance: plan.balance)
  }

  private func decode(_ frames: [BracketFrame]) throws(RAWError) -> [SensorData] {
    var data: [SensorData] = []
    for frame in frames { data.append(try frame.samples(workers: workers)) }
    return data
  }

  /// The exposure of each frame as a multiple of the shortest: as measured between neighbors, else
  /// by Exif.
  private func exposures(
    _ frames: [BracketFrame], _ data: [SensorData], _ noise: [FrameNoise],
    _ channels: SampleChannels, _ notes: inout [String]
  ) throws(RAWError) -> [Double] {
    let levels = try RAWError.translating(.merge) { () throws(PixelError) in
      try data.map { data throws(PixelError) in
        try LinearLevels(data, balance: SIMD4(repeating: 1))
      }
    }
    var times = [1.0]
    for i in 1..<frames.count {
      let nominal = frames[i].nominalExposure / frames[i - 1].nominalExposure
      let measured = try RAWError.translating(.merge) { () throws(PixelError) in
        try ExposureRatio.measured(
          short: (levels[i - 1], noise[i - 1]), long: (levels[i], noise[i]), channels: channels,
          workers: workers)
      }
      let ratio = measured ?? nominal
      guard abs(log2(ratio / nominal)) <= Self.impossible,
        abs(log2(times[i - 1] * ratio)) <= BracketFrame.maxStops
      else {
        throw RAWError(
          .unsupported, .merge,
          "is exposed \(Self.stopsText(log2(ratio))) stops above \(frames[i - 1].name), and "
            + "\(Self.stopsText(log2(nominal))) by its Exif: its pixels or its Exif belong to "
            + "another picture; leave it out", path: frames[i].name)
      }
      if measured == nil {
        notes.append(
          "\(frames[i].name): its exposure relative to the next shorter one cannot be "
            + "measured; the value of its Exif is used")
      } else if let measured, abs(log2(measured / nominal)) > Self.doubtful {
        notes.append(
          "\(frames[i].name): it is exposed \(Self.stopsText(log2(measured))) stops above the next "
            + "shorter frame, and \(Self.stopsText(log2(nominal))) by its Exif; the measured "
            + "value is used")
      }
      times.append(times[i - 1] * ratio)
    }
    return times
  }

  /// Stops between nominal and measured exposures that shutters and apertures do not explain.
  private static let doubtful = 0.5
  /// Stops between them that apertures unknown to Exif do not explain either.
  private static let impossible = 4.0

  private static func stopsText(_ stops: Double) -> String { String(format: "%.2f", stops) }

  /// The reference with the samples of all frames.
  private func filter(_ plan: MergePlan, _ frames: [HeldFrame], _ time: Float) -> RAWFilter {
    let reference = plan.frames[plan.reference].filter
    var info = reference.file.info
    let noise = MergedNoise(plan.estimate, reference: time)
    (info.noiseProfile, info.brightNoiseProfile) = (noise.everywhere, noise.bright)
    let held = Held(frames)
    let uuid = NameUUID.text(plan.frames.map(\.filter.contentUUID).sorted())
    let sources = plan.frames.reduce(into: Set()) { $0.formUnion($1.filter.rawFile.sources) }
    let replacement = SampleReplacement(info: info, contentUUID: uuid, sources: sources) {
      (workers) throws(RAWError) in
      var frames = held.take() ?? []
      if frames.isEmpty {
        for frame in plan.frames { frames.append(.stored(try frame.samples(workers: workers))) }
      }
      return try plan.merge(frames, workers: workers)
    }
    return reference.replacingSamples(replacement, stops: log2(time))
  }

  /// The frames until they are merged the first time; later they are decoded again.
  private final class Held: Sendable {
    private let frames: Mutex<[HeldFrame]?>
    init(_ frames: [HeldFrame]) { self.frames = Mutex(frames) }
    func take() -> [HeldFrame]? {
      frames.withLock { frames in
        defer { frames = nil }
        return frames
      }
    }
  }
}
