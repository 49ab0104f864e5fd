import Develop
import Foundation
import Recipes

/// The lines for people about pictures that were written.
extension WrittenPicture {
  /// Of a raw that was developed.
  var developedLine: String {
    let time = String(format: "%.2f s", seconds)
    if format == OutputFormat.dng.rawValue { return "\(start), \(bytes) bytes, \(time)" }
    return "\(start), \(headroom), MaxCLL \(maxCLL) cd/m2, \(bytes) bytes, \(time)"
  }

  /// Of finished pictures.
  var convertedLine: String { "\(start), \(headroom), \(bytes) bytes" }

  private var start: String { "\(output): \(width)x\(height) \(format) (\(coding))" }
  private var headroom: String { HeadroomText.short(Double(contentHeadroom)) }
}
