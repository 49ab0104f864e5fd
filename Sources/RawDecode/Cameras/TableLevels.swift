import ImageCore

/// Black and white of a camera that LibRaw does not list, from the table. The table's white
/// replaces the declared one, which is often the largest code, if both have the same number of
/// bits: a table refers to one storage format, and a camera may have several. The table's black
/// applies if LibRaw reads none and no masked pixels show it.
struct TableLevels {
  /// Levels of LibRaw's four filters; nil if the table does not apply.
  let white: [Double]?
  let black: [Double]?
  let whiteOrigin: FactOrigin
  let blackOrigin: FactOrigin

  /// The levels for a file by its LibRaw metadata; `camera` is nil if LibRaw lists the camera or
  /// the table does not have it.
  init(_ metadata: LibRawMetadata, camera: CameraTable.Camera?) {
    func levels(_ sourced: CameraTable.Sourced<[CameraTable.Levels]>?) -> [Double]? {
      guard let entries = sourced?.value, let first = entries.first else { return nil }
      let values = (entries.last { $0.iso <= metadata.iso } ?? first).values
      switch values.count {
      case 1: return [Double](repeating: values[0], count: 4)
      case 3: return values + [values[1]]
      case 4: return values
      default: return nil
      }
    }
    func bits(_ level: Double) -> Int {
      level >= 1 && level < 1e9 ? Int.bitWidth - Int(level).leadingZeroBitCount : 0
    }
    let declared = bits(metadata.maximum)
    let white = levels(camera?.white).flatMap { levels in
      levels.allSatisfy { $0 <= metadata.maximum && bits($0) == declared } ? levels : nil
    }
    self.white = white
    black = levels(camera?.black).flatMap { levels in
      levels.allSatisfy { $0 >= 0 && $0 * 8 < metadata.maximum } ? levels : nil
    }
    whiteOrigin =
      white == nil ? .libRaw : FactOrigin(.table, camera?.white?.origin ?? "")
    blackOrigin = FactOrigin(.table, camera?.black?.origin ?? "")
  }
}
