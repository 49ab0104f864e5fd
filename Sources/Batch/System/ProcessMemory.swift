internal import CPOSIX
import Foundation

/// Memory of processes, bytes.
enum ProcessMemory {
  /// Resident memory of `process` that belongs to no file, from `/proc`; 0 for a process that is
  /// gone.
  static func resident(_ process: pid_t) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else {
      return 0
    }
    let pages = text.split(separator: " ").compactMap { Int($0) }
    return pages.count > 2 ? max(0, pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }

  /// The largest resident memory that this process has had.
  static var peak: Int { Int(cposix_usage_now().peak_bytes) }
}
