import ImageCore

/// A setting by which a camera records darker than it meters, in the numbers of its maker note.
///
/// Source: tag names and values of ExifTool (Canon.pm: LightingOpt, CustomFunctions2; Nikon.pm,
/// Sony.pm, FujiFilm.pm, Pentax.pm, Olympus.pm: CameraSettings, Panasonic.pm).
public enum DarkRecording: Sendable, Hashable {
  /// Auto Lighting Optimizer and highlight tone priority (0x4018).
  case canon(optimizer: UInt32, priority: UInt32)
  /// Highlight tone priority as a custom function (0x99), of older cameras.
  case canonFunction(UInt32)
  /// Active D-Lighting (0x22).
  case nikon(UInt16)
  /// Dynamic Range Optimizer (0xB025).
  case sony(UInt32)
  /// DR in percent (0x1403, or 0x140B if automatic).
  case fujifilm(percent: UInt16, isAutomatic: Bool)
  /// D-Range Priority (0x1443, and 0x1444 if automatic, else 0x1445).
  case fujifilmPriority(UInt16, isAutomatic: Bool)
  /// Highlight correction (0x69).
  case pentax([UInt8])
  /// Gradation (0x50F of CameraSettings).
  case olympus([UInt16])
  /// i.Dynamic (0x79).
  case panasonic(UInt16)

  /// The fields of the note, or of Olympus's settings.
  var fields: [UInt16: TIFFValue] {
    switch self {
    case .canon(let optimizer, let priority):
      return [0x4018: .longs([24, 0, optimizer, priority, 0, 0])]
    case .canonFunction(let value):
      // Two groups; the second one has another function in front.
      let first: [UInt32] = [1, 20, 1, 0x101, 1, 0]
      let second: [UInt32] = [2, 36, 2, 0x201, 2, 7, 8, 0x203, 1, value]
      let list = [UInt32(4 * (2 + first.count + second.count)), 2] + first + second
      return [0x99: .longs(list)]
    case .nikon(let value): return [0x22: .shorts([value])]
    case .sony(let value): return [0xB025: .longs([value])]
    case .fujifilm(let percent, let isAutomatic):
      return [
        0x1402: .shorts([isAutomatic ? 0 : 1]),
        (isAutomatic ? 0x140B : 0x1403): .shorts([percent]),
      ]
    case .fujifilmPriority(let value, let isAutomatic):
      return [
        0x1443: .shorts([isAutomatic ? 0 : 1]), (isAutomatic ? 0x1444 : 0x1445): .shorts([value]),
      ]
    case .pentax(let values): return [0x69: .undefined(values)]
    case .olympus(let values): return [0x50F: .shorts(values)]
    case .panasonic(let value): return [0x79: .shorts([value])]
    }
  }

  /// The note of makers whose files here have none otherwise. All values lie in the directory.
  var wholeNote: [UInt8]? {
    let header: [UInt8]
    switch self {
    case .sony: header = Array("SONY DSC \0\0\0".utf8)
    case .fujifilm, .fujifilmPriority: header = Array("FUJIFILM".utf8) + [12, 0, 0, 0]
    case .panasonic: header = Array("Panasonic\0\0\0".utf8)
    default: return nil
    }
    var directory = TIFFDirectory()
    directory.merge(fields)
    return header + directory.encoded(at: header.count, order: .little)
  }
}
