import Foundation
import ImageCore
import SyntheticRaw
import Testing

@testable import RawFilter

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

  @Test("shows grey patches as their light", arguments: SyntheticProRAW.Form.allCases)
  func patches(form: SyntheticProRAW.Form) throws {
    let raw = Self.small(form)
    var filter = try RAWFilter(data: Data(raw.file().bytes))
    filter.settings.boostAmount = 0
    filter.settings.localToneMapAmount = 0
    filter.settings.isHighlightRecoveryEnabled = false
    filter.settings.isGamutMappingEnabled = false
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
}
