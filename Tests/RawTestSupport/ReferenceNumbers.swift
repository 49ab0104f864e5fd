import Foundation

/// A number of a reference file; not-a-number for anything else.
package func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }
package func numbers(_ value: Any?) -> [Double] { (value as? [Any] ?? []).map { number($0) } }
