import HDRRender
import ImageCore
import Synchronization

/// The exposure that belongs to the file.
extension RAWPicture {
  /// Stops that belong to the file: a DNG's own, else found from the embedded preview.
  var defaultBaselineExposure: Float {
    if let stops = file.info.baselineExposure { return Float(stops) }
    if let known = state.withLock({ $0.baselineExposure }) { return known }
    let stops = (try? estimatedBaselineExposure()) ?? BaselineExposure.withoutPreview
    state.withLock { $0.baselineExposure = stops }
    return stops
  }

  private func estimatedBaselineExposure() throws(RAWError) -> Float {
    guard let profile = file.info.profile, let preview = file.preview()?.decode(maxSide: 256) else {
      return BaselineExposure.withoutPreview
    }
    let target = BaselineExposure.meanLightness(srgb: preview.rgb)
    let key = key(isReduced: false, OpcodeSelection(), .rebuilt, profile)
    let pipeline = try pipeline(key, profile: profile)
    let asShot = profile.neutral(for: profile.asShotWhite)
    let matrix = profile.balancedToBT2020(balance: asShot, white: profile.asShotWhite)
    let proxy = pipeline.proxy(reduction: 16)
    var scene: [SIMD3<Double>] = []
    for y in 0..<proxy.size.height {
      for x in 0..<proxy.size.width { scene.append(matrix * SIMD3<Double>(proxy[x, y])) }
    }
    let peak = try peak(matrix: matrix, highlights: .rebuilt, profile: profile)
    return BaselineExposure.matching(target, scene: scene, peak: Double(peak))
  }
}
