package import RawFilter
package import Recipes

/// Where a frame has its entry in a series.
package struct SeriesReference: Sendable, Hashable {
  /// The file, as the recipe names it.
  package var path: String
  package var key: SeriesKey
}

extension Recipe {
  /// The entry of a raw with these properties in its series; nil where its pictures depend on none,
  /// or it is unknown.
  package func series(of info: SourceInfo, colorMatrix: [Double]?) -> SeriesReference? {
    guard let path = raw.series, !raw.isScene, let frame = info.series,
      outputs.values.contains(where: { $0.format.isDeveloped })
    else { return nil }
    return SeriesReference(path: path, key: SeriesKey(frame, raw, colorMatrix: colorMatrix))
  }
}

/// Frames that use one entry, which their series lacks.
///
/// The first frame without an entry founds a group, and frames with its illumination join it, as
/// they would join an existing entry. So the entries that a list of frames makes depend only on
/// its order, and are added in that order, in any order of completion.
package struct SeriesGroup: Sendable, Hashable {
  /// The key of its first frame.
  package let key: SeriesKey
  /// Its frames, in their order.
  package private(set) var frames: [Int]

  /// The groups of `frames` that have no entry in `file`.
  package static func groups(
    of frames: [(index: Int, key: SeriesKey)], in file: SeriesFile
  ) -> [SeriesGroup] {
    var groups: [SeriesGroup] = []
    for frame in frames where file.entry(of: frame.key) == nil {
      if let index = groups.firstIndex(where: { frame.key.isIn($0.key) }) {
        groups[index].frames.append(frame.index)
      } else {
        groups.append(SeriesGroup(key: frame.key, frames: [frame.index]))
      }
    }
    return groups
  }
}

/// Which frame of a group decides: the first one whose preview is fully reliable, of the first
/// ``maxTried`` that can be decoded; otherwise the first of these that is partly reliable;
/// otherwise the first of them.
package struct SeriesDecision: Sendable {
  static let maxTried = 8

  private var best: (trust: Int, source: String, findings: SeriesFindings)?
  private var tried = 0

  package init() {}

  /// Whether no further frame can decide.
  package var isMade: Bool { best?.trust == 2 || tried >= Self.maxTried }

  /// Adds the findings on the next frame, named `source`.
  package mutating func add(_ findings: SeriesFindings, trust: Int, source: String) {
    tried += 1
    if trust > best?.trust ?? -1 { best = (trust, source, findings) }
  }

  /// The entry of the group of `key`; nil where no frame could be decoded.
  package func entry(of key: SeriesKey) -> SeriesEntry? {
    best.map { SeriesEntry(key, source: $0.source, $0.findings) }
  }
}
