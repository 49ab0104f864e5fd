import Develop
import Foundation
import Recipes

/// Develops every raw of a folder with the recipe `web`, several at a time, and shows what happens:
/// a program of one's own around the library, in one screen.
///
///     swift run -c release develop-folder PHOTOS OUT
@main
struct DevelopFolder {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let folder = arguments.first, let target = arguments.last else {
      print("usage: develop-folder PHOTOS OUT")
      exit(2)
    }
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)

    // A recipe is a value: from a document by layers, or made here.
    let web = try RecipeChain.document(named: "web")
    let recipe = try Recipe(LayeredRecipe(RecipeLayer.recipes([web])))

    let raws = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter {
        ["dng", "cr2", "nef", "arw", "raf"].contains(($0 as NSString).pathExtension.lowercased())
      }
    let jobs = raws.map { name in
      let stem = (name as NSString).deletingPathExtension
      let kind = recipe.output.format.pathExtension
      return DevelopJob(
        id: name, input: "\(folder)/\(name)",
        output: .file(URL(filePath: "\(target)/\(stem).\(kind)")), recipe: recipe)
    }

    // Progress of all jobs on a channel of its own; who reads slowly misses steps, never outcomes.
    let (updates, channel) = AsyncStream.makeStream(
      of: DevelopUpdate.self, bufferingPolicy: .bufferingNewest(16))
    let screen = Task {
      for await update in updates {
        if case .rendering(let share) = update.progress {
          FileHandle.standardError.write(Data("\r\(update.id) \(Int(share * 100)) %  ".utf8))
        }
      }
    }

    var failed = 0
    for await outcome in Developer.outcomes(of: jobs, updates: channel) {
      switch outcome.result {
      case .success(let reports):
        for report in reports {
          let size = "\(report.width)x\(report.height)"
          print("\r\(report.output): \(size), headroom \(report.contentHeadroom)")
        }
      case .failure(let error):
        failed += 1
        print("\r\(error)")
      }
    }
    channel.finish()
    await screen.value
    exit(failed == 0 ? 0 : failed == jobs.count ? 4 : 3)
  }
}
