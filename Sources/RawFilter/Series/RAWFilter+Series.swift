import Containers
import HDRRender
import ImageCore
package import RawData

/// Values that a picture takes from a series (``SeriesFile``), and measurements for one.
extension RAWFilter {
  /// The path of the file of a series, whose entry for the camera, picture style and light of this
  /// frame gives the look ``RAWLook/camera``, the default of ``baselineExposure`` and the automatic
  /// white; nil, the default, to measure this frame only. Without an entry or file, this frame is
  /// measured as well, with a warning.
  public var series: String? {
    get { settings.series }
    set { settings.series = newValue }
  }

  /// The entry of this frame; nil if there is none.
  func seriesEntry() throws(RAWError) -> SeriesEntry? {
    guard let path = settings.series else { return nil }
    return try SeriesFile.read(path).entry(of: seriesKey)
  }

  /// The mapping of the look `camera`: from the series, else fitted to the preview.
  func cameraLook() throws(RAWError) -> FittedLook {
    if let look = try seriesLook() { return look }
    return try fittedLook()
  }

  /// The look of the series; nil if it has none for this frame.
  private func seriesLook() throws(RAWError) -> FittedLook? {
    guard let path = settings.series, let entry = try seriesEntry() else { return nil }
    guard let text = entry.findings.look else { return FittedLook(note: Self.withoutSeriesLook) }
    var found = try picture.cache.value(.seriesLook(text)) { () throws(RAWError) in
      do throws(FormatError) {
        let mapping = try CameraLookFile.read(FileBytes(Array(text.utf8))).mapping
        return FittedLook(mapping: mapping, table: mapping.table())
      } catch {
        throw RAWError(.damaged, .open, "the look of \(entry.source): \(error.message)", path: path)
      }
    }
    if let doubt = try previewDoubt() {
      found.note = "look camera: the preview \(doubt.reason); the look is that of the series"
    }
    return found
  }

  private static let withoutSeriesLook = """
    look camera: the series has no trusted preview for this camera, style and light; rendered \
    as by standard
    """

  /// Replaces the automatic white by the chromaticity from the series.
  mutating func fixSeriesWhite() throws(RAWError) {
    guard settings.series != nil, settings.neutral == .automatic, profile != nil else { return }
    settings.neutral = .chromaticity(try resolvedWhite())
  }

  /// The warning for a frame without an entry in its series.
  func seriesWarning() throws(RAWError) -> String? {
    guard let path = settings.series, !settings.isScene, try seriesEntry() == nil else {
      return nil
    }
    return "the series \(path) has no entry for this camera, style and light; what it would give "
      + "is found in this picture alone"
  }

  /// Measurements of this frame for a series, by its camera profile and otherwise default settings,
  /// and the trust in its preview: 2 in full, 1 in its tones, 0 not at all. Decodes picture and
  /// preview.
  package func seriesFindings() throws(RAWError) -> (findings: SeriesFindings, trust: Int) {
    var filter = self
    filter.settings = RAWSettings()
    (filter.settings.profileName, filter.settings.profilePath) = (
      settings.profileName, settings.profilePath
    )
    filter.settings.decoderVersion = settings.decoderVersion
    (filter.linearSpaceFilter, filter.highlightsWhite) = (nil, nil)
    func stops(_ look: RAWLook) throws(RAWError) -> Float? {
      filter.look = look
      guard !filter.statesExposure else { return nil }
      let found = try filter.fileBaselineExposure() - filter.baselineExposureOffset
      return Float(SeriesFindings.rounded(stops: Double(found)))
    }
    var findings = SeriesFindings(
      exposure: try stops(.standard), faithfulExposure: try stops(.faithful))
    if filter.isAutomaticWhiteBalanceSupported {
      // A file without a white gets the white of its preview.
      filter.settings.neutral = filter.statesWhite ? .automatic : .asShot
      let white = try filter.resolvedWhite()
      func part(_ value: Double) -> Double { (value * 1_000_000).rounded() / 1_000_000 }
      findings.white = Chromaticity(x: part(white.x), y: part(white.y))
      filter.settings.neutral = .asShot
    }
    guard let comparison = try filter.previewCells(), comparison.doubt?.isRefusal != true,
      let mapping = FittedLook(comparison).mapping
    else { return (findings, 0) }
    let difference = CameraLookStudy.differences(comparison.cells, mapping)
    findings.look =
      CameraLookFile(
        name: "\(cameraName) series", camera: cameraName, style: seriesFrame.style, pictures: 1,
        standard: difference.standard, fitted: difference.fitted, mapping: mapping
      ).text
    return (findings, comparison.doubt == nil ? 2 : 1)
  }
}
