public import HDRRender
public import ImageCore

extension DisplayPicture {
  /// The picture with `edits`, its range kept: of a gain-map picture base and map, see
  /// ``GainMapPicture/edited(by:workers:)``. What was known of the light is kept for edits that
  /// only move it.
  public func edited(by edits: [any ImageFilter], workers: Int = Parallel.defaultWorkers) throws
    -> DisplayPicture
  {
    if edits.isEmpty { return self }
    switch content {
    case .light(let light):
      let result = try light.edited(by: edits)
      let isMoved = edits.allSatisfy { $0.operation.categories.contains(.geometry) }
      return DisplayPicture(
        result, contentHeadroom: isMoved ? contentHeadroom : nil,
        averageLightLevel: isMoved ? averageLightLevel : nil, isAbsolute: isAbsolute)
    case .gainMap(let picture):
      return DisplayPicture(
        try picture.edited(by: edits, workers: workers), averageLightLevel: averageLightLevel)
    }
  }

  /// A small version with the same range: the longer side has `maxPixelSize` pixels or fewer. Light
  /// is averaged in linear light, never clipped; a gain map is made small with its base.
  public func thumbnail(maxPixelSize: Int) throws -> DisplayPicture {
    try edited(by: [try ResizeFilter.thumbnail(maxPixelSize: maxPixelSize)])
  }
}
