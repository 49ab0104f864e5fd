import CLCMS2
import ImageCore

@testable import Readers

/// What lcms2 itself makes of a profile, and profiles to ask it about.
enum LCMSTruth {
  private static func white() -> cmsCIExyY { cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1) }

  private static func rgb(_ primaries: Primaries, _ curve: OpaquePointer?) -> cmsHPROFILE? {
    var white = white()
    let c = primaries.chromaticities
    func xyY(_ p: Chromaticity) -> cmsCIExyY { cmsCIExyY(x: p.x, y: p.y, Y: 1) }
    var corners = cmsCIExyYTRIPLE(Red: xyY(c.red), Green: xyY(c.green), Blue: xyY(c.blue))
    let curves = [curve, curve, curve]
    return cmsCreateRGBProfile(&white, &corners, curves)
  }

  static func bytes(_ profile: cmsHPROFILE?) -> [UInt8] {
    var count: cmsUInt32Number = 0
    cmsSaveProfileToMem(profile, nil, &count)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    cmsSaveProfileToMem(profile, &bytes, &count)
    cmsCloseProfile(profile)
    return bytes
  }

  /// sRGB primaries with this curve in 4096 samples.
  static func profile(_ linear: (Double) -> Double) -> [UInt8] {
    let samples = (0..<4096).map { Float(linear(Double($0) / 4095)) }
    let curve = cmsBuildTabulatedToneCurveFloat(nil, 4096, samples)
    defer { cmsFreeToneCurve(curve) }
    return bytes(rgb(.srgb, curve))
  }

  static func grayProfile(gamma: Double) -> [UInt8] {
    let curve = cmsBuildGamma(nil, gamma)
    defer { cmsFreeToneCurve(curve) }
    var white = white()
    return bytes(cmsCreateGrayProfile(&white, curve))
  }

  /// An input profile with A2B0 alone: a power and a grid of 9 × 9 × 9 that mixes channels.
  /// Tables of Lab may be dark where codes are bright.
  static func lookupProfile(isLab: Bool, isInverted: Bool = false) -> [UInt8] {
    let profile = cmsCreateProfilePlaceholder(nil)
    cmsSetProfileVersion(profile, 4.3)
    cmsSetDeviceClass(profile, cmsSigInputClass)
    cmsSetColorSpace(profile, cmsSigRgbData)
    cmsSetPCS(profile, isLab ? cmsSigLabData : cmsSigXYZData)
    let words = cmsMLUalloc(nil, 1)
    cmsMLUsetASCII(words, "en", "US", "Tables")
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(words))
    cmsMLUfree(words)
    let pipeline = cmsPipelineAlloc(nil, 3, 3)
    let power = cmsBuildGamma(nil, 1.7)
    let powers = [power, power, power]
    let straight = cmsBuildGamma(nil, 1)
    let straights = [straight, straight, straight]
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nil, 3, powers))
    let grid = cmsStageAllocCLut16bit(nil, 9, 3, 3, nil)
    cmsStageSampleCLut16bit(
      grid,
      { input, output, isLab in
        guard let input, let output else { return 0 }
        let v = (0..<3).map { Double(input[$0]) / 65_535 }
        var mixed =
          isLab == nil
          ? [
            // Near half of sRGB's XYZ: libjxl refuses primaries that no color has.
            0.2 * v[0] + 0.19 * v[1] + 0.07 * v[2] + 0.02 * v[0] * v[1],
            0.11 * v[0] + 0.36 * v[1] + 0.03 * v[2],
            0.01 * v[0] + 0.05 * v[1] + 0.36 * v[2] * (1 - v[0] / 20),
          ]
          : [0.7 * v[1] + 0.3 * v[0], 0.5 + 0.2 * (v[0] - v[1]), 0.5 + 0.2 * (v[1] - v[2])]
        if Int(bitPattern: isLab) == 2 { mixed[0] = 1 - mixed[0] }
        for i in 0..<3 { output[i] = UInt16(min(max(mixed[i], 0), 1) * 65_535) }
        return 1
      }, isLab ? UnsafeMutableRawPointer(bitPattern: isInverted ? 2 : 1) : nil, 0)
    cmsPipelineInsertStage(pipeline, cmsAT_END, grid)
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nil, 3, straights))
    cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline))
    cmsPipelineFree(pipeline)
    cmsFreeToneCurve(power)
    cmsFreeToneCurve(straight)
    var d50 = cmsD50_XYZ().pointee
    cmsWriteTag(profile, cmsSigMediaWhitePointTag, &d50)
    return bytes(profile)
  }

  /// An output profile of four inks, from codes to Lab by a grid of 9⁴.
  static func inkProfile() -> [UInt8] {
    let profile = cmsCreateProfilePlaceholder(nil)
    cmsSetProfileVersion(profile, 2.4)
    cmsSetDeviceClass(profile, cmsSigOutputClass)
    cmsSetColorSpace(profile, cmsSigCmykData)
    cmsSetPCS(profile, cmsSigLabData)
    let words = cmsMLUalloc(nil, 1)
    cmsMLUsetASCII(words, "en", "US", "Inks")
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(words))
    cmsMLUfree(words)
    let pipeline = cmsPipelineAlloc(nil, 4, 3)
    let curve = cmsBuildGamma(nil, 1.2)
    let curves = [curve, curve, curve, curve]
    let straight = cmsBuildGamma(nil, 1)
    let straights = [straight, straight, straight]
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nil, 4, curves))
    let grid = cmsStageAllocCLut16bit(nil, 9, 4, 3, nil)
    cmsStageSampleCLut16bit(
      grid,
      { input, output, _ in
        guard let input, let output else { return 0 }
        let v = (0..<4).map { Double(input[$0]) / 65_535 }
        let bare = (1 - 0.85 * v[3]) * (1 - 0.2 * v[0]) * (1 - 0.3 * v[1]) * (1 - 0.1 * v[2])
        let color = 0.25 * (1 - v[3])
        let mixed = [
          bare, 128.0 / 255 + color * (v[1] - v[0]),
          128.0 / 255 + color * (v[2] - (v[0] + v[1]) / 2),
        ]
        for i in 0..<3 { output[i] = UInt16(min(max(mixed[i], 0), 1) * 65_280) }
        return 1
      }, nil, 0)
    cmsPipelineInsertStage(pipeline, cmsAT_END, grid)
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nil, 3, straights))
    cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline))
    cmsWriteTag(profile, cmsSigAToB1Tag, UnsafeRawPointer(pipeline))
    cmsPipelineFree(pipeline)
    cmsFreeToneCurve(curve)
    cmsFreeToneCurve(straight)
    var paper = cmsCIEXYZ(X: 0.85, Y: 0.88, Z: 0.69)
    cmsWriteTag(profile, cmsSigMediaWhitePointTag, &paper)
    return bytes(profile)
  }

  /// Codes of four inks, 8 bits each, 0 without ink, as 8-bit sRGB by lcms2's integer conversion.
  static func print(_ profile: [UInt8], _ codes: [UInt8]) -> [UInt8]? {
    guard let source = cmsOpenProfileFromMem(profile, cmsUInt32Number(profile.count)) else {
      return nil
    }
    defer { cmsCloseProfile(source) }
    let target = cmsCreate_sRGBProfile()
    defer { cmsCloseProfile(target) }
    let cmyk = cmsUInt32Number(PT_CMYK << 16 | 4 << 3 | 1)
    let rgb = cmsUInt32Number(PT_RGB << 16 | 3 << 3 | 1)
    guard
      let transform = cmsCreateTransform(
        source, cmyk, target, rgb, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
        cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOOPTIMIZE))
    else { return nil }
    defer { cmsDeleteTransform(transform) }
    var made = [UInt8](repeating: 0, count: codes.count / 4 * 3)
    cmsDoTransform(transform, codes, &made, cmsUInt32Number(codes.count / 4))
    return made
  }

  /// A display profile of sRGB whose D2B1 has a curve and a matrix, one after the other, so often.
  static func elementsProfile(pairs: Int) -> [UInt8] {
    let straight = cmsBuildGamma(nil, 1)
    defer { cmsFreeToneCurve(straight) }
    let profile = rgb(.srgb, straight)
    cmsSetProfileVersion(profile, 4.3)
    var segment = cmsCurveSegment()
    (segment.x0, segment.x1, segment.Type) = (-1e22, 1e22, 6)
    (segment.Params.0, segment.Params.1) = (1, 1)
    let curve = cmsBuildSegmentedToneCurve(nil, 1, &segment)
    defer { cmsFreeToneCurve(curve) }
    let curves = [curve, curve, curve]
    let half = [0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5]
    let pipeline = cmsPipelineAlloc(nil, 3, 3)
    for _ in 0..<pairs {
      cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nil, 3, curves))
      cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocMatrix(nil, 3, 3, half, nil))
    }
    cmsWriteTag(profile, cmsSigDToB1Tag, UnsafeRawPointer(pipeline))
    cmsPipelineFree(pipeline)
    return bytes(profile)
  }

  /// Whether lcms2 can linearize it, as RGB or gray.
  static func isUsual(_ bytes: [UInt8]) -> Bool { linear(bytes, [0, 0, 0]) != nil }

  /// `codes` of 0…1 as linear BT.2020 by lcms2, relative colorimetric; gray profiles take the
  /// first.
  static func linear(_ bytes: [UInt8], _ codes: [Float]) -> [Float]? {
    guard let source = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else {
      return nil
    }
    defer { cmsCloseProfile(source) }
    let isGray = cmsGetColorSpace(source) == cmsSigGrayData
    guard isGray || cmsGetColorSpace(source) == cmsSigRgbData,
      cmsGetDeviceClass(source) != cmsSigNamedColorClass,
      cmsGetDeviceClass(source) != cmsSigAbstractClass
    else { return nil }
    let linear = cmsBuildGamma(nil, 1)
    defer { cmsFreeToneCurve(linear) }
    let target = rgb(.bt2020, linear)
    defer { cmsCloseProfile(target) }
    let rgb = cmsUInt32Number(1 << 22 | PT_RGB << 16 | 3 << 3 | 4)
    let gray = cmsUInt32Number(1 << 22 | PT_GRAY << 16 | 1 << 3 | 4)
    guard
      let transform = cmsCreateTransform(
        source, isGray ? gray : rgb, target, rgb, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
        cmsUInt32Number(cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE))
    else { return nil }
    defer { cmsDeleteTransform(transform) }
    var out = codes
    for i in 0..<codes.count / 3 {
      var pixel = [codes[3 * i], codes[3 * i + 1], codes[3 * i + 2]]
      var made: [Float] = [0, 0, 0]
      if isGray { pixel = [pixel[0]] }
      cmsDoTransform(transform, pixel, &made, 1)
      for c in 0..<3 { out[3 * i + c] = made[c] }
    }
    return out
  }

  /// Largest difference of linear BT.2020 between `color` and lcms2, over a grid of codes.
  static func error(_ color: ColorDescription, _ bytes: [UInt8]) throws -> Float? {
    let steps: [UInt16] = [0, 500, 3000, 9000, 20_000, 33_333, 50_000, 60_000, 65_535]
    let isGray = bytes.count > 20 && bytes[16..<20].elementsEqual("GRAY".utf8)
    var codes: [UInt16] = []
    for r in steps {
      if isGray {
        codes += [r, r, r]
      } else {
        for g in steps { for b in steps { codes += [r, g, b] } }
      }
    }
    guard let truth = linear(bytes, codes.map { Float($0) / 65_535 }) else { return nil }
    let toBT2020 = color.primaries.conversion(to: .bt2020)
    var worst: Float = 0
    for (i, linear) in try LinearizationTests.linear(codes, bits: 16, color).enumerated() {
      let ours = SIMD3<Float>(toBT2020 * SIMD3<Double>(linear))
      for c in 0..<3 { worst = max(worst, abs(ours[c] - truth[3 * i + c])) }
    }
    return worst
  }
}
