import Foundation
import ImageCore

/// A camera's look that was made of previews, and its accuracy.
public struct LookReport: Sendable, Hashable, Codable {
  /// The mean ΔE00 of the cells of one picture from its preview.
  public struct Picture: Sendable, Hashable, Codable {
    /// The raw.
    public var input: String
    /// As rendered by standard.
    public var standard: Double
    /// With the look.
    public var fitted: Double
    /// With a look made without this picture; nil where it is the only one.
    public var heldOut: Double?
  }

  /// The look, as messages call it: its path.
  public var output: String
  /// All of it, where it was written to memory. No part of the coded report.
  public internal(set) var contents: [UInt8]?
  /// Its length in bytes.
  public var bytes: Int
  /// The camera that it is for.
  public var camera: String
  /// Its name.
  public var name: String
  /// The camera's picture style; nil where it was not given.
  public var style: String?
  /// The pictures from which it was made.
  public var pictures: [Picture]
  /// Notes for people.
  public var notes: [String]

  init(
    output: String, bytes: Int, camera: String, name: String, style: String?, pictures: [Picture],
    notes: [String]
  ) {
    (self.output, self.bytes, self.camera, self.name) = (output, bytes, camera, name)
    (self.style, self.pictures, self.notes) = (style, pictures, notes)
  }

  private enum CodingKeys: CodingKey {
    case output, bytes, camera, name, style, pictures, notes
  }

  /// The report as names and values for people.
  public var lines: [(name: String, value: String)] {
    func row(_ standard: Double, _ fitted: Double, _ heldOut: Double?) -> String {
      [standard, fitted, heldOut].map { value in
        value.map { String(format: "%8.2f", $0) } ?? "       –"
      }.joined(separator: "  ")
    }
    let heldOut = pictures.compactMap(\.heldOut)
    var lines = [
      ("look", "\(output): \(name), \(bytes) bytes"),
      ("dE00", "standard      with  held out"),
    ]
    lines += pictures.map {
      (
        URL(fileURLWithPath: $0.input).lastPathComponent, row($0.standard, $0.fitted, $0.heldOut)
      )
    }
    lines.append(
      (
        "mean",
        row(
          pictures.map(\.standard).mean, pictures.map(\.fitted).mean,
          heldOut.isEmpty ? nil : heldOut.mean)
      ))
    return lines + notes.map { ("note", $0) }
  }
}
