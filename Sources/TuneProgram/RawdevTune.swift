package import ArgumentParser
import Dispatch
import Foundation
import ImageCore
import Recipes
import SystemPackage
import Tuning
import TuningServer

/// The server of `rawdev tune`, which has checked its arguments. Prints the address on standard
/// output and serves until it is interrupted.
package struct RawdevTune: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "rawdev-tune", abstract: "The server of rawdev tune, which starts it.",
    version: RawdevVersion.current)

  @Option(help: "The program of the worker processes.") var worker: String
  @Option(help: "The port.") var port: Int?
  @Option(help: "The address to listen on.") var listen: String?
  @Option(help: "The file with the password.") var passwordFile: String?
  @Option(help: "A recipe, by name or path.") var recipe: [String] = []
  @Flag(inversion: .prefixedNo, help: "Apply defaults of folders.") var defaults = true
  @Flag(inversion: .prefixedNo, help: "Apply XMP of other programs.") var xmp = true
  @Flag(inversion: .prefixedNo, help: "Open the browser.") var open = true
  @Flag(help: "Print only failures.") var quiet = false
  @Argument(help: "A folder, or a raw.") var input: String

  package init() {}

  /// Serves; ends the process where it fails.
  package static func main() async {
    PixelMemory.shareHeap()
    do {
      var command = try parse()
      try await command.run()
    } catch let error as TuningServerError {
      say("rawdev: \(error)")
      Foundation.exit(2)
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        print(fullMessage(for: error))
        Foundation.exit(0)
      }
      say("rawdev: \(message(for: error))")
      Foundation.exit(code == .validationFailure ? 2 : 66)
    }
  }

  package mutating func run() async throws {
    var options = TuningServerOptions(worker: [worker, "worker"])
    options.port = port ?? 0
    if let listen { options.address = listen }
    if let passwordFile {
      let text = try String(contentsOfFile: passwordFile, encoding: .utf8)
      options.password = text.split(whereSeparator: \.isNewline).first.map(String.init)
    }
    options.applied = AppliedDocuments(
      recipes: try recipe.map { try RecipeChain.document(named: $0, or: .ofUser) },
      usesDefaults: defaults, usesXMP: xmp)
    options.recipes = .ofUser
    // Pages can find a restarted server only where they know its port.
    options.tokenFile = port.flatMap(Self.tokenFile)
    options.stateFolder = Self.stateFolder?.appending("rawdev").appending("tune")
    let server = try TuningServer(Self.path, options: options)
    let signals = Self.onSignal { [quiet] in
      Task {
        if !quiet { await Self.tell(server) }
        server.stop()
      }
    }
    defer { withExtendedLifetime(signals) {} }
    try await server.run { [open] in
      _ = try? FileDescriptor.standardOutput.writeAll("\(server.url)\n".utf8)
      if open { Browser.open(server.urlForOnce) }
      await server.prepare()
    }
  }

  /// The last argument as it was passed, byte for byte.
  private static var path: FilePath {
    guard let text = unsafe CommandLine.unsafeArgv[Int(CommandLine.argc) - 1] else { return "." }
    return unsafe FilePath(platformString: text)
  }

  /// Lets the first signal call `body`; a second one ends the process at once.
  private static func onSignal(
    _ body: @escaping @Sendable () -> Void
  ) -> [any DispatchSourceSignal] {
    signal(SIGPIPE, SIG_IGN)
    return [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        body()
      }
      source.resume()
      return source
    }
  }

  /// Prints what a person may want to know before the end.
  private static func tell(_ server: TuningServer) async {
    if server.isDeveloping {
      say("files that are being developed are finished; Ctrl-C again ends at once")
    }
    let names = await server.unfinished()
    guard let first = names.first else { return }
    let others = names.count > 1 ? " and \(names.count - 1) more" : ""
    say(
      "the edit of \(first)\(others) is in the journal, not in a sidecar; the next rawdev tune of "
        + "this folder continues with it")
  }

  /// Path of the token for a port: in the user's runtime folder, which is emptied at logout,
  /// otherwise in the user's state folder.
  private static func tokenFile(_ port: Int) -> FilePath? {
    (folder("XDG_RUNTIME_DIR") ?? stateFolder)?.appending("rawdev").appending("tune-\(port)")
  }

  /// The user's state folder, which persists between starts.
  private static var stateFolder: FilePath? {
    folder("XDG_STATE_HOME") ?? folder("HOME")?.appending(".local").appending("state")
  }

  private static func folder(_ name: String) -> FilePath? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
  }

  private static func say(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll("\(text)\n".utf8)
  }
}
