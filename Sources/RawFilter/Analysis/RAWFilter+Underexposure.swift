import ImageCore
public import RawDecode

/// What becomes of a raw that the camera recorded darker than it metered.
///
/// The exposure that is found from the preview undoes it, as the preview does; that which is found
/// from the scene alone is the stops of the camera's setting at least, see ``BaselineExposure``. An
/// exposure that is given, and that of the look `scene`, undoes it where it is asked for.
extension RAWFilter {
  /// What the camera recorded darker than it metered, by its maker note; nil where the file says
  /// nothing of it.
  public var hiddenUnderexposure: HiddenUnderexposure? { picture.hiddenUnderexposure }

  /// Whether a ``baselineExposure`` that is given, or fixed by the look `scene`, is raised by the
  /// stops by which the camera recorded darker than it metered; default off. Where they are not
  /// known nothing is changed.
  public var undoesUnderexposure: Bool {
    get { settings.undoesUnderexposure }
    set { settings.undoesUnderexposure = newValue }
  }

  /// Stops that are added to an exposure that is given.
  var undoneStops: Float {
    settings.undoesUnderexposure ? Float(hiddenUnderexposure?.stops ?? 0) : 0
  }

  /// What is to be said of the exposure of a raw that was recorded darker.
  func underexposureNote() throws(RAWError) -> String? {
    guard let found = hiddenUnderexposure else { return nil }
    if found.isOfPictureAlone {
      return settings.undoesUnderexposure
        ? "\(found.description) lightens the camera's own picture alone; there is nothing to undo"
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
