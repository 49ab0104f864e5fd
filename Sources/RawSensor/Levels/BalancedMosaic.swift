import ImageCore

/// The stages before the demosaic, in order: levels and balance, defects, highlights, gains of
/// opcode list 2, lateral color. Computes any rectangle of the balanced mosaic, also beyond the
/// borders of the sensor.
struct BalancedMosaic: Sendable {
  let levels: LinearLevels
  /// Nil if defects are not repaired.
  let defects: NoiseOutliers?
  let clipRows: ChannelRows
  /// Nil if saturated photosites are not treated.
  var highlights: (any HighlightTreatment)?
  /// Nil without gains.
  var gains: MosaicGains?
  /// Nil if lateral color is not corrected.
  var lateral: LateralMosaic?

  /// The mosaic in a plane that holds at least `rect`, valid until the workspace is used again. If
  /// `rect` `continues` the last one loaded into `work`, directly below it in the same columns, its
  /// rows are reused.
  func load(_ rect: PixelRect, _ work: SensorWorkspace, continues: Bool = false) throws(PixelError)
    -> TilePlane
  {
    guard let lateral else {
      let treated = try loadTreated(rect, work, continues)
      guard gains != nil else { return treated }
      // Rows of `treated` may be reused for the next rectangle.
      try work.gained.reshape(rect)
      copyGained(rect, of: treated, to: work.gained)
      return work.gained
    }
    let (plane, area) = (work.moved, rect.expanded(by: lateral.reach))
    let fresh = try plane.scroll(
      to: continues ? area.below(rect.y) : area, continues: continues)
    let treated = try loadTreated(fresh, work, continues)
    copyGained(fresh, of: treated, to: plane)
    try MeasuredStage.lateralColor.measure { () throws(PixelError) in
      try lateral.move(rect, of: plane, work.lateral, continues: continues)
    }
    return plane
  }

  /// Copies `rect`, in all columns of `plane`, with the gains.
  private func copyGained(_ rect: PixelRect, of treated: TilePlane, to plane: TilePlane) {
    let neutral = highlights?.neutral
    for y in rect.y..<rect.endY {
      let row = plane.row(y)
      row.update(from: treated.row(y).from(rect.x - treated.rect.x), count: rect.width)
      gains?.apply(
        to: row, x: rect.x, y: y, count: rect.width, saturated: neutral?.row(x: rect.x, y: y))
    }
  }

  private func loadTreated(
    _ rect: PixelRect, _ work: SensorWorkspace, _ continues: Bool
  ) throws(PixelError) -> TilePlane {
    guard let highlights else { return try loadRepaired(rect, work, continues) }
    let reach = type(of: highlights).reach
    let plane = try loadRepaired(rect.expanded(by: reach), work, continues)
    let isTreated = try MeasuredStage.highlights.measure { () throws(PixelError) in
      try highlights.treat(plane, rect, work)
    }
    return isTreated ? work.treated : plane
  }

  /// The mosaic before repairs, with as much around `rect` as the search for defects reads.
  func loadStored(_ rect: PixelRect, _ work: SensorWorkspace) throws(PixelError) -> TilePlane {
    _ = try fillStored(rect, work, continues: false)
    return work.planes[0]
  }

  /// Returns the rows that were new.
  private func fillStored(
    _ rect: PixelRect, _ work: SensorWorkspace, continues: Bool
  ) throws(PixelError) -> PixelRect {
    let plane = work.planes[0]
    let fresh = try plane.scroll(
      to: rect.expanded(by: defects?.reach ?? 0), continues: continues)
    MeasuredStage.levels.measure { levels.load(fresh, of: plane) }
    return fresh
  }

  private func loadRepaired(
    _ rect: PixelRect, _ work: SensorWorkspace, _ continues: Bool
  ) throws(PixelError) -> TilePlane {
    let fresh = try fillStored(rect, work, continues: continues)
    if !continues { work.repairs.removeAll(keepingCapacity: true) }
    let plane = work.planes[0]
    if let defects {
      MeasuredStage.defects.measure {
        defects.repair(
          plane, within: rect, from: continues ? fresh.y - defects.reach : rect.y,
          repairs: &work.repairs)
      }
    }
    return plane
  }
}
