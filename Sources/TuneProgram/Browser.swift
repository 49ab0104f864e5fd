import Foundation

/// The browser of the desktop.
enum Browser {
  /// Opens `address`, if there is a desktop.
  static func open(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    #if os(Linux)
      guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
      // A session of its own: Ctrl-C does not reach a browser that is started by this.
      let command = ["setsid", "--fork", "xdg-open", address]
    #else
      let command = ["open", address]
    #endif
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}
