import Foundation

/// The resources that this process may use: the minimum of hardware, affinity and control group
/// (version 1 or 2). Read from the system at each access.
public enum Machine {
  /// Number of cores, at least 1.
  public static var cores: Int {
    // The cores in the affinity of this process.
    var count = ProcessInfo.processInfo.activeProcessorCount
    if let quota = groupCores(root: "/sys/fs/cgroup", group: ownGroup) {
      count = Int(max(1, min(Double(count), quota.rounded(.up))))
    }
    return max(count, 1)
  }

  /// Bytes of memory to use: four fifths of what is available now, or of the control group's limit.
  public static var usableMemoryBytes: Int {
    let free = meminfo("MemAvailable") ?? meminfo("MemTotal") ?? 2 << 30
    let limit = groupMemory(root: "/sys/fs/cgroup", group: ownGroup) ?? .max
    return min(free, limit) / 5 * 4
  }

  /// Installed memory in bytes, or the control group's limit: the same at each access, whatever
  /// else runs.
  public static var memoryBytes: Int {
    let limit = groupMemory(root: "/sys/fs/cgroup", group: ownGroup) ?? .max
    return min(Int(clamping: ProcessInfo.processInfo.physicalMemory), limit)
  }

  /// Host name.
  public static var name: String { ProcessInfo.processInfo.hostName }

  private static func meminfo(_ key: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Path of this process's group by controller; version 2 under the empty name.
  private static var ownGroup: [String: String] {
    let text = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
    var found: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      for name in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        found[String(name)] = String(parts[2])
      }
    }
    return found
  }

  /// The files called `name` of a group and its parent groups, which limit it too.
  private static func values(_ name: String, root: String, group: String) -> [String] {
    var (path, found) = (group, [String]())
    while true {
      let file = root + (path == "/" ? "" : path) + "/" + name
      if let text = try? String(contentsOfFile: file, encoding: .utf8) {
        found.append(text.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      guard path != "/", let slash = path.lastIndex(of: "/") else { return found }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }

  static func groupMemory(root: String, group: [String: String]) -> Int? {
    let new = values("memory.max", root: root, group: group[""] ?? "/").compactMap { Int($0) }
    let old = values(
      "memory.limit_in_bytes", root: root + "/memory", group: group["memory"] ?? "/"
    ).compactMap { Int($0) }
    // Version 1 says "no limit" with a number near 2⁶³.
    return (new + old).filter { $0 > 0 && $0 < 1 << 60 }.min()
  }

  static func groupCores(root: String, group: [String: String]) -> Double? {
    let new = values("cpu.max", root: root, group: group[""] ?? "/").compactMap { text -> Double? in
      let parts = text.split(separator: " ").map { Double($0) }
      guard parts.count == 2, let quota = parts[0], let period = parts[1], quota > 0, period > 0
      else { return nil }
      return quota / period
    }
    func first(_ name: String) -> [Double] {
      values(name, root: root + "/cpu", group: group["cpu"] ?? "/").compactMap { Double($0) }
    }
    let old = zip(first("cpu.cfs_quota_us"), first("cpu.cfs_period_us"))
      .filter { $0.0 > 0 && $0.1 > 0 }.map { $0.0 / $0.1 }
    return (new + old).min()
  }
}
