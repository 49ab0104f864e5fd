import ArgumentParser
import Batch
import Develop
import Foundation
import RawFilter
import Recipes
import SystemPackage

/// `rawdev tune`: checks its options, and becomes the program `rawdev-tune`: this program again
/// where the server is linked (trait `Page`), otherwise a separate one.
struct TuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Opens a page in the browser on which raws are tuned by eye.",
    discussion: """
      Every property is a control, the picture follows it, and each change is saved by itself in \
      the sidecar that develop and batch read. The address that is printed is for this computer \
      and its user alone. Ctrl-C ends it.
      """)

  @Argument(help: "A folder, or a raw.", completion: .file())
  var input: String

  @Option(help: "The port, 1 to 65535. (default: a free one)")
  var port: Int?

  @Flag(inversion: .prefixedNo, help: "Open the browser, if any.")
  var open = true

  @Option(
    help: """
      Listen on this address for other computers, too. Needs --password-file. There is no \
      encryption: who can read the network can read the password and the pictures.
      """)
  var listen: String?

  @Option(
    help: "A file that only you can read, with the password on its first line.",
    completion: .file())
  var passwordFile: String?

  @OptionGroup(title: "Recipes") var applied: AppliedOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if let port, !(1...65_535).contains(port) {
      throw ValidationError("--port takes 1 to 65535")
    }
  }

  func run() throws {
    try checkInput()
    // The server reads it again; errors are reported here.
    do {
      _ = try Recipe(LayeredRecipe(RecipeLayer.recipes(applied.documents())))
    } catch let error as RecipeError {
      throw ValidationError("\(error)")
    }
    try passwordFile.map(Self.checkPassword)
    let program = Self.program
    guard FileManager.default.isExecutableFile(atPath: program.string) else {
      throw BatchError(
        .cannotRead, "is not there; install rawdev with all of its programs", path: program)
    }
    var arguments = ["rawdev-tune", "--worker", Self.executable.string]
    if let port { arguments += ["--port", "\(port)"] }
    if let listen { arguments += ["--listen", listen] }
    arguments += applied.recipe.flatMap { ["--recipe", $0] }
    if !applied.defaults { arguments.append("--no-defaults") }
    if !applied.xmp { arguments.append("--no-xmp") }
    if !open { arguments.append("--no-open") }
    if terminal.quiet { arguments.append("--quiet") }
    let paths =
      (passwordFile.map { [FilePath("--password-file"), ArgumentPath.path($0)] } ?? [])
      + [FilePath("--"), ArgumentPath.absolute(input)]
    let failure = Self.become(program, arguments.map { FilePath($0) } + paths)
    throw BatchError(.cannotRead, "cannot be started: \(failure)", path: program)
  }

  /// Throws without a raw to tune.
  private func checkInput() throws {
    let inputs = try RawInputs([input], recursive: true)
    guard !inputs.hasFolders else { return }
    do { _ = try RAWFilter(url: URL(fileURLWithPath: input)) } catch {
      throw DevelopError.raw(error)
    }
  }

  /// Throws where the password file is unreadable, open to others or too short.
  private static func checkPassword(_ text: String) throws {
    let path = ArgumentPath.path(text)
    guard let status = try? Stat(path), status.type == .regular,
      let bytes = FileManager.default.contents(atPath: path.string)
    else { throw BatchError(.cannotRead, "the password file cannot be read", path: path) }
    let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
    guard status.permissions.intersection(others).isEmpty else {
      throw ValidationError("\(text) can be read by others; chmod 600 it")
    }
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
    guard let line, line.count >= 8 else {
      throw ValidationError("the password in \(text) is shorter than 8 characters")
    }
  }

  /// The file of this program.
  private static var executable: FilePath {
    #if os(Linux)
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #else
      let path = Bundle.main.executableURL?.resolvingSymlinksInPath().path
    #endif
    return FilePath(path ?? CommandLine.arguments[0])
  }

  /// The program of the server.
  private static var program: FilePath {
    #if Page
      executable
    #else
      executable.removingLastComponent().appending("rawdev-tune")
    #endif
  }

  /// Replaces this process by `program` with these arguments, the first of which is its name;
  /// returns why that failed.
  private static func become(_ program: FilePath, _ arguments: [FilePath]) -> Errno {
    var strings = unsafe arguments.map { path in
      unsafe path.withPlatformString { unsafe strdup($0) }
    }
    unsafe strings.append(nil)
    unsafe execv(program.string, &strings)
    return Errno(rawValue: errno)
  }
}
