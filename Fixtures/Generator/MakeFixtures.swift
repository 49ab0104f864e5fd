public import ArgumentParser
import Foundation
import ImageCore
public import SyntheticRaw

/// Writes the project's own raw files: the fixtures, large raws for benchmarks, and mosaics of
/// known pictures.
@main
struct MakeFixtures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-fixtures",
    abstract: "Writes simulated raw files.",
    subcommands: [
      Fixtures.self, Benchmark.self, Cameras.self, ProRAW.self, Remosaiced.self, Truth.self,
      Bracket.self,
    ])
}

extension DNGWriter.Compression: ExpressibleByArgument {}
extension SyntheticProRAW.Form: ExpressibleByArgument {}
extension CameraContainer.Coding: ExpressibleByArgument {}

/// The filters that a file can have.
enum Filters: String, ExpressibleByArgument, CaseIterable {
  case bayer, xtrans
  var pattern: MosaicPattern { self == .bayer ? .bayer(.rggb) : .xTrans() }
}

private func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  print("\(path): \(bytes.count) bytes")
}

struct Fixtures: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Writes the fixtures into a folder.")
  @Argument(help: "The folder.") var folder: String

  func run() throws {
    for fixture in SunsetFixture.allCases {
      try write(fixture.file.bytes, to: "\(folder)/\(fixture.name)")
    }
  }
}

struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Writes the scene as one large raw.")
  @Argument(help: "The file to write.") var path: String
  @Option(help: "Columns of the active area.") var width = 6000
  @Option(help: "Rows of the active area.") var height = 4000
  @Option(help: "bayer or xtrans.") var cfa = Filters.bayer
  @Option(help: "none, lossless-jpeg or vc-5.") var compression = DNGWriter.Compression.losslessJPEG

  func validate() throws {
    guard (64...60_000).contains(width), (64...60_000).contains(height) else {
      throw ValidationError("--width and --height must be 64…60000.")
    }
  }

  func run() throws {
    var sensor = SimulatedSensor()
    sensor.pattern = cfa.pattern
    sensor.samplesPerAxis = 1
    if compression == .none { sensor.bitsPerSample = 16 }
    var file = sensor.expose(SyntheticScene(size: PixelSize(width: width, height: height)))
    file.compression = compression
    // As GoPro's encoder does at its middle quality; finer steps do not reach over the edges here.
    file.vc5.quantization = [24, 24, 12, 24, 24, 12, 32, 32, 48]
    file.metadata = SunsetFixture.metadata(uniqueModel: file.camera.uniqueModel)
    try write(file.bytes, to: path)
  }
}

struct Cameras: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the scene as small raws of makers' cameras, CODING.raw.")
  @Argument(help: "The folder.") var folder: String
  @Option(help: "How samples are coded; each way by default.")
  var coding = CameraContainer.Coding.allCases

  func run() throws {
    for coding in coding {
      guard let sample = CameraSample.examples.first(where: { $0.raw.coding == coding }) else {
        throw ValidationError("No camera is known that codes samples as \(coding.rawValue).")
      }
      let scene = SyntheticScene(size: sample.crop.size)
      let file = try sample.exposed { scene.pixel(x: $0, y: $1) }.written()
      try write(file.bytes, to: "\(folder)/\(coding.rawValue).raw")
    }
  }
}

struct ProRAW: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proraw", abstract: "Writes the scene as a phone's linear DNG.")
  @Argument(help: "The DNG to write.") var path: String
  @Option(help: "analog-balance or as-shot-neutral.")
  var form = SyntheticProRAW.Form.analogBalance
  @Option(help: "12 or 48.") var megapixels = 12
  @Option(help: "lossless-jpeg or jpeg-xl.")
  var compression = DNGWriter.Compression.losslessJPEG
  @Option(help: "Butteraugli distance of JPEG XL, 0 is lossless.") var distance: Float = 0
  @Flag(inversion: .prefixedNo, help: "The noise that NoiseProfile declares.") var noise = true

  func validate() throws {
    guard [12, 48].contains(megapixels) else {
      throw ValidationError("--megapixels must be 12 or 48.")
    }
    guard [.losslessJPEG, .jpegXL].contains(compression) else {
      throw ValidationError("--compression must be lossless-jpeg or jpeg-xl.")
    }
    guard (0...15).contains(distance) else { throw ValidationError("--distance must be 0…15.") }
  }

  func run() throws {
    let scale = megapixels == 48 ? 2 : 1
    var raw = SyntheticProRAW(
      size: PixelSize(width: 4032 * scale, height: 3024 * scale), form: form)
    raw.compression = compression
    raw.jpegXLDistance = distance
    raw.hasNoise = noise
    try write(raw.file().bytes, to: path)
  }
}

struct Remosaiced: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remosaic", abstract: "Puts a known picture behind color filters.")
  @Argument(help: "A 16-bit binary PPM of linear BT.2020 values.") var picture: String
  @Argument(help: "The DNG to write.") var path: String
  @Option(help: "bayer or xtrans.") var cfa = Filters.bayer

  func run() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: picture))
    try write(Remosaic(ppm: [UInt8](data)).file(cfa.pattern).bytes, to: path)
  }
}

struct Truth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the scene itself, without a sensor, as a 16-bit linear BT.2020 PPM.")
  @Argument(help: "The PPM to write.") var path: String
  @Option(help: "Columns.") var width = 1200
  @Option(help: "Rows.") var height = 800
  @Option(help: "Linear value that becomes 65535; 1.0 is white.") var peak: Float = 1

  func validate() throws {
    guard width > 0, height > 0, width < 65_536, height < 65_536, peak > 0 else {
      throw ValidationError("--width, --height and --peak must be above 0.")
    }
  }

  func run() throws {
    let scene = SyntheticScene(size: PixelSize(width: width, height: height))
    try write(Remosaic(scene: scene, peak: peak).ppm, to: path)
  }
}

struct Bracket: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes exposures of the scene as raws, bracket-1.dng and on.")
  @Argument(help: "The folder.") var folder: String
  @Option(help: "Columns.") var width = 1200
  @Option(help: "Rows.") var height = 800
  @Option(help: "Frames.") var frames = 3
  @Option(help: "Stops between two frames.") var spacing = 2.0
  @Option(help: "Photosites that frames are moved at most.") var shake: Float = 0
  @Flag(help: "A ball moves.") var moves = false
  @Option(help: "Variance of the noise of a full photosite.") var noise: Float = 1e-4
  @Flag(help: "Filters as X-Trans has them.") var xTrans = false
  @Flag(help: "Also truth-1.dng and on: the frames without noise or saturation, as floats.")
  var truth = false

  func validate() throws {
    guard (64...60_000).contains(width), (64...60_000).contains(height) else {
      throw ValidationError("--width and --height must be 64…60000.")
    }
    guard (1...15).contains(frames), (0...8).contains(spacing), noise >= 0 else {
      throw ValidationError("--frames must be 1…15, --spacing 0…8, --noise not negative.")
    }
  }

  func run() throws {
    var bracket = ExposureBracket(size: PixelSize(width: width, height: height))
    (bracket.count, bracket.spacing, bracket.shake) = (frames, spacing, shake)
    bracket.moves = moves
    if xTrans { bracket.sensor.pattern = .xTrans() }
    (bracket.sensor.shotNoise, bracket.sensor.readNoise) = (noise, noise * 1e-3)
    for index in 0..<frames {
      try write(bracket.file(index).bytes, to: "\(folder)/bracket-\(index + 1).dng")
    }
    for index in 0..<(truth ? frames : 0) {
      try write(bracket.truth(index).bytes, to: "\(folder)/truth-\(index + 1).dng")
    }
  }
}
