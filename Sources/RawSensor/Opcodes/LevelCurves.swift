import ImageCore
import RawData

/// List 2 as one function for each plane, which avoids a picture of floats.
///
/// If all its opcodes are maps of values over the full picture, and black is constant, the linear
/// value depends on the stored 16-bit number alone: `curves` of ``SensorLevels`` hold it for all
/// 65536. Lossy DNGs reverse their encoding by such a list.
enum LevelCurves {
  /// `data` with curves instead of `actions`; nil if that is not equivalent.
  static func fold(
    _ actions: [Opcode.Action], _ frame: OpcodeFrame, _ data: SensorData
  ) -> SensorData? {
    let (levels, perPixel) = (data.levels, data.samplesPerPixel)
    guard data.samples.format == .uint16, levels.curves.isEmpty, levels.deltaColumn.isEmpty,
      levels.deltaRow.isEmpty,
      levels.black.indices.allSatisfy({ levels.black[$0] == levels.black[$0 % perPixel] })
    else { return nil }
    if case .mosaic(let cfa) = data.layout {
      guard cfa.channels.allSatisfy({ levels.scale[Int($0)] == levels.scale[0] }) else {
        return nil
      }
    }
    var maps: [LookupTable] = []
    for action in actions {
      guard case .map(let map) = action, map.area.covers(frame.size) else { return nil }
      maps.append(map)
    }
    var folded = levels
    folded.curves = (0..<perPixel).map { plane in
      var curve = (0..<65536).map { (Float($0) - levels.black[plane]) * levels.scale[plane] }
      curve.withUnsafeMutableBufferPointer { curve in
        guard let values = curve.baseAddress else { return }
        // One long row that lies within every area.
        let line = OpcodeFrame(size: PixelSize(width: curve.count, height: 1))
        let run = PixelRun(
          values: MutableRowView(values, count: curve.count, before: 0, behind: 0),
          count: curve.count, x: 0, y: 0, plane: plane)
        for map in maps { map.everywhere.apply(run, line) }
      }
      return curve
    }
    return SensorData(
      size: data.size, layout: data.layout, samples: data.samples, levels: folded)
  }
}

extension LookupTable {
  /// The same function over all of any picture.
  fileprivate var everywhere: LookupTable { LookupTable(area: area.everywhere, function: function) }
}
