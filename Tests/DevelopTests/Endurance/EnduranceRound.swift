import Develop
import Formats
import Foundation
import ImageCore
import RawDecode
import RawFilter
import RawTestSupport
import Readers
import Recipes
import SyntheticRaw
import TestSupport
import Testing

/// One development into each format, two at a time on two threads each, each of another raw; over
/// the rounds every raw meets every format, plain and with many settings. Readable outputs are
/// converted to another format, and a raw that ends early is refused. Each input and each output
/// has a new name, so that no cache finds it by its name.
struct EnduranceRound {
  private let files: TestFolder
  private let raws: [String]
  private let look: String
  private var rounds = 0
  private(set) var developed = 0
  private(set) var converted = 0
  private(set) var refused = 0

  var folder: String { files.path }

  /// Longest side of the outputs.
  private static let side = 64
  private static let formats = OutputFormat.allCases
  private static let readable = formats.filter {
    StillKind(rawValue: $0.container.rawValue) != nil && !$0.container.descriptor.holdsOnlyFloats
  }

  init() throws {
    files = try TestFolder()
    look = try files.write(
      "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 0.9\n", to: "look.cube")
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures").standardizedFileURL
    var all = try SunsetFixture.allCases.map {
      [UInt8](try Data(contentsOf: fixtures.appending(path: $0.name)))
    }
    all += try Self.simulated()
    all += try CameraSample.all.filter { $0.decoders.contains(LibRawVersion.installed.minor) }
      .map { try $0.busy().written().bytes }
    let files = files
    raws = try all.enumerated().map { try files.write($1, to: "source-\($0)") }
  }

  /// A mosaic in each storage of DNGs, other layouts, and a ProRAW.
  private static func simulated() throws -> [[UInt8]] {
    func file(
      _ pattern: MosaicPattern?, _ change: (inout DNGWriter) -> Void = { _ in }
    ) throws -> [UInt8] {
      var sensor = SimulatedSensor()
      sensor.pattern = pattern
      let size = PixelSize(width: 120, height: 88)
      var file = sensor.expose(SyntheticScene(size: size), workers: 1)
      file.metadata = SunsetFixture.metadata(uniqueModel: file.camera.uniqueModel)
      change(&file)
      return try file.bytes
    }
    var proRAW = SyntheticProRAW(
      size: PixelSize(width: 120, height: 88), form: .analogBalance)
    proRAW.tile = PixelSize(width: 64, height: 48)
    proRAW.mapPoints = (3, 4)
    var files = [try proRAW.file(workers: 1).bytes]
    for compression in DNGWriter.Compression.allCases where compression != .deflate {
      files.append(try file(.bayer(.rggb)) { $0.compression = compression })
    }
    files.append(try file(.xTrans()) { $0.compression = .losslessJPEG })
    files.append(
      try file(nil) {
        $0.floats = $0.samples.map { Float($0) / 16_000 }
        ($0.bitsPerSample, $0.compression) = (32, .deflate)
      })
    return files
  }

  /// Develops, converts, and removes the outputs.
  mutating func run() async throws {
    let jobs = try Self.formats.enumerated().map { index, format in
      try job(index, format, raw: raws[(rounds + index) % raws.count])
    }
    for await outcome in Developer.outcomes(of: jobs, limit: 2, workers: 2) {
      let report = try #require(try outcome.result.get().first)
      developed += 1
      try convert(report)
      try remove(outcome.job.input, report.output)
    }
    try refuse(raws[rounds % raws.count])
    rounds += 1
  }

  private func job(_ index: Int, _ format: OutputFormat, raw: String) throws -> DevelopJob {
    var recipe = Recipe()
    recipe.output.format = format
    if format.isDeveloped { recipe.output.maxSize = Self.side }
    if (rounds / raws.count + index) % 2 == 1 {
      recipe.raw.exposure = 0.5
      recipe.raw.localToneMapAmount = 0.5
      recipe.raw.despeckleAmount = 0.5
      recipe.raw.moireReductionAmount = 0.5
      recipe.raw.defringeAmount = 0.5
      recipe.raw.sharpnessAmount = 0.5
      recipe.raw.detailAmount = 0.5
      recipe.raw.contrastAmount = 0.5
      recipe.raw.look.highlights = -0.5
      recipe.raw.look.lutPath = look
      recipe.raw.look.grain.amount = 0.5
      recipe.raw.frame.straightenAngle = 3
    }
    let name = "\(rounds)-\(index)"
    let input = files.file(name + ".raw")
    try FileManager.default.linkItem(atPath: raw, toPath: input)
    return DevelopJob(
      input: input, output: .replacing(files.file("\(name).\(format.pathExtension)")),
      recipe: recipe)
  }

  private mutating func convert(_ report: DevelopReport) throws {
    guard let from = Self.readable.firstIndex(where: { $0.rawValue == report.format }) else {
      return
    }
    var output = Recipe.Output()
    output.format = Self.readable[(from + 1 + rounds) % Self.readable.count]
    let target = report.output + "." + output.format.pathExtension
    _ = try Converter(output: output, workers: 2).convert(report.output, to: .replacing(target))
    converted += 1
    try remove(target)
  }

  private mutating func refuse(_ raw: String) throws {
    let bytes = try Data(contentsOf: URL(filePath: raw))
    let cut = try files.write([UInt8](bytes.prefix(bytes.count / 2)), to: "cut-\(rounds)")
    #expect(throws: DevelopError.self) {
      try Developer(workers: 2).develop(cut, to: .replacing(cut + ".heic"))
    }
    refused += 1
    try remove(cut)
  }

  private func remove(_ paths: String...) throws {
    for path in paths { try FileManager.default.removeItem(atPath: path) }
  }
}
