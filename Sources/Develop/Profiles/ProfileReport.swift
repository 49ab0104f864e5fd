import Foundation
public import ImageCore
import RawFilter

/// A camera profile that was made, and how well it does.
public struct ProfileReport: Sendable, Hashable, Codable {
  /// ΔE00 of one patch.
  public struct Patch: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// By the colors that the file has without the profile; nil where it has none.
    public var before: Double?
    /// By the profile.
    public var after: Double
    /// By a profile made without this patch.
    public var leftOut: Double
  }

  /// ΔE00 of all patches.
  public struct Difference: Sendable, Hashable, Codable {
    /// The mean.
    public var mean: Double
    /// The largest.
    public var maximum: Double

    init(_ values: [Double]) {
      mean = values.mean
      maximum = values.max() ?? 0
    }
  }

  /// The raw.
  public var input: String
  /// The profile, as messages call it: its path.
  public var output: String
  /// All of it, where it was written to memory. No part of the coded report.
  public internal(set) var contents: [UInt8]?
  /// Its length in bytes.
  public var bytes: Int
  /// The camera that it is for.
  public var camera: String
  /// Its name.
  public var name: String
  /// The chart whose colors were taken.
  public var chart: ProfileTool.Chart
  /// The illuminant of the chart.
  public var light: Chromaticity
  /// The centers of dark skin, bluish green, black and white in pixels of the upright picture.
  public var corners: [[Double]]
  /// Brightest to darkest illumination on the neutral row, a ratio.
  public var neutralUnevenness: Double
  /// The same on the chart's border; nil where it is too narrow.
  public var borderUnevenness: Double?
  /// ColorMatrix1, row by row.
  public var colorMatrix: [Double]
  /// ForwardMatrix1, row by row.
  public var forwardMatrix: [Double]
  /// The patches, row by row.
  public var patches: [Patch]
  /// Differences without the profile; nil where the file has no colors.
  public var before: Difference?
  /// Differences by the profile.
  public var after: Difference
  /// Differences of each patch by a profile made without it.
  public var leftOut: Difference
  /// Notes for people.
  public var notes: [String]

  private enum CodingKeys: CodingKey {
    case input, output, bytes, camera, name, chart, light, corners, neutralUnevenness
    case borderUnevenness, colorMatrix, forwardMatrix, patches, before, after, leftOut, notes
  }

  /// The report as names and values for people.
  public var lines: [(name: String, value: String)] {
    func number(_ value: Double?) -> String {
      value.map { String(format: "%6.2f", $0) } ?? "     –"
    }
    func row(_ before: Double?, _ after: Double, _ others: Double) -> String {
      [number(before), number(after), number(others)].joined(separator: "  ")
    }
    func percent(_ ratio: Double) -> String { String(format: "%.0f %%", (ratio - 1) * 100) }
    let temperature = CorrelatedColorTemperature(light).temperature
    var lines = [
      ("profile", "\(output): \(name), \(bytes) bytes"),
      ("light", String(format: "%.0f K, x %.4f y %.4f", temperature, light.x, light.y)),
      (
        "unevenness",
        "neutral row \(percent(neutralUnevenness)), border "
          + (borderUnevenness.map(percent) ?? "not measured")
      ),
      ("dE00", "before   after  left out"),
    ]
    lines += patches.map { ($0.name, row($0.before, $0.after, $0.leftOut)) }
    lines.append(("mean", row(before?.mean, after.mean, leftOut.mean)))
    lines.append(("maximum", row(before?.maximum, after.maximum, leftOut.maximum)))
    return lines + notes.map { ("note", $0) }
  }
}
