import Containers

/// The camera profiles of a DNG in order, and the one selected by the camera.
struct DNGProfileList {
  let profiles: [DNGProfile]
  /// AsShotProfileName, else the primary one.
  let defaultIndex: Int
  /// Ignored damaged profiles.
  let warnings: [String]

  /// Throws if the matrices are damaged, or the list of profiles points outside the file.
  init(_ tiff: TIFFFile, raw: TIFFDirectory) throws(RAWError) {
    let (main, path) = (tiff.first, tiff.file.path)
    let shared = { (number: UInt16) in main[number] ?? raw[number] }
    // Writers store gain table maps in either directory; version 2 takes precedence.
    var map: GainTableMap?
    if shared(DNGTag.profileGainTableMap2) == nil,
      let entry = raw[DNGTag.profileGainTableMap] ?? main[DNGTag.profileGainTableMap]
    {
      map = try RAWError.translating(path: path) { () throws(TagFault) in
        try GainTableMap(entry, isSecond: false)
      }
    }
    let source = DNGProfile.Source(
      profile: shared, shared: shared, fallbackName: "Embedded", gainTableMap: map,
      isLenient: true)
    let primary = try RAWError.translating(path: path) { () throws(TagFault) in
      try DNGProfile(source)
    }
    var found = [primary]
    var warnings = primary.warnings
    map = primary.gainTableMap
    let extras = shared(DNGTag.extraCameraProfiles)?.integers ?? []
    var valueBytes = 0
    for offset in extras.prefix(RawDecodeLimits.profiles - 1) {
      let damaged = RAWError(
        .damaged, .open, "its ExtraCameraProfiles points to no camera profile; copy the file again",
        path: path)
      guard let part = try? TIFFFile(tiff.file, base: offset, magics: TIFFFile.profileMagics)
      else { throw damaged }
      // Profiles may share large values; each profile has its own copy.
      valueBytes += part.valueBytes
      guard valueBytes <= TIFFFile.mostBytes(of: tiff.file) else { throw damaged }
      let directory = part.first
      do {
        found.append(
          try DNGProfile(
            DNGProfile.Source(
              profile: { directory[$0] }, shared: shared,
              fallbackName: "Profile \(found.count + 1)", gainTableMap: map)))
      } catch {
        warnings.append("one of its extra camera profiles was ignored: \(error.message)")
      }
    }
    self.warnings = warnings
    profiles = found
    let chosen = shared(DNGTag.asShotProfileName)?.name ?? ""
    defaultIndex = chosen.isEmpty ? 0 : found.firstIndex { $0.name == chosen } ?? 0
  }
}
