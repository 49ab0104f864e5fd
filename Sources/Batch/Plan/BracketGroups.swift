import Develop
import Foundation
import SystemPackage

/// Which raws of a batch are frames of one bracket, by their Exif.
///
/// Frames follow each other in time within one folder, with the same camera, size, lens, focal
/// length and aperture; the next begins at most `maxGap` seconds after the last one ended. An
/// exposure occurs once in a bracket: where it repeats, the next bracket begins. There must be a
/// sign of intent: the camera's own mode (ExposureMode 2, automatic bracket), or an exposure bias
/// that differs in each frame, or exposures at least `minStep` stops apart. Known limits: manual
/// brackets with longer gaps between frames, and clocks without fractions of a second, which give
/// the gap only to a second.
struct BracketGroups: Sendable {
  /// A raw and its properties.
  struct Candidate: Sendable {
    var source: RawSource
    var info: SourceInfo

    /// The raw `source`.
    init(_ source: RawSource, _ info: SourceInfo) {
      (self.source, self.info) = (source, info)
    }
  }

  private static let maxGap = 2.5
  private static let minStep = 0.9
  /// Minimum difference of the exposures of one bracket, stops.
  private static let sameExposure = 0.25
  private static let maxFrames = 15

  /// `sources` with those `candidates` that are frames of one bracket joined to one source, at
  /// the index of its reference, the middle exposure.
  static func joined(
    _ sources: [RawSource], _ candidates: [Candidate]
  ) -> [RawSource] {
    var references: [FilePath: RawSource] = [:]
    var members: Set<FilePath> = []
    for group in groups(of: candidates) {
      let sorted = group.sorted { (exposure($0) ?? 0) < (exposure($1) ?? 0) }
      var source = sorted[(sorted.count - 1) / 2].source
      source.frames = sorted.map(\.source.path)
      references[source.path] = source
      members.formUnion(source.frames)
    }
    return sources.compactMap { source in
      references[source.path] ?? (members.contains(source.path) ? nil : source)
    }
  }

  /// The brackets among `candidates`, each with its frames in order of time.
  static func groups(of candidates: [Candidate]) -> [[Candidate]] {
    // Sources with settings of their own are meant by themselves.
    let known = candidates.filter {
      exposure($0) != nil && time($0) != nil && $0.source.recipe == nil && $0.source.output == nil
    }
    let folders = Dictionary(grouping: known) { $0.source.path.removingLastComponent() }
    return folders.sorted { $0.key.text < $1.key.text }.flatMap { folder in
      inOneFolder(
        folder.value.sorted {
          (time($0) ?? 0, $0.source.path.text) < (time($1) ?? 0, $1.source.path.text)
        })
    }
  }

  private static func inOneFolder(_ sorted: [Candidate]) -> [[Candidate]] {
    var (groups, group): ([[Candidate]], [Candidate]) = ([], [])
    func end() {
      if isMeant(group) { groups.append(group) }
      group = []
    }
    for candidate in sorted {
      if let last = group.last,
        !follows(candidate, last) || group.count >= maxFrames
          || group.contains(where: { isSameExposure($0, candidate) })
      {
        end()
      }
      group.append(candidate)
    }
    end()
    return groups
  }

  private static func follows(_ next: Candidate, _ last: Candidate) -> Bool {
    let (a, b) = (last.info, next.info)
    guard let before = time(last), let after = time(next),
      (a.make, a.model, a.lens) == (b.make, b.model, b.lens), a.pixels == b.pixels,
      a.exposure?.focalLength == b.exposure?.focalLength,
      a.exposure?.fNumber == b.exposure?.fNumber,
      a.exposure?.isBracketed == b.exposure?.isBracketed
    else { return false }
    return after - before - (a.exposure?.seconds ?? 0) <= maxGap
  }

  private static func isMeant(_ group: [Candidate]) -> Bool {
    guard group.count > 1 else { return false }
    if group.allSatisfy({ $0.info.exposure?.isBracketed == true }) { return true }
    let biases = group.compactMap { $0.info.exposure?.bias }
    if biases.count == group.count, Set(biases).count == group.count { return true }
    let stops = group.compactMap { exposure($0) }.map { log2($0) }.sorted()
    return zip(stops, stops.dropFirst()).allSatisfy { $1 - $0 >= minStep }
  }

  private static func isSameExposure(_ a: Candidate, _ b: Candidate) -> Bool {
    guard let first = exposure(a), let second = exposure(b) else { return true }
    return abs(log2(first / second)) < sameExposure
  }

  /// Shutter time times ISO speed.
  private static func exposure(_ candidate: Candidate) -> Double? {
    guard let seconds = candidate.info.exposure?.seconds, seconds > 0, seconds.isFinite else {
      return nil
    }
    return seconds * Double(max(candidate.info.iso ?? 100, 1))
  }

  /// Seconds on the camera's clock.
  private static func time(_ candidate: Candidate) -> Double? {
    let numbers = (candidate.info.date ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count >= 6 else { return nil }
    var parts = DateComponents()
    (parts.year, parts.month, parts.day) = (numbers[0], numbers[1], numbers[2])
    (parts.hour, parts.minute, parts.second) = (numbers[3], numbers[4], numbers[5])
    var calendar = Calendar(identifier: .gregorian)
    guard let zone = TimeZone(secondsFromGMT: 0) else { return nil }
    calendar.timeZone = zone
    return calendar.date(from: parts).map {
      $0.timeIntervalSinceReferenceDate + (candidate.info.exposure?.subsecond ?? 0)
    }
  }
}
