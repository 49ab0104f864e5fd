import ImageCore

/// The treatment of the saturated photosites of a mosaic.
protocol HighlightTreatment: Sendable {
  /// Photosites that are read on each side.
  static var reach: Int { get }

  /// Levels from which photosites are neutral afterwards.
  var neutral: ChannelRows { get }

  /// Writes the treated `rect` of `source` to `work.treated`; false, and nothing written, if
  /// nothing is saturated.
  func treat(_ source: TilePlane, _ rect: PixelRect, _ work: SensorWorkspace) throws(PixelError)
    -> Bool
}
