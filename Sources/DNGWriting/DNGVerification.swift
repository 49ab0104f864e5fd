import Formats
import Foundation
import ImageCore
import RawDecode

/// Reads a written DNG again, before it gets its name: every sample must be that of the source, bit
/// for bit, and levels, mosaic and areas must be the same. Some rows at a time.
struct DNGVerification {
  let source: RawFile
  let data: SensorData
  /// Rows that are decoded together.
  let band: Int
  let workers: Int

  /// Checks the file that is open at `descriptor`, which `path` names.
  func check(_ descriptor: Int32, path: String) throws {
    func fail(_ what: String) -> WriteError {
      WriteError(
        .encoderFailed,
        "the DNG was written but does not hold \(what) of the source, so it was removed; report "
          + "this raw, or try another --compression", path: path)
    }
    let written: RawFile
    do {
      written = try RawFile.open(path: "/dev/fd/\(descriptor)", limits: source.limits)
    } catch {
      throw fail("what can be read again as the picture (\(error.message))")
    }
    guard written.info.storedSize == data.size, let tags = written.tags,
      written.info.activeArea == source.info.activeArea,
      written.info.size == source.info.size,
      written.info.crop == DNGCamera.crop(source.info)
    else { throw fail("the areas") }
    guard written.info.layout == source.info.layout else { throw fail("the color filters") }
    guard hasLevels(tags.levels.sensor) else { throw fail("the levels") }
    guard !source.keepsTable || written.linearizationTable == source.linearizationTable else {
      throw fail("the linearization table")
    }
    for first in stride(from: 0, to: data.size.height, by: band) {
      let rows = first..<min(first + band, data.size.height)
      guard let samples = try written.decodeWhole(rows: rows, workers: workers),
        isEqual(samples, rows)
      else { throw fail("the samples") }
    }
  }

  /// Whether black, and with it the scale of those channels that saturate last, is the same.
  private func hasLevels(_ levels: SensorLevels) -> Bool {
    let own = data.levels
    let planes = data.samplesPerPixel
    func black(_ levels: SensorLevels, _ x: Int, _ y: Int, _ plane: Int) -> Float {
      levels.black[
        (y % levels.patternHeight * levels.patternWidth + x % levels.patternWidth) * planes + plane]
    }
    let height = max(own.patternHeight, levels.patternHeight)
    let width = max(own.patternWidth, levels.patternWidth)
    for y in 0..<height {
      for x in 0..<width {
        for plane in 0..<planes where black(own, x, y, plane) != black(levels, x, y, plane) {
          return false
        }
      }
    }
    return own.deltaRow == levels.deltaRow && own.deltaColumn == levels.deltaColumn
  }

  private func isEqual(_ samples: RawSamples, _ rows: Range<Int>) -> Bool {
    guard samples.format == data.samples.format, samples.stride == data.samples.stride else {
      return false
    }
    for y in rows {
      let line = y - rows.lowerBound
      let (a, b, bytes): (UnsafeRawPointer, UnsafeRawPointer, Int)
      switch samples.format {
      case .uint16:
        unsafe (a, b, bytes) = unsafe (
          UnsafeRawPointer(samples.counts(row: line)),
          UnsafeRawPointer(data.samples.counts(row: y)), samples.stride * 2
        )
      case .float32:
        unsafe (a, b, bytes) = unsafe (
          UnsafeRawPointer(samples.floats(row: line)),
          UnsafeRawPointer(data.samples.floats(row: y)), samples.stride * 4
        )
      }
      guard unsafe memcmp(a, b, bytes) == 0 else { return false }
    }
    return true
  }
}
