import ArgumentParser
import Batch
import Develop
import Foundation
import SystemPackage

/// `rawdev serve`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Develops what other programs request as JSON lines.",
    discussion: """
      A request is a line {"id": …, "in": PATH, "folder": PATH} with "out" (path without \
      extension), "recipe" (a name, a path or values) and "overwrite" as needed; {"id": …, \
      "cancel": true} ends one. Replies are lines {"event": "share", "id": …, "share": 0.4} and \
      one {"event": "item", …} as in the reports of rawdev batch. On standard input the end of \
      input ends the server when all is done; on a socket each connection has its own requests, \
      which end with it.
      """)

  @Option(
    help: "Unix socket to listen on. (default: from systemd, otherwise standard input and output)")
  var socket: String?

  @Option(name: [.short, .long], help: "Folder for requests that name none.")
  var output: String?

  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @OptionGroup(title: "Work") var work: WorkOptions

  @Flag(help: "Replace existing files.")
  var overwrite = false

  func run() throws {
    let here = ArgumentPath.workingFolder
    let cancellation = Interruption.cancellation()
    var options = BatchOptions(
      output: output.map(ArgumentPath.absolute) ?? FilePath(), worker: WorkerCommand.command)
    try work.apply(to: &options)
    options.overwrites = overwrite
    options.thumbnail = nil
    let server = try Server(
      recipes: RecipePlanner(try recipes.resolver(), workingFolder: here), options: options,
      socket: socket.map(ArgumentPath.absolute), cancellation: cancellation)
    try server.run()
    if cancellation.isCancelled { throw ExitStatus.interrupted }
  }
}
