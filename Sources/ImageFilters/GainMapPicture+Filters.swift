import Foundation
public import HDRRender
public import ImageCore

extension GainMapPicture {
  /// The picture with `edits` applied in order, equally to both of its renditions.
  ///
  /// Crop, resize, orient and affine move base and map together. The map is resampled with the
  /// subpixel offset that keeps it aligned, and keeps its size relative to the picture's, where
  /// that makes it no larger than the picture; where that was half, it is half again, rounded up.
  /// Exposure of 0 stops or less acts on the base: out
  /// = (base + k₁) · 2^G − k₂ is the edited rendition, for every display, when both offsets are
  /// scaled as well; the map and the headrooms are unchanged. A brighter base would not fit the
  /// range that it is stored in. After all other filters a new map is made: both ends are rendered
  /// and filtered, what exceeds the lower end is tone-mapped to its headroom
  /// (`ReferenceWhiteToneMapping`), and `GainMapCreation` makes the map, of ISO's kind. That
  /// reads both ends several times on up to `workers` threads.
  public func edited(by edits: [any ImageFilter], workers: Int = Parallel.defaultWorkers) throws
    -> GainMapPicture
  {
    // Consecutive filters that need a new map share one.
    var (result, waiting) = (self, [any ImageFilter]())
    func remade() throws {
      if waiting.isEmpty { return }
      result = try result.remade(by: waiting, workers: workers)
      waiting = []
    }
    for edit in edits {
      switch edit {
      case let geometry as any GeometryFilter:
        try remade()
        result = try result.moved(by: geometry)
      case let exposure as ExposureFilter where exposure.stops <= 0:
        try remade()
        result = try result.dimmed(by: exposure)
      default: waiting.append(edit)
      }
    }
    try remade()
    return result
  }

  /// The picture with one filter applied.
  public func edited(by edit: any ImageFilter, workers: Int = Parallel.defaultWorkers) throws
    -> GainMapPicture
  {
    try edited(by: [edit], workers: workers)
  }

  private func moved(by edit: any GeometryFilter) throws -> GainMapPicture {
    let size = try edit.resultSize(of: base.size)
    if edit.isNeutral(on: base.size) { return self }
    var was = map.size
    if let orient = edit as? OrientFilter { was = orient.orientation.upright(was) }
    let picture = (edit as? OrientFilter)?.orientation.upright(base.size) ?? base.size
    let side = { (gains: Int, pixels: Int, result: Int) in
      if edit is OrientFilter { return gains }
      if abs(2 * gains - pixels) <= 1 { return max((result + 1) / 2, 1) }
      return max(Int((Double(result) * Double(gains) / Double(pixels)).rounded()), 1)
    }
    var gains = PixelSize(
      width: side(was.width, picture.width, size.width),
      height: side(was.height, picture.height, size.height))
    // A file may have a map of any size over a picture of a few pixels.
    let (pixels, overflow) = gains.width.multipliedReportingOverflow(by: gains.height)
    if overflow || pixels > max(size.area, was.area) { gains = size }
    return GainMapPicture(
      base: try edit.applied(to: base), map: try edit.moved(map, over: base.size, to: gains),
      formula: formula, alternatePrimaries: alternatePrimaries)
  }

  private func dimmed(by edit: ExposureFilter) throws -> GainMapPicture {
    if edit.stops == 0 { return self }
    let gain = exp2(edit.stops)
    var formula = formula
    if case .iso(let metadata) = formula {
      let channels = try metadata.channels.map {
        try GainMapMetadata.Channel(
          minimumStops: $0.minimumStops, maximumStops: $0.maximumStops, gamma: $0.gamma,
          baseOffset: $0.baseOffset * gain, alternateOffset: $0.alternateOffset * gain)
      }
      formula = .iso(
        try GainMapMetadata(
          channels: channels, baseHeadroomStops: metadata.baseHeadroomStops,
          alternateHeadroomStops: metadata.alternateHeadroomStops,
          usesBaseColorSpace: metadata.usesBaseColorSpace))
    }
    return GainMapPicture(
      base: edit.applied(to: base), map: map, formula: formula,
      alternatePrimaries: alternatePrimaries)
  }

  private func remade(by edits: [any ImageFilter], workers: Int) throws -> GainMapPicture {
    let isBaseHDR = if case .iso(let metadata) = formula { metadata.isBaseHDR } else { false }
    var standard = try rendition(displayHeadroom: headrooms.lowerBound).edited(by: edits)
    let high = try rendition(displayHeadroom: headrooms.upperBound).edited(by: edits)
    let peak = Double(
      min(try standard.lightStatistics(workers: workers).contentHeadroom, standard.info.headroom))
    // Rounding alone is no reason to tone-map.
    if peak > headrooms.lowerBound * (1 + 1e-4) {
      standard = DisplayRendering(.high, displayHeadroom: headrooms.lowerBound)(
        DisplayPicture(standard, contentHeadroom: peak))
    }
    let made = try GainMapCreation(
      kind: map.channels == 3 ? .rgb : .luminance, isBaseHDR: isBaseHDR
    ).map(from: standard, to: high, workers: workers)
    return GainMapPicture(
      base: isBaseHDR ? high : standard, map: made.image, formula: .iso(made.metadata),
      alternatePrimaries: (isBaseHDR ? standard : high).info.primaries)
  }
}
