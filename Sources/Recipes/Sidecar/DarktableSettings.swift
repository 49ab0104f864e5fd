public import Containers

/// The part of a darktable sidecar that other programs can read.
///
/// darktable stores the edit as a history of modules, each with the bytes of a C structure that
/// changes from version to version and is documented in its source only. Public documentation
/// covers the beginning of one version of one module (exposure, version 5), whose value is relative
/// to what other modules add, 0.7 stops in the default workflow. So no module is decoded; each
/// enabled one is reported by name. tiff:Orientation, which versions before 3 wrote, is taken.
///
/// A module is enabled if the last step of its instance (multi_priority) within the active history
/// (history_end) is. Both forms are read: structures in darktable:history, and the parallel lists
/// history_operation and history_enabled of versions before 3.
public enum DarktableSettings {
  /// Whether `packet` is a sidecar of darktable.
  public static func isIn(_ packet: XMPPacket) -> Bool {
    packet.properties.keys.contains { $0.isIn(.darktable) }
  }

  /// The settings of `packet`.
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
        module.operation.isSame(as: "flip")
          ? "how the picture is turned is stored as binary parameters of darktable; see orientation"
          : "stored as binary parameters that only darktable understands")
    }
    return settings
  }

  /// One instance of a module.
  private struct Module {
    let operation: String
    let instance: String
    let label: String
  }

  /// The enabled modules, in the order of their first occurrence.
  private static func enabledModules(_ packet: XMPPacket) -> [Module] {
    var order: [[[UInt8]]] = []
    var state: [[[UInt8]]: (module: Module, isEnabled: Bool)] = [:]
    let steps = steps(packet)
    let end = packet[.darktable, "history_end"]?.number ?? Double(steps.count)
    for (index, step) in steps.enumerated() where Double(index) < end {
      let key = [step.module.operation, step.module.instance].map { Array($0.utf8) }
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
            label: name.isEmpty || name.isSame(as: "0") ? version : "\(version), \(name)"),
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
