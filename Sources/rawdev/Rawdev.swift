import ArgumentParser
import Foundation
import ImageCore
import Recipes
import SystemPackage

#if Page
  import TuneProgram
#endif

/// The command. This module prints and exits, and `TuneProgram`; no other does.
@main
struct Rawdev: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rawdev",
    abstract: "Develops camera raws into correct HDR stills.",
    discussion: """
      Exit codes: \(ExitStatus.explanation).
      Results go to standard output, messages and progress to standard error.
      """,
    version: RawdevVersion.current,
    subcommands: [
      DevelopCommand.self, MergeCommand.self, TuneCommand.self, InfoCommand.self,
      ExtractCommand.self, PropertiesCommand.self, CamerasCommand.self, ProfileCommand.self,
      DoctorCommand.self, BenchCommand.self, IdentifyCommand.self, ConvertCommand.self,
      DNGCommand.self, ComposeCommand.self, FilmCommand.self, GainMapCommand.self,
      ThumbnailCommand.self, BatchCommand.self, WorkerCommand.self, ManifestCommand.self,
      ReportCommand.self, ServeCommand.self, RecipeCommand.self,
    ])

  /// Opens standard streams that are closed, so that no other file takes their descriptors.
  private static func openMissingDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = try? FileDescriptor.open(FilePath("/dev/null"), descriptor == 0 ? .readOnly : .writeOnly)
    }
  }

  /// Suggests a command for the first word, where it is not a command.
  private static func requireKnown(_ word: String?) throws {
    let names = configuration.subcommands.map { $0.configuration.commandName ?? "" }
    guard let word, !word.hasPrefix("-"), word != "help", !names.contains(word) else { return }
    let near = KeySuggestion.nearest(word, of: names).map { "; did you mean \($0)?" }
    throw ValidationError("no command is named \(word)\(near ?? "; rawdev --help lists them")")
  }

  /// What options of other programs are called here.
  private static let named = [
    "--clarity": "--contrast-amount", "--texture": "--detail-amount",
    "--dehaze": "--dehaze-amount", "--sharpening": "--sharpness-amount",
    "--noise-reduction": "--luminance-noise-reduction-amount", "--resize": "--max-size",
  ]

  /// Refuses file names that begin with a dash, which would be parsed as options, and translates
  /// options of other programs.
  private static func requireOptions(_ arguments: [String]) throws {
    for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      if !word.hasPrefix("--"), word.utf8.count > 2, FileManager.default.fileExists(atPath: word) {
        throw ValidationError("\(word) begins like options; write ./\(word)")
      }
      let option = String(word.prefix { $0 != "=" })
      if let name = named[option], arguments.first == "develop" {
        throw ValidationError("develop has no option \(option); it is called \(name) here")
      }
    }
  }

  #if Page
    /// Continues as the server of `rawdev tune` where the program has its name.
    private static func serve() {
      guard CommandLine.arguments.first?.hasSuffix("rawdev-tune") == true else { return }
      Task {
        await RawdevTune.main()
        Foundation.exit(0)
      }
      dispatchMain()
    }
  #endif

  static func main() {
    openMissingDescriptors()
    #if Page
      serve()
    #endif
    WorkerCommand.confine()
    PixelMemory.shareHeap()
    Interruption.install()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try requireKnown(arguments.first)
      try requireOptions(arguments)
      try ArgumentPath.requireTexts(of: arguments.first)
      var command = try parseAsRoot(HelpLevel.parsed(arguments))
      try command.run()
    } catch let status as ExitStatus {
      Foundation.exit(status.code)
    } catch let error as ValidationError {
      Terminal.failure("\(error.message)")
      Foundation.exit(ExitStatus.usage.code)
    } catch {
      Terminal.clearProgress()
      if let status = ExitStatus(error) {
        Terminal.failure(Hint.text(error))
        Foundation.exit(status.code)
      }
      let code = exitCode(for: error)
      let text = fullMessage(for: error)
      if code == .success {
        print(text + HelpLevel.more(arguments))
        Foundation.exit(0)
      }
      Terminal.message(text, keepsLines: true)
      Foundation.exit(ExitStatus.usage.code)
    }
  }
}
