import CLensfun
import Foundation
import ImageCore
import RawTestSupport
import Synchronization
import Testing

@testable import RawData
@testable import RawSensor

/// Positions and gains equal the results of lensfun's own code.
@Suite struct LensfunAgreementTests {
  private typealias F = LensFixture

  /// lensfun's own correction of a picture of `size`, without enlargement.
  private struct Reference {
    private let database: UnsafeMutablePointer<lfDatabase>
    private let modifier: UnsafeMutablePointer<lfModifier>

    init(_ lens: F.Lens, cameraCrop: Double, size: PixelSize) throws {
      let text = F.xml([lens], cameraCrop: cameraCrop)
      database = try #require(lf_db_new())
      let database = database
      let result = LensfunHandle.lock.withLock { _ in
        lf_db_load_data(database, "a.xml", text, text.utf8.count)
      }
      #expect(result == LF_NO_ERROR)
      let found = try #require(lf_db_get_lenses(database)?.pointee)
      modifier = try #require(
        lf_modifier_new(found, Float(cameraCrop), Int32(size.width), Int32(size.height)))
      let flags = LF_MODIFY_TCA | LF_MODIFY_VIGNETTING | LF_MODIFY_DISTORTION
      lf_modifier_initialize(
        modifier, found, LF_PF_F32, 20, 4, 1000, 1, LF_RECTILINEAR, Int32(flags), 0)
    }

    func free() {
      lf_modifier_destroy(modifier)
      LensfunHandle.lock.withLock { _ in lf_db_destroy(database) }
    }

    /// Sources of red, green and blue of the pixel at (`x`, `y`).
    func sources(_ x: Int, _ y: Int) -> [SIMD2<Double>] {
      // Aligned for lensfun's vectors.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 32)
      defer { memory.deallocate() }
      let values = memory.bindMemory(to: Float.self, capacity: 64)
      let isDone = lf_modifier_apply_subpixel_geometry_distortion(
        modifier, Float(x), Float(y), 1, 1, values)
      guard isDone != 0 else { return Array(repeating: SIMD2(Double(x), Double(y)), count: 3) }
      return (0..<3).map { SIMD2(Double(values[2 * $0]), Double(values[2 * $0 + 1])) }
    }

    /// The gain at (`x`, `y`).
    func gain(_ x: Int, _ y: Int) -> Double {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 32)
      defer { memory.deallocate() }
      let pixel = memory.bindMemory(to: Float.self, capacity: 16)
      for c in 0..<3 { pixel[c] = 1 }
      let roles = Int32(LF_CR_RED.rawValue | LF_CR_GREEN.rawValue << 4 | LF_CR_BLUE.rawValue << 8)
      lf_modifier_apply_color_modification(
        modifier, pixel, Float(x), Float(y), 1, 1, roles, 12)
      return Double(pixel[0])
    }
  }

  struct Case: CustomTestStringConvertible {
    var name: String
    var calibration: [String]
    var lensCrop = 1.0
    var cameraCrop = 1.0
    var aspect = "3:2"
    var center: (x: Double, y: Double)?
    var size = PixelSize(width: 1200, height: 800)
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "poly3", calibration: [F.poly3]),
    Case(name: "poly5, linear", calibration: [F.poly5, F.linear]),
    Case(name: "ptlens, poly3", calibration: [F.ptLens, F.tca, F.vignetting]),
    Case(name: "only lateral color", calibration: [F.tca]),
    Case(name: "only vignetting", calibration: [F.vignetting], lensCrop: 1.5, cameraCrop: 1.6),
    Case(
      name: "smaller sensor", calibration: [F.ptLens, F.tca, F.vignetting], lensCrop: 1,
      cameraCrop: 1.6),
    Case(
      name: "4:3 on 3:2, upright", calibration: [F.ptLens, F.tca, F.vignetting], lensCrop: 1.5,
      cameraCrop: 2, aspect: "4:3", size: PixelSize(width: 700, height: 1100)),
    Case(
      name: "axis beside the middle", calibration: [F.ptLens, F.tca, F.vignetting],
      center: (0.02, -0.01)),
  ])
  func asLensfun(_ test: Case) throws {
    var lens = F.Lens(calibration: test.calibration)
    (lens.crop, lens.aspect, lens.center) = (test.lensCrop, test.aspect, test.center)
    let profile = try #require(try F.profile(lens, cameraCrop: test.cameraCrop))
    let reference = try Reference(lens, cameraCrop: test.cameraCrop, size: test.size)
    defer { reference.free() }
    let frame = OpcodeFrame(size: test.size)
    var (farthest, brightest) = (0.0, 0.0)
    var correction = F.correction(profile, test.size)
    for channel in correction.radials.indices { correction.radials[channel].magnification = 1 }
    for action in correction.actions {
      switch action {
      case .warp(let warp):
        let field = WarpField(warp, frame, size: test.size)
        for y in stride(from: 0, to: test.size.height, by: 33) {
          for x in stride(from: 0, to: test.size.width, by: 31) {
            for (channel, expected) in reference.sources(x, y).enumerated() {
              let set = min(channel, warp.planes.count - 1)
              let way = field.displacement(x: x, y: y, set: set)
              let error = SIMD2(Double(x), Double(y)) + way - expected
              farthest = max(farthest, abs(error.x), abs(error.y))
            }
          }
        }
      case .vignette(let vignette):
        let placed = PreparedVignette(vignette, frame, width: test.size.width)
        for y in stride(from: 0, to: test.size.height, by: 33) {
          var row = [Float](repeating: 1, count: test.size.width)
          row.withUnsafeMutableBufferPointer {
            guard let start = $0.baseAddress else { return }
            let values = MutableRowView(start, count: $0.count, before: 0, behind: 0)
            placed.apply(PixelRun(values: values, count: test.size.width, x: 0, y: y))
          }
          for x in stride(from: 0, to: test.size.width, by: 31) {
            brightest = max(brightest, abs(Double(row[x]) / reference.gain(x, y) - 1))
          }
        }
      default: Issue.record("an action that no profile asks for")
      }
    }
    print("lensfun", test.name, "positions within", farthest, "gains within", brightest)
    #expect(farthest < 0.01)
    #expect(brightest < 1e-3)
    #expect(F.actions(profile, test.size).count == (test.calibration.count + 1) / 2)
  }
}
