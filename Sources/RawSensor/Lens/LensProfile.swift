/// A camera of a lens database.
struct LensCamera: Sendable, Hashable {
  /// In several languages.
  var makers: [String]
  /// In several languages.
  var models: [String]
  /// Cameras with a fixed lens have a mount of their own, whose first letter is lowercase.
  var mount: String
  /// Diagonal of 36 × 24 mm over the sensor's.
  var cropFactor: Double

  var hasFixedLens: Bool { mount.first?.isLowercase == true }
}

/// A lens of a database, as calibrated on one sensor size.
struct LensEntry: Sendable, Hashable {
  /// Its index in the database.
  var index: Int
  /// In several languages.
  var makers: [String]
  /// In several languages.
  var models: [String]
  /// Crop factor of the camera that it was calibrated on.
  var cropFactor: Double
  /// Long side over short side of the pictures that it was calibrated with.
  var aspectRatio: Double
  /// Where the optical axis meets the picture, from its center, in halves of the shorter side (as
  /// lensfun computes; its documentation differs).
  var center: SIMD2<Double>
}

/// The settings of a lens for one shot.
struct LensShot: Sendable, Hashable {
  /// Millimeters.
  var focalLength: Double
  /// nil when not known.
  var fNumber: Double?
  /// Focus distance in meters.
  var distance: Double
}

/// The errors of a lens at one setting.
///
/// Source: lensfun 0.3.3, documentation of `lfDistortionModel`, `lfTCAModel` and
/// `lfVignettingModel`. Radii r of distortion and lateral color are 1 at half the shorter side of
/// the pictures that the lens was calibrated with, radii of vignetting are 1 at their corner.
package struct LensCalibration: Sendable, Hashable {
  /// Radius in the distorted picture over radius r in the corrected one.
  package enum Distortion: Sendable, Hashable {
    /// 1 − k + k r².
    case poly3(Double)
    /// 1 + k₁ r² + k₂ r⁴.
    case poly5(Double, Double)
    /// 1 − a − b − c + c r + b r² + a r³.
    case ptLens(a: Double, b: Double, c: Double)

    /// At radius `r`.
    func factor(_ r: Double) -> Double {
      switch self {
      case .poly3(let k): return 1 - k + k * r * r
      case .poly5(let k1, let k2): return 1 + r * r * (k1 + r * r * k2)
      case .ptLens(let a, let b, let c): return 1 - a - b - c + r * (c + r * (b + r * a))
      }
    }
  }

  /// Radius of red and of blue over radius r of green, all in the distorted picture: v + c r + b
  /// r².
  package struct LateralColor: Sendable, Hashable {
    /// v, c, b.
    var red: SIMD3<Double>
    /// v, c, b.
    var blue: SIMD3<Double>

    /// Of the channel with the coefficients `k` at radius `r`.
    static func factor(_ k: SIMD3<Double>, _ r: Double) -> Double { k.x + r * (k.y + r * k.z) }
  }

  package var distortion: Distortion?
  package var lateralColor: LateralColor?
  /// k₁, k₂, k₃ of P. d'Angelo's model: relative illumination is 1 + k₁r² + k₂r⁴ + k₃r⁶.
  package var vignetting: SIMD3<Double>?

  package var isEmpty: Bool { distortion == nil && lateralColor == nil && vignetting == nil }
}

/// The corrections from a database for the lens of one picture whose file has none of its own.
package struct LensProfile: Sendable, Hashable {
  /// The camera's maker and model as the database names them.
  package var camera: String
  /// The lens as the database names it.
  package var lens: String
  /// Crop factor of the camera.
  var cropFactor: Double
  /// Crop factor of the camera that the lens was calibrated on.
  var calibrationCropFactor: Double
  /// Long over short side of the pictures that it was calibrated with.
  var calibrationAspectRatio: Double
  /// As in ``LensEntry``.
  var center: SIMD2<Double>
  package var calibration: LensCalibration
}
