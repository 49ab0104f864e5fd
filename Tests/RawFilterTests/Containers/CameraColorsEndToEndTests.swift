import Containers
import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

/// A color chart under a known illuminant, seen by a sensor with a real camera's color matrix,
/// written as that camera's raw and developed: its colors come back. The matrix is that which the
/// table of cameras has, or LibRaw.
@Suite struct CameraColorsEndToEndTests {
  private static let samples = CameraSample.all.filter {
    $0.decoders.contains(LibRawVersion.installed.minor)
  }

  @Test(arguments: samples) func daylight(_ sample: CameraSample) throws {
    let (file, colors) = try Self.describe(sample)
    if sample.isNew {
      let known = try #require(CameraTable.camera(file.cameraKeys)?.daylight)
      #expect(colors.matrix == known.value && colors.origin == FactOrigin(.table, known.origin))
    }
    #expect(colors.warning == nil)
    let camera = SimulatedCamera(
      model: sample.raw.model, matrix: Matrix3(Array(colors.matrix.prefix(9))))
    try Self.check(sample, camera, white: .d65, kelvin: 6504)
  }

  /// Under illuminant A the table's matrix for it counts.
  @Test(arguments: samples.filter { $0.isNew && $0.raw.coding.isExact })
  func tungsten(_ sample: CameraSample) throws {
    let colors = try Self.describe(sample).colors
    guard !colors.tungsten.isEmpty else { return }
    let camera = SimulatedCamera(model: sample.raw.model, matrix: Matrix3(colors.tungsten))
    try Self.check(sample, camera, white: SimulatedCamera.illuminantA, kelvin: 2856)
  }

  private static func describe(
    _ sample: CameraSample
  ) throws -> (metadata: LibRawMetadata, colors: CameraColors) {
    let bytes = try sample.exposed { _, _ in SIMD3(repeating: 0.2) }.written().bytes
    let file = try FileBytes(bytes)
    let arw6 = try TIFFFile(file).flatMap { SonyARW6Storage($0, file) }
    let metadata = try arw6?.metadata(file) ?? LibRawHandle(file).metadata
    return (metadata, CameraColors(metadata))
  }

  private static func check(
    _ sample: CameraSample, _ camera: SimulatedCamera, white: Chromaticity, kelvin: Double
  ) throws {
    let size = sample.crop.size
    let raw = sample.exposed(camera, white: white, kelvin: kelvin) { x, y in
      ColorChart.patches[patch(x, y, size)]
    }
    var filter = try RAWFilter(data: Data(raw.written().bytes))
    filter.boostAmount = 0
    filter.isGamutMappingEnabled = false
    let image = try filter.outputImage().image
    try #require(image.size == sample.raw.orientation.upright(size))

    var sums = [SIMD3<Double>](repeating: SIMD3(), count: 24)
    var counts = [Double](repeating: 0, count: 24)
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        let at = sample.raw.orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: size)
        guard isCenter(at.x, size.width / 6), isCenter(at.y, size.height / 4) else { continue }
        let index = patch(at.x, at.y, size)
        sums[index] += SIMD3<Double>(image[x, y])
        counts[index] += 1
      }
    }
    let means = zip(sums, counts).map { $0 / $1 }
    // Exposure is not the subject: the lightest neutrals set it.
    let scale =
      (18..<22).map { Double(ColorChart.patches[$0].y) / means[$0].y }
      .reduce(0, +) / 4
    let differences = (0..<24).map { index in
      let (a, b) = (lab(means[index] * scale), lab(SIMD3<Double>(ColorChart.patches[index])))
      return ((a - b) * (a - b)).sum().squareRoot()
    }
    let worst = differences.max() ?? .infinity
    #expect(worst < (sample.loss > 0 ? 1.5 : 1), "ΔE \(worst): \(differences)")
  }

  /// The patch at a position of a picture of `size`.
  private static func patch(_ x: Int, _ y: Int, _ size: PixelSize) -> Int {
    min(y / (size.height / 4), 3) * 6 + min(x / (size.width / 6), 5)
  }

  /// Whether a position is in the middle quarter of a patch.
  private static func isCenter(_ place: Int, _ length: Int) -> Bool {
    let inside = place % length
    return inside >= length * 3 / 8 && inside < length * 5 / 8
  }

  /// CIE 1976 L*a*b* under D65 of linear BT.2020.
  private static func lab(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let relative = Primaries.bt2020.toXYZ * rgb / Chromaticity.d65.xyz
    func f(_ t: Double) -> Double {
      t > 216.0 / 24_389 ? cbrt(t) : (24_389.0 / 27 * t + 16) / 116
    }
    let (x, y, z) = (f(relative.x), f(relative.y), f(relative.z))
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }
}
