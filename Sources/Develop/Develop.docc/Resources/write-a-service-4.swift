import Develop
import Dispatch
import Foundation
import Rawdev
import Recipes

/// One line of JSON from a client.
struct Request: Decodable {
  var id: String
  var raw: String
  var output: String
  var exposure: Float?

  func job(_ recipe: Recipe) -> DevelopJob {
    var recipe = recipe
    if let exposure { recipe.raw.exposure = exposure }
    return DevelopJob(id: id, input: raw, output: .file(URL(filePath: output)), recipe: recipe)
  }
}

/// The answer to one request.
struct Reply: Encodable {
  var id: String
  var output: String?
  var error: String?

  init(_ outcome: DevelopOutcome) {
    id = outcome.job.id
    switch outcome.result {
    case .success(let reports): output = reports.first?.output
    case .failure(let failure): error = failure.description
    }
  }

  func send() throws {
    print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    fflush(nil)
  }
}

@main
struct Service {
  static func main() async throws {
    let web = try Recipe(LayeredRecipe(RecipeLayer.recipes([RecipeChain.document(named: "web")])))
    let jobs = AsyncStream<DevelopJob>(unfolding: {
      while let line = readLine() {
        if let request = try? JSONDecoder().decode(Request.self, from: Data(line.utf8)) {
          return request.job(web)
        }
        FileHandle.standardError.write(Data("not a request: \(line)\n".utf8))
      }
      return nil
    })

    let work = Task {
      for await outcome in Developer.outcomes(of: jobs, limit: 2) {
        try Reply(outcome).send()
      }
    }
    signal(SIGTERM, SIG_IGN)
    let termination = DispatchSource.makeSignalSource(signal: SIGTERM)
    termination.setEventHandler { work.cancel() }
    termination.resume()
    try await work.value
  }
}
