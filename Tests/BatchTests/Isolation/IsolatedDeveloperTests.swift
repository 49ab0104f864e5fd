import Develop
import Foundation
import ImageCore
import ImageFilters
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Single files by worker processes: the same bytes, and what becomes of files that crash them or
/// exceed a limit.
@Suite struct IsolatedDeveloperTests {
  private func developer() throws -> IsolatedDeveloper {
    IsolatedDeveloper(
      worker: [try RawdevProcess.executable.string, "worker"], memoryBytes: 4 << 30,
      timeoutSeconds: 1000)
  }

  /// A developer whose worker is a script that gets one line, and may say it is ready first.
  private func developer(_ script: String) -> IsolatedDeveloper {
    IsolatedDeveloper(
      worker: ["/bin/sh", "-c", "ulimit -c 0; read -r line; \(script)"], memoryBytes: 256 << 20,
      timeoutSeconds: 1000)
  }

  private func error(_ developer: IsolatedDeveloper) -> IsolationError? {
    do {
      _ = try developer.open("/photos/a.dng")
      return nil
    } catch { return error }
  }

  private static let recipe = """
    outputs:
      avif: {format: avif-gainmap}
      exr: {format: exr}
      heif: {format: heif-hlg}
      jpeg: {format: jpeg-gainmap, maxSize: 50}
      jxl: {format: jxl}
      npy: {format: npy}
      png: {format: png}
      tiff: {format: tiff}
    """

  @Test func bytesAreTheSame() throws {
    let folder = try TestFolder()
    let raw = folder.at("a.dng").string
    try TestFolder.write(try SmallRaw.bytes(), to: folder.at("a.dng"))
    let resolver = try RecipeResolver(recipes: [try RecipeDocument(text: Self.recipe)])
    let recipe = try resolver.resolve(.init(path: Array(raw.utf8))).recipe
    let developer = Developer(recipe: recipe, workers: 2)
    func paths(_ subfolder: String) throws -> [String: String] {
      try Folders.create(folder.at(subfolder))
      return recipe.outputs.reduce(into: [:]) { paths, output in
        let name = "\(output.key).\(output.value.format.pathExtension)"
        paths[output.key] = folder.at("\(subfolder)/\(name)").string
      }
    }
    let here = try paths("here")
    let own = try developer.develop(
      try Developer.open(raw), named: raw, to: here.mapValues { .replacing($0) })
    let apart = try paths("apart")
    let fractions = Fractions()
    let reports = try self.developer().open(raw)
      .develop(by: developer, to: apart.mapValues { .replacing($0) }) {
        fractions.values.append($0)
      }
    #expect(own.count == 8 && reports.map(\.name) == own.map(\.name))
    for (a, b) in zip(own, reports) {
      #expect(b.output == apart[a.name] && b.input == raw && b.isolation != nil)
      #expect(a.isolation == nil && a.bytes == b.bytes && a.warnings == b.warnings)
      #expect(try Digest.of(file: FilePath(a.output)) == Digest.of(file: FilePath(b.output)))
    }
    #expect(fractions.values.last ?? 0 > 0.9 && fractions.values == fractions.values.sorted())
    #expect(try folder.names("apart").count == 8)

    // The same for finished pictures.
    let converter = Converter(output: .init(), workers: 2)
    let edits: [PictureEdit] = [
      .crop(try CropArea("10%,10%,80%,80%")), .straighten(degrees: 2), .turn(quarters: 1),
      .exposure(stops: -0.5), .resize(PixelSize(width: 40, height: 60)),
    ]
    var filtered = converter
    filtered.edits = try edits.map { try $0.filter() }
    let source = try #require(here["png"])
    let (a, b) = (folder.at("a.heic").string, folder.at("b.heic").string)
    _ = try filtered.convert(source, to: .replacing(a))
    let picture = try self.developer().openPicture(source)
    let report = try picture.convert(by: converter, edits: edits, to: .replacing(b))
    #expect(report.output == b && report.inputs == [source] && report.isolation != nil)
    #expect(report.width == 40 && report.height == 60)
    #expect(try Digest.of(file: FilePath(a)) == Digest.of(file: FilePath(b)))
  }

  private final class Fractions {
    var values: [Double] = []
  }

  @Test func theKernelKnowsThatWorkersAreConfined() throws {
    let process = try WorkerProcess(
      [try RawdevProcess.executable.string, "worker"], memoryBytes: 1 << 30)
    var replies: [WorkerReply] = []
    while replies.isEmpty {
      try #require(Poll.readable([process.replies], milliseconds: 300_000) == [0])
      replies += try #require(process.read())
    }
    guard case .ready(_, let isolation)? = replies.first else {
      Issue.record("\(replies)")
      return
    }
    let status = try #require(TestFolder.read(FilePath("/proc/\(process.identifier)/status")))
    let isFiltered = status.contains("Seccomp:\t2")
    let isListed = isolation == .full || isolation == .seccomp
    #expect(isFiltered == isListed && isolation != nil)
    #expect(status.contains("NoNewPrivs:\t1"))
    let limits = try #require(TestFolder.read(FilePath("/proc/\(process.identifier)/limits")))
    let space = limits.split(separator: "\n").first { $0.hasPrefix("Max address space") }
    #expect(space?.contains("unlimited") == !ProcessMemory.canLimit)
    let length = limits.split(separator: "\n").first { $0.hasPrefix("Max file size") }
    let longest = DiskSpace.longestOutput(within: DecodeLimits())
    #expect(length?.contains(" \(longest) ") ?? false)
  }

  @Test func whatTheWorkerSaysIsTheError() throws {
    let folder = try TestFolder()
    try folder.write("no raw", to: "a.dng")
    for (name, code) in [("a.dng", "notARaw"), ("none.dng", "cannotRead")] {
      let path = folder.at(name).string
      let error = #expect(throws: IsolationError.self) { _ = try developer().open(path) }
      #expect(error?.codeName == code && error?.path == path)
    }
    let error = #expect(throws: IsolationError.self) {
      _ = try developer().openPicture(folder.at("a.dng").string)
    }
    #expect(error?.codeName == "unknownKind")
  }

  @Test func crashesAreErrors() {
    let crashed = error(developer("echo 'bad block 7' >&2; kill -SEGV $$"))
    #expect(crashed?.codeName == "crashed" && crashed?.message.contains("signal 11") ?? false)
    #expect(crashed?.description.hasPrefix("/photos/a.dng: ") ?? false)
    #expect(crashed?.message.hasSuffix("bad block 7") ?? false)
    #expect(error(developer("exit 3"))?.message.contains("exit status 3") ?? false)
    let nowhere = IsolatedDeveloper(worker: ["/nowhere/worker"])
    #expect(error(nowhere)?.codeName == "badSetting")
  }

  @Test func otherRepliesThanWereAskedForAreErrors() {
    let wrong = error(developer(#"echo '{"digests":{"_0":[]}}'; exec sleep 600"#))
    #expect(wrong?.codeName == "crashed" && wrong?.message.contains("invalid reply") ?? false)
  }

  @Test func limitsAreErrors() {
    var slow = developer("exec sleep 600")
    slow.timeoutSeconds = 0.05
    let late = error(slow)
    #expect(late?.codeName == "timeout" && late?.message.contains("give it more time") ?? false)
    let hog = error(developer("x=$(head -c 400000000 /dev/zero | tr '\\0' x); exec sleep 600"))
    #expect(hog?.codeName == "tooLarge" && hog?.kind == .overLimit)
  }

  @Test func outputsThatCannotBeWrittenAreErrors() throws {
    let folder = try TestFolder()
    try TestFolder.write(try SmallRaw.bytes(), to: folder.at("a.dng"))
    let raw = try developer().open(folder.at("a.dng").string)
    let error = #expect(throws: DevelopError.self) {
      _ = try raw.develop(
        by: Developer(), to: [Recipe.onlyOutput: .replacing(folder.at("no/such/a.heic").string)])
    }
    #expect(error?.codeName == "cannotWrite")
    #expect(try Folders.names(in: folder.root).count == 1)
  }
}
