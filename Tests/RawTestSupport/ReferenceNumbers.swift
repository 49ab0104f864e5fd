import Foundation

/// A number of a reference file; not-a-number for anything else.
func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }
func numbers(_ value: Any?) -> [Double] { (value as? [Any] ?? []).map { number($0) } }
