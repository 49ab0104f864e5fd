import CLCMS2
package import ImageCore

/// Owns an lcms2 context and a matrix profile in it. No global state of lcms2 is used, and its
/// messages become errors.
@safe package final class LCMSDisplayProfile {
  /// From signal to linear values.
  package enum Curve: Sendable {
    case linear
    /// ICC parametric curve type 3: (a·x + b)^g from d upwards, c·x below; in the order
    /// g a b c d.
    case parametric([Double])
    /// Evenly spaced samples over signals 0…1.
    case table([UInt16])
  }

  private let context: cmsContext
  private let complaint: Complaint
  private var profile: cmsHPROFILE?

  /// Where lcms2's error handler stores its message.
  private final class Complaint {
    var text = ""
  }

  /// A display profile, of RGB or of one channel of gray. `whiteNits` is the luminance of PCS
  /// Y = 1, for spaces that define it.
  package init(
    primaries: Primaries, curve: Curve, name: String, whiteNits: Double?, isGray: Bool = false
  ) throws(CodecError) {
    let complaint = Complaint()
    guard let context = unsafe cmsCreateContext(nil, Unmanaged.passUnretained(complaint).toOpaque())
    else { throw CodecError("cannot make an ICC profile: out of memory") }
    unsafe self.context = context
    self.complaint = complaint
    unsafe cmsSetLogErrorHandlerTHR(context) { context, _, text in
      guard let user = unsafe cmsGetContextUserData(context), let text = unsafe text else { return }
      unsafe Unmanaged<Complaint>.fromOpaque(user).takeUnretainedValue().text = unsafe String(
        cString: text)
    }
    let tone = try unsafe Self.tone(curve, context, complaint)
    defer { unsafe cmsFreeToneCurve(tone) }
    unsafe profile =
      isGray
      ? unsafe cmsCreateGrayProfileTHR(context, cmsD50_xyY(), tone)
      : unsafe Self.rgb(primaries, tone, context)
    guard unsafe profile != nil else { throw failure() }
    unsafe cmsSetProfileVersion(profile, 4.4)
    try setText(cmsSigProfileDescriptionTag, name)
    try setText(cmsSigCopyrightTag, "No copyright, use freely")
    if let whiteNits {
      var luminance = cmsCIEXYZ(X: 0, Y: whiteNits, Z: 0)
      guard unsafe cmsWriteTag(profile, cmsSigLuminanceTag, &luminance) != 0 else {
        throw failure()
      }
    }
  }

  deinit {
    if let profile = unsafe profile { unsafe cmsCloseProfile(profile) }
    unsafe cmsDeleteContext(context)
  }

  /// The profile as lcms2 saves it, with the time of day in its header.
  package func bytes() throws(CodecError) -> [UInt8] {
    var count: cmsUInt32Number = 0
    guard unsafe cmsSaveProfileToMem(profile, nil, &count) != 0 else { throw failure() }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard unsafe cmsSaveProfileToMem(profile, &bytes, &count) != 0 else { throw failure() }
    return bytes
  }

  /// MD5 of `bytes` (RFC 1321).
  package static func md5(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
    guard let handle = unsafe cmsMD5alloc(nil) else {
      throw CodecError("cannot make an ICC profile: out of memory")
    }
    unsafe cmsMD5add(handle, bytes, cmsUInt32Number(bytes.count))
    var digest = cmsProfileID()
    unsafe cmsMD5finish(&digest, handle)
    return unsafe withUnsafeBytes(of: &digest) { unsafe [UInt8]($0) }
  }

  /// A profile of `primaries` under their white, with one curve for all channels.
  static func rgb(
    _ primaries: Primaries, _ tone: OpaquePointer, _ context: cmsContext
  ) -> cmsHPROFILE? {
    func xyY(_ c: Chromaticity) -> cmsCIExyY { cmsCIExyY(x: c.x, y: c.y, Y: 1) }
    let c = primaries.chromaticities
    var white = xyY(primaries.white)
    var corners = cmsCIExyYTRIPLE(Red: xyY(c.red), Green: xyY(c.green), Blue: xyY(c.blue))
    let curves: [OpaquePointer?] = unsafe [tone, tone, tone]
    return unsafe cmsCreateRGBProfileTHR(context, &white, &corners, curves)
  }

  private static func tone(
    _ curve: Curve, _ context: cmsContext, _ complaint: Complaint
  ) throws(CodecError) -> OpaquePointer {
    let tone =
      switch curve {
      case .linear: unsafe cmsBuildGamma(context, 1)
      case .parametric(let values): unsafe cmsBuildParametricToneCurve(context, 4, values)
      case .table(let samples):
        unsafe cmsBuildTabulatedToneCurve16(context, cmsUInt32Number(samples.count), samples)
      }
    guard let tone = unsafe tone else {
      throw CodecError("cannot make an ICC profile: \(complaint.text)")
    }
    return unsafe tone
  }

  private func setText(_ tag: cmsTagSignature, _ text: String) throws(CodecError) {
    guard let words = unsafe cmsMLUalloc(context, 1) else { throw failure() }
    defer { unsafe cmsMLUfree(words) }
    guard unsafe cmsMLUsetASCII(words, "en", "US", text) != 0,
      unsafe cmsWriteTag(profile, tag, UnsafeRawPointer(words)) != 0
    else { throw failure() }
  }

  private func failure() -> CodecError {
    CodecError("cannot make an ICC profile: \(complaint.text)")
  }
}
