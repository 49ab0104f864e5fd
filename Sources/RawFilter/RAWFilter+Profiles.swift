import Containers
public import RawDecode

/// Camera profiles of a DNG or from a .dcp file.
extension RAWFilter {
  /// The profiles of a DNG, the primary one first; empty for other raws. With ``profilePath`` only
  /// the profile at that path.
  public var profiles: [CameraProfileInfo] { usableProfiles.map(CameraProfileInfo.init) }

  /// The profile at ``profilePath``; nil if there is none or it cannot be used.
  var cameraProfileFile: CameraProfileFile? { try? loadedCameraProfile() }

  private func loadedCameraProfile() throws(RAWError) -> CameraProfileFile? {
    guard let path = settings.profilePath, picture.file.info.layout != .monochrome else {
      return nil
    }
    return try picture.cameraProfile(at: path)
  }

  /// The available profiles: the one at ``profilePath``, else the file's.
  var usableProfiles: [DNGProfile] {
    cameraProfileFile.map { [$0.profile] } ?? picture.file.info.profiles
  }

  /// The active profile; nil for raws without profiles, and if ``colorMatrix`` replaces the colors.
  package var activeProfile: DNGProfile? {
    switch activeProfileLocation {
    case .stored(let index): picture.file.info.profiles[index]
    case .file: cameraProfileFile?.profile
    case nil: nil
    }
  }

  /// The location of the active profile.
  var activeProfileLocation: ProfileLocation? {
    let info = picture.file.info
    guard colorMatrix == nil else { return nil }
    if let path = settings.profilePath, cameraProfileFile != nil { return .file(path: path) }
    guard !info.profiles.isEmpty else { return nil }
    let chosen = settings.profileName.flatMap { name in
      info.profiles.firstIndex { name.isSame(as: $0.name) }
    }
    return .stored(chosen ?? info.defaultProfileIndex)
  }

  /// The profile of this name.
  package func profile(named name: String) -> DNGProfile? {
    usableProfiles.first { name.isSame(as: $0.name) }
  }

  /// Throws if the profile at ``profilePath`` cannot be used, or ``profileName`` is not among
  /// ``profiles``.
  func requireProfile() throws(RAWError) {
    let external = try loadedCameraProfile()
    guard let name = settings.profileName, profile(named: name) == nil else { return }
    let names = usableProfiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let owner = external == nil ? "the file" : "profilePath"
    throw RAWError(
      .badSetting, .settings,
      names.isEmpty
        ? "profileName is \"\(name)\", but the file has no profiles; leave it unset"
        : "profileName is \"\(name)\"; \(owner) has \(names)",
      path: nil)
  }
}
