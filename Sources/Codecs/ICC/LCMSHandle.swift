import CLCMS2
package import ImageCore

/// The one owner of lcms2's handles for reading: a context and a profile opened in it, from memory.
/// No global state of lcms2 is used; its messages are dropped, and what it cannot read is nil. Not
/// synchronized: one thread at a time.
@safe package final class LCMSHandle {
  /// The device's channels.
  package enum Model {
    case rgb, gray
  }

  fileprivate let context: cmsContext
  fileprivate let profile: cmsHPROFILE
  package let model: Model

  /// Nil when `bytes` are not the profile of a device with RGB or gray channels.
  package init?(_ bytes: [UInt8]) {
    guard let context = unsafe cmsCreateContext(nil, nil) else { return nil }
    unsafe cmsSetLogErrorHandlerTHR(context) { _, _, _ in }
    guard
      let profile = unsafe cmsOpenProfileFromMemTHR(
        context, bytes, cmsUInt32Number(clamping: bytes.count))
    else {
      unsafe cmsDeleteContext(context)
      return nil
    }
    unsafe (self.context, self.profile) = (context, profile)
    let model: Model? =
      switch unsafe cmsGetColorSpace(profile) {
      case cmsSigRgbData: .rgb
      case cmsSigGrayData: .gray
      default: nil
      }
    let classes = [
      cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass,
    ]
    let space = unsafe cmsGetPCS(profile)
    self.model = model ?? .rgb
    guard model != nil, unsafe classes.contains(cmsGetDeviceClass(profile)),
      space == cmsSigXYZData || space == cmsSigLabData
    else { return nil }
  }

  deinit {
    unsafe cmsCloseProfile(profile)
    unsafe cmsDeleteContext(context)
  }

  /// The description tag, one line.
  package var name: String? {
    var letters = [wchar_t](repeating: 0, count: 256)
    let size = cmsUInt32Number(letters.count * MemoryLayout<wchar_t>.size)
    guard unsafe cmsGetProfileInfo(profile, cmsInfoDescription, "en", "US", &letters, size) > 0
    else {
      return nil
    }
    var text = String.UnicodeScalarView()
    for letter in letters.dropLast().prefix(while: { $0 != 0 }) {
      guard let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: letter)) else { continue }
      text.append(scalar.value < 32 || scalar.value == 127 ? " " : scalar)
    }
    return text.isEmpty ? nil : String(text)
  }

  /// XYZ of red, green and blue under D50, as columns; nil when the profile has none.
  package var colorants: Matrix3? {
    let tags = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag]
    let columns = tags.compactMap { tag in
      unsafe cmsReadTag(profile, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
    }
    guard columns.count == 3, unsafe cmsGetPCS(profile) == cmsSigXYZData else { return nil }
    let (r, g, b) = (columns[0], columns[1], columns[2])
    return Matrix3(SIMD3(r.X, g.X, b.X), SIMD3(r.Y, g.Y, b.Y), SIMD3(r.Z, g.Z, b.Z))
  }

  /// Linear values at evenly spaced code values 0…1, for each channel; nil when a curve is missing.
  package func curves(samples: Int) -> [[Float]]? {
    let tags =
      model == .gray ? [cmsSigGrayTRCTag] : [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
    let isLightness = unsafe cmsGetPCS(profile) == cmsSigLabData
    var curves: [[Float]] = []
    for tag in tags {
      guard let curve = unsafe cmsReadTag(profile, tag) else { return nil }
      let light = (0..<samples).map { index in
        let value = unsafe cmsEvalToneCurveFloat(
          OpaquePointer(curve), Float(index) / Float(samples - 1))
        return isLightness ? Self.luminance(lightness: value) : value
      }
      guard light.allSatisfy({ $0.isFinite && abs($0) < 1e4 }) else { return nil }
      curves.append(light)
    }
    return curves
  }

  /// Y of CIE L*, both 0…1.
  private static func luminance(lightness: Float) -> Float {
    let f = (lightness * 100 + 16) / 116
    return f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841
  }
}

/// A transform from a profile's RGB to linear BT.2020 by lcms2, relative colorimetric, in
/// unbounded floats. Any number of threads at a time: nothing is cached.
@safe package final class LCMSTransform: @unchecked Sendable {
  private let source: LCMSHandle
  private let transform: cmsHTRANSFORM

  /// Nil when `source` has no tables that lcms2 can apply.
  package init?(_ source: LCMSHandle) {
    guard source.model == .rgb, let linear = unsafe cmsBuildGamma(source.context, 1) else {
      return nil
    }
    defer { unsafe cmsFreeToneCurve(linear) }
    func xyY(_ c: Chromaticity) -> cmsCIExyY { cmsCIExyY(x: c.x, y: c.y, Y: 1) }
    let c = Primaries.bt2020.chromaticities
    var white = xyY(.d65)
    var corners = cmsCIExyYTRIPLE(Red: xyY(c.red), Green: xyY(c.green), Blue: xyY(c.blue))
    let curves: [OpaquePointer?] = unsafe [linear, linear, linear]
    guard let target = unsafe cmsCreateRGBProfileTHR(source.context, &white, &corners, curves)
    else {
      return nil
    }
    defer { unsafe cmsCloseProfile(target) }
    let floats = cmsUInt32Number(1 << 22 | PT_RGB << 16 | 3 << 3 | 4)  // TYPE_RGB_FLT
    guard
      let transform = unsafe cmsCreateTransformTHR(
        source.context, source.profile, floats, target, floats,
        cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
        cmsUInt32Number(cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE))
    else { return nil }
    unsafe (self.source, self.transform) = (source, transform)
  }

  deinit { unsafe cmsDeleteTransform(transform) }

  /// Converts `count` interleaved RGB pixels to linear values in place.
  package func apply(_ pixels: UnsafeMutablePointer<Float>, count: Int) {
    unsafe cmsDoTransform(transform, pixels, pixels, cmsUInt32Number(clamping: count))
  }
}
