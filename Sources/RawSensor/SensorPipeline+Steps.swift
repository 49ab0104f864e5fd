package import ImageCore

// The steps that SensorPipeline takes together on each tile, one by one, so that a change of pixels
// can be attributed to a step.

extension SensorPipeline {
  /// The picture after each step except the last, in order; a mosaic in gray, at full resolution.
  /// Steps that the pipeline skips are missing.
  package var steps: [(step: MeasuredStage, picture: SensorPipeline)] {
    switch pixels {
    case .mosaic(let mosaic, _, let reduction):
      var steps: [(step: MeasuredStage, picture: SensorPipeline)] = []
      func add(_ step: MeasuredStage, _ mosaic: BalancedMosaic) {
        steps.append((step, undemosaiced(mosaic, reduction)))
      }
      add(
        .levels, BalancedMosaic(levels: mosaic.levels, defects: nil, clipRows: mosaic.clipRows))
      var made = BalancedMosaic(
        levels: mosaic.levels, defects: mosaic.defects, clipRows: mosaic.clipRows)
      if made.defects != nil { add(.defects, made) }
      made.highlights = mosaic.highlights
      if made.highlights != nil { add(.highlights, made) }
      if mosaic.lateral != nil { add(.lateralColor, mosaic) }
      return steps
    case .linear(let linear):
      guard linear.highlights != .kept else { return [] }
      let stored = LinearPixels(
        levels: linear.levels, clip: linear.clip, ceiling: linear.ceiling, white: linear.white,
        highlights: .kept)
      return [(.levels, replacing(stored))]
    }
  }

  /// The step that produces the picture itself.
  package var lastStep: MeasuredStage {
    switch pixels {
    case .mosaic: .demosaic
    case .linear(let linear): linear.highlights == .kept ? .levels : .highlights
    }
  }
}
