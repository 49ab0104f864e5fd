import Foundation
import RawFilter

/// A profile gain table map as JSON: sizes, positions, weights, and all gains as an array of rows
/// of columns of points (`numpy.array(json["gains"])`).
struct GainTableMapFile {
  private struct Contents: Encodable {
    var version: Int
    var rows: Int
    var columns: Int
    var points: Int
    /// Vertical, horizontal.
    var spacing: [Double]
    /// Vertical, horizontal.
    var origin: [Double]
    var weights: [Float]
    var gamma: Float
    var byteOrder: String
    var gains: [[[Float]]]
  }

  /// The JSON.
  let json: Data

  /// Throws an `EncodingError` for NaN and infinity.
  init(_ stored: StoredGainTableMap) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let map = stored.map
    func row(_ v: Int) -> [[Float]] {
      (0..<map.columns).map { h in
        let cell = (v * map.columns + h) * map.points
        return Array(map.gains[cell..<cell + map.points])
      }
    }
    json = try encoder.encode(
      Contents(
        version: stored.version, rows: map.rows, columns: map.columns, points: map.points,
        spacing: [map.spacing.y, map.spacing.x], origin: [map.origin.y, map.origin.x],
        weights: map.weights, gamma: map.gamma,
        byteOrder: stored.bigEndian ? "big" : "little", gains: (0..<map.rows).map(row)))
  }
}
