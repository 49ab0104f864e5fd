import ImageCore
public import RawDecode

/// Exposure of raws that the camera recorded darker than metered.
///
/// The default exposure matched to the preview compensates for it, as the preview does. The default
/// exposure found from the scene alone is at least the stops of the camera's setting, see
/// ``BaselineExposure``. An explicit exposure, and the look `scene`, compensate for it only on
/// request.
extension RAWFilter {
  /// By how much the camera recorded darker than metered, from the maker note; nil if unknown.
  public var hiddenUnderexposure: HiddenUnderexposure? { picture.hiddenUnderexposure }

  /// Whether an explicit ``baselineExposure``, or that of the look `scene`, is raised by the stops
  /// that the camera recorded darker than metered; default off. No effect if they are unknown.
  public var undoesUnderexposure: Bool {
    get { settings.undoesUnderexposure }
    set { settings.undoesUnderexposure = newValue }
  }

  /// Stops that are added to an explicit exposure.
  var undoneStops: Float {
    settings.undoesUnderexposure ? Float(hiddenUnderexposure?.stops ?? 0) : 0
  }

  /// The note about the exposure of a raw that was recorded darker than metered.
  func underexposureNote() throws(RAWError) -> String? {
    guard let found = hiddenUnderexposure else { return nil }
    if found.isOfPictureAlone {
      return settings.undoesUnderexposure
        ? "\(found.description) brightens only the camera's own picture; there is nothing to undo"
        : nil
    }
    guard let stops = found.stops else {
      return settings.undoesUnderexposure
        ? "\(found.description) may have recorded it darker, by stops that the file does not say; "
          + "nothing of it is undone" : nil
    }
    guard settings.baselineExposure == nil, !statesExposure,
      try seriesEntry() == nil, try picture.matchedPreview() == nil
    else { return nil }
    return "\(found.description) recorded it \(RAWProperty.text(Float(stops))) EV darker than "
      + "metered, and there is no preview to match; the exposure undoes it"
  }
}
