import ArgumentParser
import Develop
import Foundation
import ImageCore
import Recipes
import SystemPackage

/// `rawdev recipe`
struct RecipeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe", abstract: "Prints, checks and converts recipes.",
    subcommands: [
      Explain.self, List.self, Show.self, Init.self, SetValues.self, Validate.self, Migrate.self,
      Diff.self, Schema.self, Reference.self,
    ])

  struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Prints each effective value of a raw's recipe with its origin.")

    @Argument(help: "A camera raw or DNG.", completion: .file())
    var file: String

    @OptionGroup(title: "Recipes") var recipes: RecipeOptions
    @OptionGroup(title: "Development") var rawOptions: RAWOptions

    @Flag(name: [.short, .long], help: "Leave out values that are the engine's defaults.")
    var given = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
      let planner = RecipePlanner(
        try recipes.resolver(raw: rawOptions.values), workingFolder: ArgumentPath.workingFolder)
      let source = try OutputNames(inputs: [file], output: nil, overwrites: true).source(file)
      let plan = try planner.plan(source, try Developer.open(file))
      let explanation = RecipeExplanation(plan.resolved.layered)
      if json {
        return print(
          try JSON.line(
            Report(
              values: explanation.lines, xmp: plan.resolved.xmp,
              notes: plan.resolved.warnings + plan.resolved.notes,
              outputs: plan.outputs.mapValues(\.text))))
      }
      Terminal.printText(explanation.text(onlyGiven: given), keepsLines: true)
      for found in plan.resolved.sidecars.passedOver {
        Terminal.printText("not used: \(found.origin): \(found.reason)")
      }
      if let xmp = plan.resolved.xmp { Self.show(xmp) }
      for note in plan.resolved.warnings + plan.resolved.notes {
        Terminal.printText("note: \(note)")
      }
      if !plan.resolved.remedies.isEmpty {
        Terminal.printText("what helps: \(Hint.ways(plan.resolved.remedies))")
      }
      for (name, path) in plan.outputs.sorted(by: { $0.key < $1.key }) {
        Terminal.printText("writes \(name): \(path.shown)")
      }
    }

    private static func show(_ xmp: SidecarSettings) {
      if let writer = xmp.writer { Terminal.printText("XMP written by \(writer)") }
      for taken in xmp.taken {
        let about = [taken.isApproximate ? "approximate" : "", taken.note]
          .filter { !$0.isEmpty }.joined(separator: "; ")
        Terminal.printText(
          "taken: \(taken.field) \(taken.value) as \(taken.key)"
            + (about.isEmpty ? "" : " (\(about))"))
      }
      for ignored in xmp.ignored {
        Terminal.printText("not taken: \(ignored.field) \(ignored.value): \(ignored.reason)")
      }
    }

    private struct Report: Encodable {
      var values: [RecipeExplanation.Line]
      var xmp: SidecarSettings?
      var notes: [String]
      var outputs: [String: String]
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Lists the recipes and looks that are built in, and your own.",
      discussion: "Your own are files in ~/.config/rawdev/recipes.")

    func run() {
      let rows =
        BundledRecipe.all.map { ($0.name, $0.summary) }
        + BundledLook.all.map { ($0.recipeName, $0.summary) }
        + (RecipeFolder.ofUser?.names ?? []).map { ($0, "Your own.") }
      let width = rows.map(\.0.count).max() ?? 0
      for (name, summary) in rows {
        Terminal.printText(
          name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + summary)
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Prints a recipe as YAML, as a start for a new one.")

    @Argument(help: "Name or path.") var recipe: String
    @Flag(help: "As JSON.") var json = false

    func run() throws {
      let values = try RecipeChain.document(named: recipe, or: .ofUser).newestForm
      print(json ? values.json : values.yaml, terminator: json ? "\n" : "")
    }
  }

  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Writes a recipe with every key, its default and its effect, commented out.",
      discussion: "For a raw, its sidecar RAW.rawdev.yaml; existing files are never replaced.")

    @Argument(help: "The recipe, or a raw. (default: standard output)", completion: .file())
    var file: String?

    func run() throws {
      guard let file else { return print(RecipeStarter.text, terminator: "") }
      var path = ArgumentPath.absolute(file)
      if let name = path.lastComponent, RawSource.isRaw(name) {
        path = FilePath(path.string + ".rawdev.yaml")
      }
      try RecipeStarter.create(at: path.string)
      print(path.shown)
    }
  }

  struct SetValues: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Sets values in a recipe or a sidecar; comments and the order of keys stay.",
      discussion: """
        For a raw, in its sidecar RAW.rawdev.yaml, which is created if needed. Keys are as \
        in recipes, raw.exposure, or as the options of develop, exposure; values are checked \
        in the same way.
        """)

    @Argument(help: "The recipe, a sidecar, or a raw.", completion: .file())
    var file: String

    @Argument(help: ArgumentHelp("Values to set.", valueName: "key=value"))
    var values: [String] = []

    @Option(
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp("Remove a key, which is then inherited.", valueName: "key"))
    var unset: [String] = []

    func validate() throws {
      guard !(values.isEmpty && unset.isEmpty) else {
        throw ValidationError("give key=value, for example raw.exposure=0.5, or --unset")
      }
    }

    func run() throws {
      let settings =
        try values.map { text in
          let (path, value) = try KeyAndValue.parse(text)
          return RecipeDocument.Setting(path, value)
        } + unset.map { RecipeDocument.Setting(KeyAndValue.path($0), nil) }
      let path = ArgumentPath.absolute(file)
      let isRaw = path.lastComponent.map(RawSource.isRaw) ?? false
      if isRaw, (try? Stat(path)) == nil {
        throw RecipeError(.cannotRead, "no such raw; check the name", path: file)
      }
      let target = isRaw ? try SidecarFile.path(of: file) : path.bytes
      try RecipeDocument.set(settings, in: target, creates: isRaw)
      print(FilePath(bytes: target).shown)
    }
  }

  struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Checks recipes and prints their problems with lines.",
      discussion: "Exit codes: 0 all can be used · 3 or 4 some or all cannot.")

    @Argument(help: "Recipes, sidecars, defaults.", completion: .file())
    var files: [String]

    func run() throws {
      var bad = 0
      for file in files {
        do {
          let document = try RecipeDocument(contentsOf: file)
          let name = FilePath(file).lastComponent?.stem
          let problems = document.problems(isDefaults: name == "defaults")
          for problem in problems {
            Terminal.printText(Hint.added(to: "\(problem)", problem.remedies))
          }
          if !problems.contains(where: { $0.severity == .error }) {
            _ = try Recipe(LayeredRecipe(RecipeLayer.recipes([document])))
            if problems.isEmpty { Terminal.printText("\(file): ok") }
          } else {
            bad += 1
          }
        } catch {
          Terminal.printText(Hint.text(error))
          bad += 1
        }
      }
      if bad > 0 { throw bad == files.count ? ExitStatus.allFailed : ExitStatus.someFailed }
    }
  }

  struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "migrate",
      abstract: "Converts recipes to the newest form. Unknown keys are preserved.",
      discussion: "Prints the new form; with --write it replaces the file.")

    @Argument(help: "Recipes.", completion: .file()) var files: [String]
    @Flag(help: "Replace the files.") var write = false

    func run() throws {
      for file in files {
        let document = try RecipeDocument(contentsOf: file)
        guard write else {
          print(document.newestText, terminator: "")
          continue
        }
        if document.migrated.isEmpty {
          Terminal.printText("\(file): is in the newest form")
          continue
        }
        try document.writeNewestForm()
        for change in document.migrated {
          Terminal.printText("\(file): \(change.path): \(change.message)")
        }
      }
    }
  }

  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Prints where the effective values of two recipes differ.",
      discussion:
        "Recipes are names or paths, with the recipes they extend. Exit code 3 where they differ.")

    @Argument(help: "Before.") var first: String
    @Argument(help: "After.") var second: String
    @Flag(help: "Print one JSON array.") var json = false

    func run() throws {
      let recipes = try [first, second].map {
        LayeredRecipe(try RecipeLayer.recipes([RecipeChain.document(named: $0, or: .ofUser)]))
      }
      let differences = try RecipeDifference.all(from: recipes[0], to: recipes[1])
      if json {
        print(try JSON.line(differences))
      } else {
        for difference in differences { Terminal.printText("\(difference)") }
      }
      if !differences.isEmpty { throw ExitStatus.someFailed }
    }
  }

  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Prints the JSON Schema of recipes, for editors.")

    func run() { print(RecipeSchema.document.json) }
  }

  struct Reference: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reference", abstract: "Prints the page Docs/recipes.md.")

    func run() { print(RecipeReference.markdown, terminator: "") }
  }
}
