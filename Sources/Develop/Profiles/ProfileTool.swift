import Charts
public import Formats
import Foundation
public import ImageCore
import RawFilter

/// Makes a camera profile (.dcp) from a raw of a ColorChecker Classic: the work of `rawdev
/// profile`.
///
/// The camera's values of the 24 patches are fitted to their published colors by a 3 × 3 matrix
/// that preserves white (`CameraMatrixFit`). The file holds it as ForwardMatrix1 F, and as
/// ColorMatrix1 C = diag(n) · F⁻¹ · A, n the camera's neutral and A the Bradford adaptation from
/// the chart's illuminant to D50, by the relation in DNG 1.7.1 chapter 6. Tables of hue and
/// saturation are not written: fitted to 24 patches, they are worse for other colors.
public struct ProfileTool: Sendable {
  /// The chart whose colors are taken.
  public enum Chart: String, Sendable, Hashable, Codable, CaseIterable {
    /// A ColorChecker Classic made since November 2014.
    case after2014
    /// One made before.
    case before2014
  }

  /// Which chart it is.
  public var chart = Chart.after2014
  /// The centers of dark skin, bluish green, black and white, in this order, in pixels of the
  /// upright picture at its native size; nil to find the chart.
  public var corners: [SIMD2<Double>]?
  /// The illuminant of the chart; nil for the one that the file's own colors give for its neutral
  /// patches, or D50 where it has none.
  public var illuminant: Chromaticity?
  /// The name of the profile; nil for the camera's name.
  public var name: String?

  /// A tool for charts made since November 2014, which looks for the chart.
  public init() {}

  /// Reads the raw at `input` and writes the profile to `output`, completely or not at all. An
  /// output that is the raw itself is refused.
  public func make(_ input: String, to output: OutputDestination) throws(DevelopError)
    -> ProfileReport
  {
    do {
      let filter = try Developer.open(input)
      let content = OutputContent("a camera profile", ["dcp"], of: filter.sourceFiles)
      try output.check(content)
      guard let reference = ColorChecker(rawValue: chart.rawValue) else {
        throw RAWError(.badSetting, .settings, "unknown chart", path: input)
      }
      let measured = try filter.chart(reference, corners: corners)
      let patches = CameraMatrixFit.patches(measured.camera, reference)
      guard let fit = CameraMatrixFit(patches), let back = fit.forward.inverse else {
        throw RAWError(
          .badSetting, .color,
          "no matrix makes the colors of a ColorChecker of these patches; "
            + "check that it is one, and evenly lit", path: input)
      }
      let model = filter.colorModel
      let illuminant = illuminant ?? model?.white(forNeutral: fit.neutral) ?? .d50
      let neutral = fit.neutral / fit.neutral.max()
      let color =
        Matrix3(diagonal: neutral) * back * ChromaticAdaptation.bradford(from: illuminant, to: .d50)
      let name = name ?? "\(filter.cameraName) ColorChecker"
      let file = CameraProfileFile(
        name: name, cameraModel: filter.cameraName, colorMatrix: color, forwardMatrix: fit.forward,
        illuminant: Self.lightSource(illuminant))
      let before = model.map { Self.differences($0, fit.neutral, patches) }
      let after = patches.map { fit.difference($0).value }
      let others = CameraMatrixFit.leaveOneOut(patches)
      var report = ProfileReport(
        input: input, output: output.name, bytes: 0, camera: filter.cameraName, name: name,
        chart: chart, light: illuminant, corners: measured.corners.map { [$0.x, $0.y] },
        neutralUnevenness: measured.reading.neutralUnevenness,
        borderUnevenness: measured.reading.borderUnevenness,
        colorMatrix: color.rows.flatMap { [$0.x, $0.y, $0.z] },
        forwardMatrix: fit.forward.rows.flatMap { [$0.x, $0.y, $0.z] },
        patches: patches.indices.map {
          ProfileReport.Patch(
            name: ColorChecker.names[$0], before: before?[$0], after: after[$0], leftOut: others[$0]
          )
        },
        before: before.map { ProfileReport.Difference($0) },
        after: ProfileReport.Difference(after), leftOut: ProfileReport.Difference(others), notes: []
      )
      let uneven = max(report.neutralUnevenness, report.borderUnevenness ?? 1)
      if uneven > ChartReading.doubtful {
        report.notes.append(
          String(
            format:
              "the chart is lit unevenly, by %.0f %%, corrected; even lighting is better",
            (uneven - 1) * 100))
      }
      (report.bytes, report.contents) = try output.write(content, chunks: [file.bytes])
      return report
    } catch { throw DevelopError(error, path: input) }
  }

  /// ΔE00 of the patches by the colors that the file has without the profile, tables aside, at the
  /// exposure that suits the neutral patches.
  private static func differences(
    _ model: CameraProfile, _ neutral: SIMD3<Double>, _ patches: [CameraMatrixFit.Patch]
  ) -> [Double] {
    let matrix = model.cameraToD50(white: model.white(forNeutral: neutral))
    let neutrals = patches.filter(\.isNeutral)
    let stops = neutrals.reduce(0) { $0 + log2($1.xyz.y / max((matrix * $1.camera).y, 1e-9)) }
    let gain = exp2(stops / Double(max(neutrals.count, 1)))
    return patches.map {
      ColorDifference(LabColor($0.xyz), LabColor(matrix * $0.camera * gain)).value
    }
  }

  /// The Exif LightSource of the nearest standard illuminant: A, D50, D55, D65 or D75.
  private static func lightSource(_ white: Chromaticity) -> UInt16 {
    let mired = 1e6 / CorrelatedColorTemperature(white).temperature
    let illuminants: [(UInt16, Double)] = [
      (17, 2850), (23, 5000), (20, 5500), (21, 6500), (22, 7500),
    ]
    return illuminants.min { abs(1e6 / $0.1 - mired) < abs(1e6 / $1.1 - mired) }?.0 ?? 23
  }
}
