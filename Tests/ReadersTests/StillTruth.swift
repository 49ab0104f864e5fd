import Foundation
import TestSupport

@testable import Readers

/// What independent readers say of a shared picture: a JSON document.
struct StillTruth {
  #if DEBUG
    /// Unoptimized code takes many times as long: every eleventh cell, all of its pixels.
    static let cells = Array(stride(from: 3, to: 48, by: 11))
  #else
    static let cells = Array(0..<48)
  #endif
  /// Allowed difference between two decoders, relative, and absolute for the darkest cells.
  static let (fraction, floor) = (0.005, 2e-5)

  private let values: [String: Any]

  /// The picture `name` and what is known of it.
  static func file(_ name: String) throws -> (StillImage, StillTruth) {
    let name = "hdr/\(name)"
    let still = try StillImage(contentsOf: SharedFiles.url(name))
    return (still, StillTruth(values: try SharedFiles.reference(name)))
  }

  func at(_ path: String...) -> Any? { find(path) }
  private func find(_ path: [String]) -> Any? {
    path.reduce(values as Any?) { ($0 as? [String: Any])?[$1] }
  }
  func number(_ path: String...) -> Double? { (find(path) as? NSNumber)?.doubleValue }
  func numbers(_ path: String...) -> [Double]? {
    (find(path) as? [Any])?.map { ($0 as? NSNumber)?.doubleValue ?? .nan }
  }
  func grid(_ path: String...) -> [[Double]]? {
    (find(path) as? [[[Double]]]).map { $0.flatMap { $0 } }
  }
}
