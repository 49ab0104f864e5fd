internal import CConfinement
internal import CPOSIX
import Foundation
import ImageCore

/// Memory of processes, bytes.
enum ProcessMemory {
  /// Resident memory of `process` without mapped files, from `/proc`; 0 for a process that is
  /// gone.
  static func resident(_ process: pid_t) -> Int {
    // The process chooses its name, which is part of it and need not be UTF-8.
    func text(_ name: String) -> String? {
      FileManager.default.contents(atPath: "/proc/\(process)/\(name)")
        .map { String(decoding: $0, as: UTF8.self) }
    }
    return text("status").map { resident(status: $0, maps: text("maps")) } ?? 0
  }

  /// The same from the texts `status` and `maps`. Shared memory is counted where it is anonymous,
  /// but not where it is a file on a disk in memory, such as a mapped input.
  static func resident(status: String, maps: @autoclosure () -> String?) -> Int {
    var kilobytes: [Substring: Int] = [:]
    for line in status.split(separator: "\n")
    where line.hasPrefix("Rss") || line.hasPrefix("VmRSS") {
      let words = line.split { $0 == " " || $0 == "\t" }
      if words.count == 3 { kilobytes[words[0]] = Int(words[1]) }
    }
    // Some systems in containers tell no kinds.
    let own = (kilobytes["RssAnon:"] ?? kilobytes["VmRSS:"] ?? 0) << 10
    let shared = (kilobytes["RssShmem:"] ?? 0) << 10
    guard shared > 0 else { return own }
    return own + min(shared, maps().map(sharedAddresses) ?? shared)
  }

  /// Bytes of addresses of shared memory without a file, whose names in `maps` are these.
  private static func sharedAddresses(_ maps: String) -> Int {
    maps.split(separator: "\n").reduce(0) { sum, line in
      guard
        line.hasSuffix(" /dev/zero (deleted)") || line.contains(" /memfd:")
          || line.contains(" /SYSV")
      else { return sum }
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
      return ends.count == 2 ? sum + max(0, ends[1] - ends[0]) : sum
    }
  }

  /// Whether the address space can be limited: not under a sanitizer, whose shadow memory takes
  /// terabytes of addresses.
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
