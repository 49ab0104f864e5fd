import RawDecode
import RawSensor

/// Drafts under another white. Around saturated photosites the camera's picture depends on the
/// white, and what is made anew there takes longer than all that the white changes elsewhere.
extension RAWFilter {
  /// Leaves saturated photosites as they were rebuilt under the white of a picture that is kept:
  /// for drafts while a hand moves the white. What is saturated in all channels is neutral under
  /// the white in use; partly saturated light keeps its color under the other white, and the
  /// brightest value is that of it. Everything else is as in the exact picture.
  ///
  /// Returns false, and changes nothing, where the draft would save no time or is the exact
  /// picture: no picture is kept, or one under this white; nothing is saturated; or the sensor has
  /// four colors.
  package mutating func reuseHighlights() throws(RAWError) -> Bool {
    let own = try sensorPlan(lensSelection.opcodes).forAnalysis
    guard own.settings.fourColorToRGB.isEmpty else { return false }
    func kept(_ isWanted: (SensorPlan) -> Bool) -> SensorPlan? {
      let analysis = picture.cache.latest {
        if case .reduced(let camera, _) = $0 { isWanted(camera.sensor.forAnalysis) } else { false }
      }
      guard case .reduced(let camera, _) = analysis else { return nil }
      return camera.sensor
    }
    guard kept({ $0 == own }) == nil,
      let other = kept({ $0.underAnyWhite == own.underAnyWhite })
    else { return false }
    highlightsWhite = other.settings.white
    return true
  }
}
