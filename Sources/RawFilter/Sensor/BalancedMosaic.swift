import ImageCore

/// The stages before the demosaic, in order: levels and balance, defects, highlights. Gives any
/// rectangle of the balanced mosaic, also beyond the borders of the sensor.
struct BalancedMosaic: Sendable {
  /// What happens to saturated photosites.
  enum Highlights: Sendable {
    case untouched
    case rebuilt(HighlightReconstruction)
    case clipped(NeutralClip)
  }

  let levels: LinearLevels
  /// Nil when defects are left alone.
  let defects: DefectivePixels?
  let clipRows: ChannelRows
  var highlights: Highlights = .untouched

  /// The mosaic in a plane that holds at least `rect`, valid until the workspace is used again.
  func load(_ rect: PixelRect, _ work: SensorWorkspace) -> TilePlane {
    switch highlights {
    case .untouched:
      return loadRepaired(rect, work)
    case .rebuilt(let reconstruction):
      let plane = loadRepaired(rect.expanded(by: HighlightReconstruction.reach), work)
      guard HighlightReconstruction.isAnySaturated(plane, rect, clipRows) else { return plane }
      reconstruction.rebuild(
        plane, rect, into: work.treated, evidence: work.evidence, sums: work.sums)
      return work.treated
    case .clipped(let clip):
      let area = rect.expanded(by: NeutralClip.reach)
      let plane = loadRepaired(area, work)
      guard HighlightReconstruction.isAnySaturated(plane, area, clipRows) else { return plane }
      clip.clip(plane, rect, into: work.treated)
      return work.treated
    }
  }

  private func loadRepaired(_ rect: PixelRect, _ work: SensorWorkspace) -> TilePlane {
    let plane = work.planes[0]
    guard let defects else {
      plane.place(rect)
      levels.load(plane)
      return plane
    }
    plane.place(rect.expanded(by: defects.reach))
    levels.load(plane)
    defects.repair(plane, within: rect, repairs: &work.repairs)
    return plane
  }
}
