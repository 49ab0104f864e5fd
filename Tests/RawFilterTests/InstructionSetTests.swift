import CVector
import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter

/// Kernels compiled for several sets of instructions: every set gives the same bits.
@Suite(.serialized) struct InstructionSetTests {
  /// Whether both sets make the same bits of the picture of `filter`.
  private static func isSame(_ filter: RAWFilter) throws -> Bool {
    let bits = try InstructionSets.results {
      try RAWFilterDetailTests.pixels(filter).flatMap {
        [$0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern]
      }
    }
    return bits.baseline == bits.best
  }

  @Test("The best set of this CPU is the default, and can be limited")
  func choice() {
    let flags = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let best =
      flags.contains("avx512vl") ? CK_AVX512 : flags.contains("avx2") ? CK_AVX2 : CK_BASELINE
    #expect(ck_chosen() == best)
    let chosen = InstructionSets.results { ck_chosen() }
    #expect(chosen.baseline == CK_BASELINE)
    #expect(chosen.best == (best == CK_BASELINE ? best : CK_AVX2))
  }

  @Test("Every stage on, by each demosaic method", arguments: DemosaicMethod.allCases)
  func sameBits(method: DemosaicMethod) throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file())
    for name in RAWFilterDetailTests.amounts {
      filter[keyPath: try RAWFilterDetailTests.path(name)] = 0.7
    }
    filter.demosaicMethod = method
    #expect(try Self.isSame(filter))
  }

  @Test("Reduced pictures", arguments: [Float(0.5), 0.3, 0.2])
  func sameBitsReduced(scaleFactor: Float) throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file(shotNoise: 0.02))
    filter.scaleFactor = scaleFactor
    #expect(try Self.isSame(filter))
  }

  @Test("The tone curve, for SDR, HDR and the highlights between", arguments: [Float(0), 0.5, 1])
  func sameTones(amount: Float) throws {
    var filter = try RAWFilterDetailTests.neutral(RAWFilterDetailTests.file(shotNoise: 0.02))
    filter.extendedDynamicRangeAmount = amount
    filter.exposure = 1.5
    #expect(try Self.isSame(filter))
  }

  @Test("Tables of hue and saturation", arguments: InstructionSets.widths)
  func sameHues(width: Int) throws {
    let kinds = [(1, false, false), (3, true, false), (3, false, true)]
    for (values, isEncoded, isHighRange) in kinds {
      let table = try HueSatTableTests.table(6, 4, values, isEncoded: isEncoded) { v, h, s in
        SIMD3(Float(h * 7 - s), 0.8 + 0.1 * Float(s), 1.1 - 0.1 * Float(v))
      }
      let mapping = try #require(HueSatMapping(table, isHighRange: isHighRange))
      let bits = InstructionSets.rows(width, peak: 3) { mapping.apply($0, scale: 1.2) }
      #expect(bits.baseline == bits.best)
    }
  }

  @Test("Colors outside of the visible", arguments: InstructionSets.widths)
  func sameGamut(width: Int) throws {
    let gamut = try #require(CameraGamut(CameraGamutTests.matrix(blue: SIMD3(-0.1, -0.3, 1))))
    let bits = InstructionSets.rows(width, peak: 3) { gamut.apply($0) }
    #expect(bits.baseline == bits.best)
  }

  @Test("Color cubes", arguments: InstructionSets.widths)
  func sameCubes(width: Int) throws {
    for (gamma, space) in [(UInt8(0), UInt8(4)), (1, 0), (3, 2)] {
      let table = try RGBTableTests.table(
        RGBTableTests.tag(side: 5, gamma: gamma, space: space) { ($0 * $0 + $0) * 0.5 })
      for isHighRange in [false, true] {
        let mapping = RGBTableMapping(table, isHighRange: isHighRange)
        let bits = InstructionSets.rows(width, peak: 3) { mapping.apply($0) }
        #expect(bits.baseline == bits.best)
      }
    }
  }

  @Test("Tone adjustments", arguments: InstructionSets.widths)
  func sameToneAdjustments(width: Int) throws {
    var look = LookSettings()
    (look.contrast, look.highlights, look.blacks) = (0.7, -1, 1)
    let table = ToneAdjustmentTable(ToneAdjustment(look), peak: 1.2)
    let bits = InstructionSets.rows(width) { table.apply($0) }
    #expect(bits.baseline == bits.best)
  }

  @Test("Color", arguments: InstructionSets.widths)
  func sameColor(width: Int) throws {
    var look = LookSettings()
    (look.saturation, look.vibrance) = (0.3, -0.5)
    (look.mixer[.red].hue, look.mixer[.blue].luminance) = (1, -1)
    for isGraded in [false, true] {
      look.grading.shadows.saturation = isGraded ? 0.5 : 0
      let color = ColorAdjustment(look, peak: 1.2)
      let bits = InstructionSets.rows(width) { color?.apply($0) }
      #expect(bits.baseline == bits.best)
    }
  }

  @Test("Vignette and grain")
  func sameFinish() throws {
    var look = LookSettings()
    (look.vignette.amount, look.grain.amount) = (-0.7, 1)
    for roundness: Float in [-0.6, 0] {
      look.vignette.roundness = roundness
      let finish = FinishStage(look, frame: .turned(7))
      let bits = try InstructionSets.results {
        let picture = try DetailFixture.read(finish.applied(to: DetailFixture.busy))
        return (0..<picture.size.area).flatMap { index -> [UInt32] in
          let color = picture[index % picture.size.width, index / picture.size.width]
          return [color.x.bitPattern, color.y.bitPattern, color.z.bitPattern]
        }
      }
      #expect(bits.baseline == bits.best)
    }
  }

  @Test("Gain table maps, read in two rows and in one", arguments: InstructionSets.widths)
  func sameGains(width: Int) throws {
    for gamma in [Float(1), 2] {
      var dng = TinyDNG(bigEndian: false)
      dng.fields[52544] = TinyDNG.gainTableMap(
        gamma: gamma, kind: 3, stored: GainTableMapTests.gains.map(\.bitPattern))
      let map = try GainTableMapTests.map(dng)
      for step in [0.001, 20] {
        let position = GainTableMap.RowPosition(firstPixel: 3, start: 0.1, step: step, v: 0.4)
        let bits = InstructionSets.rows(width) { map.apply($0, at: position, scale: 1.1) }
        #expect(bits.baseline == bits.best)
      }
    }
  }
}
