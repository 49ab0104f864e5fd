import ArgumentParser
import Develop

/// `rawdev gainmap check`
struct GainMapCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reports what an export lost of its original's HDR.",
    discussion: """
      Compares the gain map, the forms in which it is described and whether they agree, all their \
      numbers, the map's alignment with the picture, also by its content, and how PQ and HLG are \
      signalled. Of two folders the pictures with the same names are compared, with any \
      extensions. A line for each finding: lost and changed are visible differences, a note is \
      a harmless one. Exit code 0 when everything was preserved, \(ExitStatus.notKept.code) when \
      something was lost or changed; \(ExitStatus.badInput.code) and \
      \(ExitStatus.cannotRead.code) for a file that cannot be read, \
      \(ExitStatus.someFailed.code) and \(ExitStatus.allFailed.code) for some or all of several.
      """)

  @Argument(help: "A picture, or a folder of them.", completion: .file())
  var original: String

  @Argument(help: "Its export, or the folder of the exports.", completion: .file())
  var export: String

  @Flag(help: "Print one JSON object for each pair.")
  var json = false

  func run() throws {
    let found = try GainMapCheckPairs(originals: original, exports: export)
    for path in found.unknown { Terminal.note("no original has its name", about: path) }
    for path in found.unexported { Terminal.note("it has no export", about: path) }
    let originals = Dictionary(
      found.pairs.map { ($0.export, $0.original) }, uniquingKeysWith: { first, _ in first })
    var isKept = true
    try InputLoop(found.pairs.map(\.export)).run { turn in
      let export = turn.input
      let check = try GainMapCheck(original: originals[export] ?? original, export: export)
      isKept = isKept && check.isKept
      if json { return print(try JSON.line(check)) }
      for line in check.lines { Terminal.printText(line) }
    }
    if !isKept { throw ExitStatus.notKept }
  }
}
