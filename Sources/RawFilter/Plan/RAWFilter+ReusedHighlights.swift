import RawDecode
import RawSensor

/// Drafts under another white. Around saturated photosites camera RGB depends on the white, and
/// recomputing it there takes longer than everything else that the white changes.
extension RAWFilter {
  /// Reuses saturated photosites as reconstructed under the white of a cached picture: for drafts
  /// while the white is being dragged. Pixels saturated in all channels are neutral under the white
  /// in use; partly saturated pixels keep their color under the other white, and so does the
  /// brightest value. Everything else is exact.
  ///
  /// Returns false, and changes nothing, if the draft would save no time or is exact: no picture is
  /// cached, or one under this white; nothing is saturated; or the sensor has four colors.
  package mutating func reuseHighlights() throws(RAWError) -> Bool {
    let own = try sensorPlan(lensSelection.opcodes).forAnalysis
    guard own.settings.fourColorToRGB.isEmpty else { return false }
    func cached(_ isWanted: (SensorPlan) -> Bool) -> SensorPlan? {
      let analysis = picture.cache.latest {
        if case .reduced(let camera, _) = $0 { isWanted(camera.sensor.forAnalysis) } else { false }
      }
      guard case .reduced(let camera, _) = analysis else { return nil }
      return camera.sensor
    }
    guard cached({ $0 == own }) == nil,
      let other = cached({ $0.underAnyWhite == own.underAnyWhite })
    else { return false }
    highlightsWhite = other.settings.white
    return true
  }
}
