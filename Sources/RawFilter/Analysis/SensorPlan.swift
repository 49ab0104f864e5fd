import ImageCore
import RawDecode
import RawSensor

/// What decides the camera's picture from the stored samples to the demosaic: equal plans of one
/// file make equal pixels.
struct SensorPlan: Sendable, Hashable {
  /// Which opcodes of lists 1 and 2 are applied, in their normal form.
  var opcodes: OpcodeSelection
  /// Gain of each channel that makes the neutral as shot gray, the smallest 1.
  var balance: SIMD4<Float>
  /// Highlights, defects, demosaic, resolution.
  var settings: SensorSettings

  /// Without the white in use, on which nothing depends but saturated photosites.
  var underAnyWhite: SensorPlan {
    var plan = self
    plan.settings.white = .one
    return plan
  }

  /// With the method, resolution and lateral color that what is known of the whole picture does not
  /// depend on.
  var forAnalysis: SensorPlan {
    var plan = self
    (plan.settings.method, plan.settings.resolution) = (.fast, .full)
    (plan.settings.noise, plan.settings.lateral) = (nil, nil)
    return plan
  }
}
