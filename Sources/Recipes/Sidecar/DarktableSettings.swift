public import Containers

/// What can be said of a darktable sidecar without being darktable.
///
/// darktable stores the edit as a history of modules, each with the bytes of a C structure of its
/// own, which change from version to version and are described nowhere but in its source. Only the
/// beginning of one version of one of them (exposure, version 5) is written down in public, and its
/// number is relative to what darktable's other modules add, 0.7 stops in its default workflow: no
/// module is decoded, every enabled one is named. Taken is tiff:Orientation where there is one,
/// which versions before 3 wrote.
///
/// A module counts as enabled when the last step of the history that is in effect (history_end)
/// says so for its instance (multi_priority). Both forms are read: structures in darktable:history,
/// and the parallel lists history_operation, history_enabled of versions before 3.
public enum DarktableSettings {
  /// Whether `packet` is a sidecar of darktable.
  public static func isIn(_ packet: XMPPacket) -> Bool {
    packet.properties.keys.contains { $0.namespace == XMPNamespace.darktable.uri }
  }

  /// What `packet` says.
  public static func read(_ packet: XMPPacket) -> SidecarSettings {
    var settings = SidecarSettings()
    _ = settings.takeOrientation(packet)
    guard isIn(packet) else {
      settings.notes.append("holds no settings of Camera Raw or darktable")
      return settings
    }
    let version = packet[.darktable, "xmp_version"]?.summary ?? "unknown"
    settings.writer = "darktable, sidecar version \(version)"
    for module in enabledModules(packet) {
      settings.ignore(
        "darktable:\(module.operation)", .text(module.label),
        module.operation == "flip"
          ? "how the picture is turned is stored as binary parameters of darktable; see orientation"
          : "stored as binary parameters that only darktable understands")
    }
    return settings
  }

  /// One instance of a module.
  private struct Module: Hashable {
    let operation: String
    let instance: String
    let label: String
  }

  /// In the order in which they first occur.
  private static func enabledModules(_ packet: XMPPacket) -> [Module] {
    var order: [[String]] = []
    var state: [[String]: (module: Module, isEnabled: Bool)] = [:]
    let steps = steps(packet)
    let end = packet[.darktable, "history_end"]?.number ?? Double(steps.count)
    for (index, step) in steps.enumerated() where Double(index) < end {
      let key = [step.module.operation, step.module.instance]
      if state[key] == nil { order.append(key) }
      state[key] = step
    }
    return order.compactMap { state[$0] }.filter(\.isEnabled).map(\.module)
  }

  private static func steps(_ packet: XMPPacket) -> [(module: Module, isEnabled: Bool)] {
    func list(_ name: String) -> [XMPValue] {
      guard case .list(let items)? = packet[.darktable, name] else { return [] }
      return items
    }
    let history = list("history")
    if !history.isEmpty {
      return history.compactMap { step in
        func field(_ name: String) -> XMPValue? { step[XMPName(.darktable, name)] }
        guard let operation = field("operation") else { return nil }
        let version = field("modversion").map { "version \($0.summary)" } ?? "enabled"
        let name = field("multi_name")?.summary ?? ""
        return (
          Module(
            operation: operation.summary, instance: field("multi_priority")?.summary ?? "0",
            label: name.isEmpty || name == "0" ? version : "\(version), \(name)"),
          field("enabled")?.truth ?? true
        )
      }
    }
    let enabled = list("history_enabled")
    return list("history_operation").enumerated().map { index, operation in
      (
        Module(operation: operation.summary, instance: "0", label: "enabled"),
        index < enabled.count ? enabled[index].truth ?? true : true
      )
    }
  }
}
