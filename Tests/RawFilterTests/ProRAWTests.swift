import Foundation
import ImageCore
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite("ProRAW")
struct ProRAWTests {
  static func small(_ form: SyntheticProRAW.Form) -> SyntheticProRAW {
    var raw = SyntheticProRAW(size: PixelSize(width: 72, height: 54), form: form)
    raw.tile = PixelSize(width: 32, height: 20)
    raw.mapPoints = (6, 8)
    return raw
  }

  @Test("decodes to the numbers that were stored", arguments: SyntheticProRAW.Form.allCases)
  func stored(form: SyntheticProRAW.Form) throws {
    let raw = Self.small(form)
    let data = try RawFile.open(bytes: raw.file().bytes).decode(workers: 1)
    let codes = raw.codes(workers: 1)
    let scale = data.levels.scale[0]
    for y in 0..<raw.size.height {
      for i in 0..<(raw.size.width * 3) {
        let wanted = raw.linear(codes[y * raw.size.width * 3 + i])
        let value = Float(data.samples.counts(row: y)[i]) * scale
        #expect(abs(value - wanted) < 1e-6)
      }
    }
  }

  @Test("renders gray patches at their luminance", arguments: SyntheticProRAW.Form.allCases)
  func patches(form: SyntheticProRAW.Form) throws {
    let raw = Self.small(form)
    var filter = try RAWFilter(data: Data(raw.file().bytes))
    filter.settings = try .neutral()  // patches of a few pixels: no neighbors shall take part
    filter.settings.baselineExposure = nil
    filter.extendedDynamicRangeAmount = 1
    let image = try filter.outputImage().image
    #expect(image.size == raw.size)
    for patch in raw.patches where patch.light * Float(exp2(-form.headroomStops)) < 0.9 {
      let (x, y) = (patch.rect.x + patch.rect.width / 2, patch.rect.y + patch.rect.height / 2)
      let wanted = raw.sceneLinear(SIMD3(repeating: patch.light))
      let error = (image[x, y] - wanted) / wanted
      // Half a step of the 12-bit table is up to 1.5 % of the darkest patch.
      #expect(max(abs(error.max()), abs(error.min())) < 0.02, "\(image[x, y]) for \(wanted)")
    }
  }

  @Test("renders neutral grays neutral", arguments: SyntheticProRAW.Form.allCases)
  func neutral(form: SyntheticProRAW.Form) throws {
    let raw = Self.small(form)
    var filter = try RAWFilter(data: Data(raw.file().bytes))
    filter.outputPrimaries = .displayP3
    for (boost, amount) in [(Float(0), Float(0)), (1, 0), (1, 1)] {
      filter.boostAmount = boost
      filter.extendedDynamicRangeAmount = amount
      let image = try filter.outputImage().image
      // Below, half a step of the 12-bit table is more than that.
      for patch in raw.patches where patch.light >= 0.18 {
        let rgb = image[
          patch.rect.x + patch.rect.width / 2, patch.rect.y + patch.rect.height / 2]
        let mean = rgb.sum() / 3
        let off = max(rgb.max() / mean - 1, 1 - rgb.min() / mean)
        #expect(off < 0.002, "\(form) \(patch.light): \(rgb)")
      }
    }
  }

  @Test("opens the stops above display white") func headroom() throws {
    let raw = Self.small(.analogBalance)
    var filter = try RAWFilter(data: Data(raw.file().bytes))
    // The patches of the small picture are near the reach of sharpening.
    filter.sharpnessAmount = 0
    let standard = try filter.outputImage()
    #expect(standard.contentHeadroom <= 1)
    filter.extendedDynamicRangeAmount = 1
    let open = try filter.outputImage()
    #expect(open.contentHeadroom > 4 && open.contentHeadroom <= open.fileHeadroom * 1.0001)
    #expect(open.fileHeadroom == standard.fileHeadroom)
    // Midtones stay.
    let gray = try #require(raw.patches.first { abs($0.light - 0.18) < 0.02 })
    let (x, y) = (gray.rect.x + gray.rect.width / 2, gray.rect.y + gray.rect.height / 2)
    #expect(abs(open.image[x, y].y / standard.image[x, y].y - 1) < 0.01)
  }
}
