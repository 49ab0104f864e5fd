import Containers

/// The camera profiles of a DNG in their order, and the one that the camera chose.
struct DNGProfileList {
  let profiles: [DNGProfile]
  /// AsShotProfileName's, else the primary.
  let defaultIndex: Int
  /// What was left out as it is damaged.
  let warnings: [String]

  /// Fails when the matrices are damaged, or the list of profiles leads outside the file.
  init(_ tiff: TIFFFile, raw: TIFFDirectory) throws(RAWError) {
    let main = tiff.first
    let shared = { (number: UInt16) in main[number] ?? raw[number] }
    // Writers put gain table maps in either directory; the second kind goes before the first.
    var map: GainTableMap?
    if shared(52544) == nil, let entry = raw[52525] ?? main[52525] {
      map = try GainTableMap(entry, isSecond: false)
    }
    var found = [
      try DNGProfile(
        DNGProfile.Source(
          profile: shared, shared: shared, fallbackName: "Embedded", gainTableMap: map,
          isLenient: true))
    ]
    var warnings = found[0].warnings
    map = found[0].gainTableMap
    let extras = shared(50933)?.integers ?? []
    var valueBytes = 0
    for offset in extras.prefix(RawDecodeLimits.profiles - 1) {
      let damaged = RAWError(
        .damaged, .open, "its ExtraCameraProfiles names no camera profile; copy the file again",
        path: tiff.file.path)
      guard let part = try? TIFFFile(tiff.file, base: offset, magics: TIFFFile.profileMagics)
      else { throw damaged }
      // Profiles may share what is large, which each of them holds on its own.
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
        let what = error.message.split(separator: ";")[0]
        warnings.append("one of its further camera profiles was left out: \(what)")
      }
    }
    self.warnings = warnings
    profiles = found
    let chosen = shared(50934)?.name ?? ""
    defaultIndex = chosen.isEmpty ? 0 : found.firstIndex { $0.name == chosen } ?? 0
  }
}
