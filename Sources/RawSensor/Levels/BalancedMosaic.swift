import ImageCore

/// The stages before the demosaic, in order: levels and balance, defects, highlights, lateral
/// color. Makes any rectangle of the balanced mosaic, also beyond the borders of the sensor.
struct BalancedMosaic: Sendable {
  /// The treatment of saturated photosites.
  enum Highlights: Sendable {
    case untouched
    case rebuilt(HighlightReconstruction)
    case guided(GuidedHighlights)
    case clipped(NeutralClip)
  }

  let levels: LinearLevels
  /// Nil when defects are left alone.
  let defects: (any DefectSearch)?
  let clipRows: ChannelRows
  var highlights: Highlights = .untouched
  /// Nil where the colors stay where they are.
  var lateral: LateralMosaic?

  /// The mosaic in a plane that holds at least `rect`, valid until the workspace is used again.
  func load(_ rect: PixelRect, _ work: SensorWorkspace) -> TilePlane {
    guard let lateral else { return loadTreated(rect, work) }
    let plane = loadTreated(rect.expanded(by: lateral.reach), work)
    MeasuredStage.lateralColor.measure { lateral.move(plane, rect, into: work.moved, work.lateral) }
    return work.moved
  }

  private func loadTreated(_ rect: PixelRect, _ work: SensorWorkspace) -> TilePlane {
    switch highlights {
    case .untouched:
      return loadRepaired(rect, work)
    case .rebuilt(let reconstruction):
      let plane = loadRepaired(rect.expanded(by: HighlightReconstruction.reach), work)
      let isRebuilt = MeasuredStage.highlights.measure {
        reconstruction.rebuild(
          plane, rect, into: work.treated, evidence: work.evidence, sums: work.sums)
      }
      return isRebuilt ? work.treated : plane
    case .guided(let guided):
      let plane = loadRepaired(rect.expanded(by: GuidedHighlights.reach), work)
      let isRebuilt = MeasuredStage.highlights.measure {
        guided.rebuild(
          plane, rect, into: work.treated, evidence: work.evidence, line: work.sums)
      }
      return isRebuilt ? work.treated : plane
    case .clipped(let clip):
      let area = rect.expanded(by: NeutralClip.reach)
      let plane = loadRepaired(area, work)
      return MeasuredStage.highlights.measure {
        guard SaturatedSites.isAny(plane, area, clipRows) else { return plane }
        clip.clip(plane, rect, into: work.treated)
        return work.treated
      }
    }
  }

  /// The mosaic before repairs, with as much around `rect` as the search for defects reads.
  func loadStored(_ rect: PixelRect, _ work: SensorWorkspace) -> TilePlane {
    let plane = work.planes[0]
    plane.reshape(rect.expanded(by: defects?.reach ?? 0))
    MeasuredStage.levels.measure { levels.load(plane) }
    return plane
  }

  private func loadRepaired(_ rect: PixelRect, _ work: SensorWorkspace) -> TilePlane {
    let plane = loadStored(rect, work)
    MeasuredStage.defects.measure {
      defects?.repair(plane, within: rect, repairs: &work.repairs)
    }
    return plane
  }
}
