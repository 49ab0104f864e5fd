import CLCMS2
import Containers
package import ImageCore

/// The one owner of lcms2's handles for profiles of others: a context and a profile opened in it,
/// from memory. No global state of lcms2 is used; its messages are dropped, and what it cannot read
/// is nil. Not synchronized: one thread at a time.
@safe package final class LCMSHandle {
  /// The device's channels.
  package enum Model {
    case rgb, gray
    /// Cyan, magenta, yellow and black ink.
    case cmyk
  }

  fileprivate let context: cmsContext
  fileprivate let profile: cmsHPROFILE
  package let model: Model

  /// Nil when `bytes` are not the profile of a device with channels of ``Model``, or have more
  /// processing elements than genuine ones.
  package init?(_ bytes: [UInt8]) {
    guard let table = ICCTagTable(bytes), table.hasFewElements,
      let context = unsafe cmsCreateContext(nil, nil)
    else { return nil }
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
      case cmsSigCmykData: .cmyk
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
      let values = (0..<samples).map { index in
        let value = unsafe cmsEvalToneCurveFloat(
          OpaquePointer(curve), Float(index) / Float(samples - 1))
        return isLightness ? Self.luminance(lightness: value) : value
      }
      guard values.allSatisfy({ $0.isFinite && abs($0) < 1e4 }) else { return nil }
      curves.append(values)
    }
    return curves
  }

  /// Y of CIE L*, both 0…1.
  private static func luminance(lightness: Float) -> Float {
    let f = (lightness * 100 + 16) / 116
    return f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841
  }
}

/// A transform between a profile's RGB and linear RGB, or from its inks to linear RGB, by lcms2, in
/// unbounded floats. Any number of threads at a time: nothing is cached.
@safe package final class LCMSTransform: @unchecked Sendable {
  private let profile: LCMSHandle
  private let transform: cmsHTRANSFORM

  /// How colors are brought to a device.
  package enum Intent: Sendable {
    /// With black point compensation.
    case relative
    case perceptual, saturation, absolute

    fileprivate var code: Int32 {
      switch self {
      case .relative: INTENT_RELATIVE_COLORIMETRIC
      case .perceptual: INTENT_PERCEPTUAL
      case .saturation: INTENT_SATURATION
      case .absolute: INTENT_ABSOLUTE_COLORIMETRIC
      }
    }
  }

  /// From `source` to linear BT.2020, relative colorimetric; of inks with black point compensation,
  /// as their blackest is far from black. Nil when it has no tables that lcms2 can apply.
  package convenience init?(_ source: LCMSHandle) {
    let isInks = source.model == .cmyk
    // TYPE_CMYK_FLT
    let inks = cmsUInt32Number(1 << 22 | PT_CMYK << 16 | 4 << 3 | 4)
    let compensation = isInks ? cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION) : 0
    unsafe self.init(source, .bt2020) { linear, floats, flags in
      unsafe cmsCreateTransformTHR(
        source.context, source.profile, isInks ? inks : floats, linear, floats,
        cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), flags | compensation)
    }
  }

  /// From linear RGB of `primaries` to `target`. Nil when lcms2 finds no way to its samples.
  package convenience init?(from primaries: Primaries, to target: LCMSHandle, _ intent: Intent) {
    guard target.model == .rgb else { return nil }
    let compensation = intent == .relative ? cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION) : 0
    unsafe self.init(target, primaries) { linear, floats, flags in
      unsafe cmsCreateTransformTHR(
        target.context, linear, floats, target.profile, floats, cmsUInt32Number(intent.code),
        flags | compensation)
    }
  }

  /// `create` gets the linear profile, the format of the pixels and flags.
  private init?(
    _ profile: LCMSHandle, _ primaries: Primaries,
    _ create: (cmsHPROFILE, cmsUInt32Number, cmsUInt32Number) -> cmsHTRANSFORM?
  ) {
    guard profile.model != .gray, let tone = unsafe cmsBuildGamma(profile.context, 1) else {
      return nil
    }
    defer { unsafe cmsFreeToneCurve(tone) }
    guard let linear = unsafe LCMSDisplayProfile.rgb(primaries, tone, profile.context) else {
      return nil
    }
    defer { unsafe cmsCloseProfile(linear) }
    let floats = cmsUInt32Number(1 << 22 | PT_RGB << 16 | 3 << 3 | 4)  // TYPE_RGB_FLT
    let flags = cmsUInt32Number(cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE)
    guard let transform = unsafe create(linear, floats, flags) else { return nil }
    unsafe (self.profile, self.transform) = (profile, transform)
  }

  deinit { unsafe cmsDeleteTransform(transform) }

  /// Converts `count` pixels of four inks, each 0…100 % of the paper, interleaved.
  package func apply(
    inks: UnsafePointer<Float>, to pixels: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe cmsDoTransform(transform, inks, pixels, cmsUInt32Number(clamping: count))
  }

  /// Converts `count` interleaved RGB pixels in place; not for inks.
  package func apply(_ pixels: UnsafeMutablePointer<Float>, count: Int) {
    unsafe cmsDoTransform(transform, pixels, pixels, cmsUInt32Number(clamping: count))
  }
}
