import ImageCore

/// Black and white of a camera that LibRaw does not list, from the table. The white replaces the
/// declared one, which is often just the largest code, when it has as many bits: tables count in
/// the bits of one storage, and a camera may have several. The black is for files of which LibRaw
/// reads none, and where no masked pixels show it.
struct TableLevels {
  /// Levels of LibRaw's four filters; nil where the table's do not apply.
  let white: [Double]?
  let black: [Double]?
  let whiteOrigin: FactOrigin
  let blackOrigin: FactOrigin

  /// The levels for the file that LibRaw describes as `facts`; those of `camera`, nil for one that
  /// LibRaw lists or the table does not have.
  init(_ facts: LibRawFacts, camera: CameraTable.Camera?) {
    func levels(_ sourced: CameraTable.Sourced<[CameraTable.Levels]>?) -> [Double]? {
      guard let entries = sourced?.value, let first = entries.first else { return nil }
      let values = (entries.last { $0.iso <= facts.iso } ?? first).values
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
    let declared = bits(facts.maximum)
    let white = levels(camera?.white).flatMap { levels in
      levels.allSatisfy { $0 <= facts.maximum && bits($0) == declared } ? levels : nil
    }
    self.white = white
    black = levels(camera?.black).flatMap { levels in
      levels.allSatisfy { $0 >= 0 && $0 * 8 < facts.maximum } ? levels : nil
    }
    whiteOrigin =
      white == nil ? .libRaw : FactOrigin(.table, camera?.white?.origin ?? "")
    blackOrigin = FactOrigin(.table, camera?.black?.origin ?? "")
  }
}
