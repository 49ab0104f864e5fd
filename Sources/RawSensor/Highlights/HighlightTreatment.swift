import ImageCore

/// What becomes of the saturated photosites of a mosaic.
protocol HighlightTreatment: Sendable {
  /// Photosites that are read on each side.
  static var reach: Int { get }

  /// Levels from which on photosites are neutral afterwards.
  var neutral: ChannelRows { get }

  /// Copies `rect` of `source`, treated, to `work.treated`; false, and nothing copied, where
  /// nothing is saturated.
  func treat(_ source: TilePlane, _ rect: PixelRect, _ work: SensorWorkspace) throws(PixelError)
    -> Bool
}
