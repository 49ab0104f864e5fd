import Formats
import Foundation
import ImageCore
import RawDecode

/// Reads a written DNG again before it is renamed: every sample must equal the source, bit for bit,
/// and levels, mosaic and areas must be equal. Works in bands of rows.
///
/// Samples of lossy JPEG XL must be close: with e the difference of √(x + 2⁻¹⁰) of the linear
/// values x ≥ 0, in which noise is approximately uniform, the root mean square of e must not exceed
/// ``lossOfRounding`` plus ``lossOfDistance`` for each unit of distance.
struct DNGVerification {
  /// The expected metadata and samples.
  let info: RawInfo
  let data: SensorData
  /// The expected LinearizationTable; empty for none.
  let table: [UInt16]
  /// Distance of JPEG XL; 0 for lossless.
  let distance: Float
  let limits: DecodeLimits
  /// Rows that are decoded together.
  let band: Int
  let workers: Int

  /// Checks the file open at `descriptor`, named `path` and made from `source`. Throws `WriteError`
  /// if the file differs from the expected one, and `RAWError` if the samples cannot be preserved
  /// by the codec.
  func check(_ descriptor: Int32, path: String, source: String?) throws {
    let name = source ?? "the source"
    func refuse(_ what: String, _ remedies: [Remedy] = []) -> WriteError {
      WriteError(
        .encoderFailed,
        "the DNG was written but \(what), so it was removed; \(name) is sound: report this raw, "
          + "or try another compression", path: path, remedies: remedies)
    }
    func fail(_ what: String) -> WriteError { refuse("does not contain \(what) of \(name)") }
    // More memory helps here too; the advice of other messages, to copy the file, does not.
    func unreadable(_ error: RAWError) -> WriteError {
      let isLimit = error.remedies.contains(.allowMemory)
      let reason = isLimit ? error.message : "\(error.stage): \(error.code)"
      return refuse("cannot be read again (\(reason))", error.remedies)
    }
    let written: RawFile
    do {
      written = try RawFile.open(path: "/dev/fd/\(descriptor)", limits: limits)
    } catch { throw unreadable(error) }
    guard written.info.storedSize == data.size, let tags = written.tags,
      written.info.activeArea == info.activeArea,
      written.info.size == info.size,
      written.info.crop == DNGCamera.crop(info)
    else { throw fail("the areas") }
    guard written.info.layout == info.layout else { throw fail("the color filters") }
    guard hasLevels(tags.levels.sensor) else { throw fail("the levels") }
    guard table.isEmpty || written.linearizationTable == table else {
      throw fail("the linearization table")
    }
    var loss = 0.0
    for first in stride(from: 0, to: data.size.height, by: band) {
      let rows = first..<min(first + band, data.size.height)
      let decoded: RawSamples?
      do {
        decoded = try written.decodeStored(rows: rows, workers: workers)
      } catch {
        guard ![.cancelled, .outOfMemory].contains(error.code) else { throw error }
        throw unreadable(error)
      }
      guard let samples = decoded else { throw fail("the samples") }
      if distance > 0 {
        loss += try squaredLoss(samples, rows)
      } else if !isEqual(samples, rows) {
        throw fail("the samples")
      }
    }
    let mean = loss / Double(max(data.samples.stride * data.samples.rows, 1))
    let maxLoss = Self.lossOfRounding + Self.lossOfDistance * Double(distance)
    guard distance == 0 || mean.squareRoot() <= maxLoss else {
      // Everything else is as written, and the codec preserves pictures: random noise, and samples
      // far above white, come from damaged files.
      func text(_ number: Double) -> String { String(format: "%.3f", number) }
      throw RAWError(
        .damaged, .decode,
        "its decoded samples lose more in JPEG XL than a distance of \(distance) may "
          + "(\(text(mean.squareRoot())), at most \(text(maxLoss))), so they or its levels are "
          + "damaged; copy the file again, or leave the distance out", path: source)
    }
  }

  /// Maximum root mean square of e for a distance of 0, and the increase for each unit.
  static let (lossOfRounding, lossOfDistance) = (0.002, 0.02)
  /// Added to linear values.
  private static let offset: Float = 0x1p-10

  /// Sum of e² over `rows`.
  private func squaredLoss(_ samples: RawSamples, _ rows: Range<Int>) throws(PixelError) -> Double {
    guard samples.format == .uint16, data.samples.format == .uint16,
      samples.stride == data.samples.stride
    else { return .infinity }
    let black = data.levels.black.min() ?? 0
    let scale = data.levels.scale.x
    return try Parallel.map(count: rows.count, workers: workers) { line in
      let (a, b) = unsafe (
        samples.counts(row: line), data.samples.counts(row: rows.lowerBound + line)
      )
      var sum = 0.0
      for x in 0..<samples.stride {
        let (p, q) = unsafe (max(Float(a[x]) - black, 0), max(Float(b[x]) - black, 0))
        let e = (p * scale + Self.offset).squareRoot() - (q * scale + Self.offset).squareRoot()
        sum += Double(e * e)
      }
      return sum
    }.reduce(0, +)
  }

  /// Whether black, and thus the scale of the channels that saturate last, is equal.
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
    // Rows of external samples may be longer than the picture is wide.
    let count = data.size.width * data.samplesPerPixel
    guard samples.format == data.samples.format, samples.stride >= count else { return false }
    for y in rows {
      let line = y - rows.lowerBound
      let (a, b, bytes): (UnsafeRawPointer, UnsafeRawPointer, Int)
      switch samples.format {
      case .uint16:
        unsafe (a, b, bytes) = unsafe (
          UnsafeRawPointer(samples.counts(row: line)),
          UnsafeRawPointer(data.samples.counts(row: y)), count * 2
        )
      case .float32:
        unsafe (a, b, bytes) = unsafe (
          UnsafeRawPointer(samples.floats(row: line)),
          UnsafeRawPointer(data.samples.floats(row: y)), count * 4
        )
      }
      guard unsafe memcmp(a, b, bytes) == 0 else { return false }
    }
    return true
  }
}
