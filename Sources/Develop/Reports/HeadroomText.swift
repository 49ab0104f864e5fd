import Foundation

/// Headroom of a picture above reference white, for people. Darker pictures have none.
package enum HeadroomText {
  /// For the line about a file.
  package static func short(_ headroom: Double) -> String {
    headroom < 0.995 ? "no headroom" : "headroom " + String(format: "%.2f", headroom)
  }

  /// For a single value.
  package static func long(_ headroom: Double) -> String {
    func number(_ value: Double) -> String { String(format: "%.4g", value) }
    return headroom < 1
      ? "none; the brightest is \(number(headroom)) of reference white"
      : "\(number(headroom)) (\(number(log2(headroom))) stops)"
  }
}
