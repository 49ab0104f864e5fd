import Foundation
import RawFilter

/// A profile gain table map as numbers: sizes, places, weights and all gains as an array of rows of
/// columns of points (`numpy.array(json["gains"])`).
struct GainTableMapFile {
  private struct Contents: Encodable {
    var version: Int
    var rows: Int
    var columns: Int
    var points: Int
    var spacing: [Double]
    var origin: [Double]
    var weights: [Float]
    var gamma: Float
    var byteOrder: String
    var gains: [[[Float]]]
  }

  /// The text. Throws an `EncodingError` when something is no finite number.
  let json: Data

  init(_ map: StoredGainTableMap) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    json = try encoder.encode(
      Contents(
        version: map.version, rows: map.rows, columns: map.columns, points: map.points,
        spacing: map.spacing, origin: map.origin, weights: map.weights, gamma: map.gamma,
        byteOrder: map.bigEndian ? "big" : "little", gains: map.gains))
  }
}
