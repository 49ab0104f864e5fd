import ImageCore
import RawTestSupport

@testable import RawData
@testable import RawSensor

extension LensFixture {
  /// The profile of a database of `lens` for the camera with `crop` and the lens at 20 mm and f/4.
  static func profile(_ lens: Lens, cameraCrop: Double = 1) throws -> LensProfile? {
    try withFolder(["a.xml": xml([lens], cameraCrop: cameraCrop)]) { folder in
      let database = try LensDatabase(folder, parsesAll: true)
      return try LensQuery(metadata()).flatMap { try database.profile($0) }
    }
  }

  static func correction(
    _ profile: LensProfile, _ size: PixelSize, crop: PixelRect? = nil, isGray: Bool = false
  ) -> LensProfileCorrection {
    LensProfileCorrection(
      profile, frame: OpcodeFrame(size: size), crop: crop ?? PixelRect(size), isGray: isGray)
  }

  static func actions(
    _ profile: LensProfile, _ size: PixelSize, crop: PixelRect? = nil, isGray: Bool = false
  ) -> [Opcode.Action] {
    correction(profile, size, crop: crop, isGray: isGray).actions
  }
}
