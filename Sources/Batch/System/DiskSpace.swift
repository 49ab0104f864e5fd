internal import CPOSIX
import Foundation
import ImageCore
package import SystemPackage

/// Space on disks, bytes.
package enum DiskSpace {
  /// A disk with less than this is full.
  static let little = 16 << 20

  /// Free bytes on the disk of `folder`, 0 where no further file can be created; `Int.max` where
  /// that is unknown.
  package static func free(in folder: FilePath) -> Int {
    var status = statvfs()
    let result = unsafe folder.withPlatformString { unsafe statvfs($0, &status) }
    guard result == 0 else { return .max }
    if status.f_files > 0, status.f_favail == 0 { return 0 }
    let unit = max(Int(clamping: status.f_frsize), 1)
    return min(Int(clamping: status.f_bavail), Int.max / unit) * unit
  }

  /// Lets `process` write no file that is longer than any output of an input within `limits`.
  static func limit(_ process: pid_t, within limits: DecodeLimits) {
    cposix_limit_files(process, Int64(longestOutput(within: limits)))
  }

  /// Bytes of the longest output of an input within `limits`: the size of the input, for each of
  /// its pixels four times what the largest format needs, and room for embedded data.
  static func longestOutput(within limits: DecodeLimits) -> Int {
    let pixels = min(max(limits.maxPixels, 0), 1 << 50)
    return 1 << 30 + min(max(limits.maxFileBytes, 0), 1 << 60) + pixels * 64
  }
}
