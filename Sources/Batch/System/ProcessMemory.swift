internal import CConfinement
internal import CPOSIX
import Foundation
import ImageCore

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

  /// Whether addresses can be limited: not those of code under a sanitizer, whose shadow takes
  /// terabytes of them.
  static var canLimit: Bool { !cconfinement_is_sanitized() }

  /// Refuses `process` more addresses than `bytes` of memory take, and room for what takes
  /// addresses and little memory: programs, mapped inputs, stacks. Its memory is written to no file
  /// when it crashes.
  static func limit(_ process: pid_t, to bytes: Int) {
    guard canLimit else { return }
    let room = 2 << 30 + Machine.cores * (16 << 20)
    cposix_limit(process, Int64(min(bytes, 1 << 60) + room))
  }

  /// The largest resident memory that this process has had.
  static var peak: Int { Int(cposix_usage_now().peak_bytes) }
}
