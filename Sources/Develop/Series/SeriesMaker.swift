package import RawFilter

/// Makes the entries that a series lacks from frames that are opened one after another, in this
/// process. Batches do the same by their workers.
package struct SeriesMaker {
  /// A frame that may need an entry.
  package struct Frame {
    /// Its name.
    package var source: String
    package var reference: SeriesReference
    /// Measures what it contributes to a series.
    package var findings: () throws -> (findings: SeriesFindings, trust: Int)

    package init(
      source: String, reference: SeriesReference,
      findings: @escaping () throws -> (findings: SeriesFindings, trust: Int)
    ) {
      (self.source, self.reference, self.findings) = (source, reference, findings)
    }
  }

  /// Makes the entries that `frames` lack, in their order, except for frames that cannot be
  /// decoded. `onFrame` is called with the name of each that is decoded.
  package static func make(_ frames: [Frame], onFrame: (String) -> Void = { _ in })
    throws(DevelopError)
  {
    for (path, frames) in Dictionary(grouping: frames, by: \.reference.path).sorted(by: {
      $0.key < $1.key
    }) {
      let file: SeriesFile
      do { file = try SeriesFile.read(path) } catch { throw .raw(error) }
      let groups = SeriesGroup.groups(
        of: frames.enumerated().map { ($0.offset, $0.element.reference.key) }, in: file)
      let entries = groups.compactMap { group -> SeriesEntry? in
        var decision = SeriesDecision()
        for index in group.frames where !decision.isMade {
          onFrame(frames[index].source)
          guard let (findings, trust) = try? frames[index].findings() else { continue }
          decision.add(findings, trust: trust, source: frames[index].source)
        }
        return decision.entry(of: group.key)
      }
      if !entries.isEmpty { try SeriesFile.add(entries, to: path) }
    }
  }
}
