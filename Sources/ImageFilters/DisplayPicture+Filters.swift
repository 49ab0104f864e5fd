public import HDRRender
public import ImageCore

extension DisplayPicture {
  /// The picture with `edits` applied, its range preserved: for a gain-map picture see
  /// `GainMapPicture.edited(by:workers:)`. Headroom and average level are preserved by filters that
  /// only move pixels, and are unknown after others.
  public func edited(by edits: [any ImageFilter], workers: Int = Parallel.defaultWorkers) throws
    -> DisplayPicture
  {
    if edits.isEmpty { return self }
    var edited = try withContentEdited(by: edits, workers: workers)
    edited.notes = notes
    return edited
  }

  private func withContentEdited(
    by edits: [any ImageFilter], workers: Int
  ) throws -> DisplayPicture {
    switch content {
    case .pixels(let pixels):
      let result = try pixels.edited(by: edits)
      let isMoved = edits.allSatisfy { $0.operation.categories.contains(.geometry) }
      return DisplayPicture(
        result, contentHeadroom: isMoved ? contentHeadroom : nil,
        toneHeadroom: isMoved ? toneHeadroom : nil,
        averageLightLevel: isMoved ? averageLightLevel : nil, isAbsolute: isAbsolute)
    case .gainMap(let picture):
      return DisplayPicture(
        try picture.edited(by: edits, workers: workers), averageLightLevel: averageLightLevel)
    }
  }

  /// A thumbnail with the same range: the longer side has `maxPixelSize` pixels or fewer. Linear
  /// values are averaged, never clipped; a gain map is reduced with its base.
  public func thumbnail(maxPixelSize: Int) throws -> DisplayPicture {
    try edited(by: [try ResizeFilter.thumbnail(maxPixelSize: maxPixelSize)])
  }
}
