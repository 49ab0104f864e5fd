package import RawData

/// The cameras of a lens database for whose mount, or a compatible one, it has lenses.
package struct LensCoverage: Sendable {
  private let cameras: Set<CameraKey>

  init(_ database: LensfunHandle) {
    let mounts = database.lensMounts
    var fitting: [String: Bool] = [:]
    var cameras: Set<CameraKey> = []
    for camera in database.cameras {
      let fits =
        fitting[camera.mount] ?? !mounts.isDisjoint(with: database.mounts(fitting: camera.mount))
      fitting[camera.mount] = fits
      guard fits, let make = camera.makers.first else { continue }
      for model in camera.models { cameras.insert(CameraKey(make: make, model: model)) }
    }
    self.cameras = cameras
  }

  /// Whether the database has `camera` and lenses for it.
  package func has(_ camera: CameraKey) -> Bool { cameras.contains(camera) }
}
