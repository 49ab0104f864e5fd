import Formats
import Foundation
import ImageCore
import RawDecode

/// Reads a written DNG again, before it gets its name: every sample must be that of the source, bit
/// for bit, and levels, mosaic and areas must be the same. Some rows at a time.
///
/// Samples of lossy JPEG XL must be near: with e the difference of √(x + 2⁻¹⁰) of the linear values
/// x ≥ 0, in which noise is about the same everywhere, the root of the mean of e² may be
/// ``lossOfRounding``, and ``lossOfDistance`` more for each unit of distance.
struct DNGVerification {
  /// What is to be found, and its samples.
  let info: RawInfo
  let data: SensorData
  /// LinearizationTable that is to be found; empty for none.
  let table: [UInt16]
  /// Distance of JPEG XL; 0 where nothing is lost.
  let distance: Float
  let limits: DecodeLimits
  /// Rows that are decoded together.
  let band: Int
  let workers: Int

  /// Checks the file that is open at `descriptor`, which `path` names and which was made of
  /// `source`. Throws `WriteError` for another file than was to be written, and `RAWError` where
  /// the samples are none that the codec keeps.
  func check(_ descriptor: Int32, path: String, source: String?) throws {
    let name = source ?? "the source"
    func refuse(_ what: String) -> WriteError {
      WriteError(
        .encoderFailed,
        "the DNG was written but \(what), so it was removed; \(name) is sound: report this raw, "
          + "or try another compression", path: path)
    }
    func fail(_ what: String) -> WriteError { refuse("does not hold \(what) of \(name)") }
    // To copy the file again is advice for files from elsewhere; to raise a limit is not.
    func unreadable(_ error: RAWError) -> WriteError {
      let words = error.message
      let reason = error.code == .tooLarge ? words : String(words.prefix { $0 != ";" })
      return refuse("cannot be read again (\(reason))")
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
    let most = Self.lossOfRounding + Self.lossOfDistance * Double(distance)
    guard distance == 0 || mean.squareRoot() <= most else {
      // All else is as it was written, and the codec keeps pictures: noise without sense, and
      // samples far above white, are those of damaged files.
      func text(_ number: Double) -> String { String(format: "%.3f", number) }
      throw RAWError(
        .damaged, .decode,
        "its decoded samples lose more in JPEG XL than a distance of \(distance) may "
          + "(\(text(mean.squareRoot())), at most \(text(most))), so they or its levels are "
          + "damaged; copy the file again, or leave the distance out", path: source)
    }
  }

  /// Largest root mean square of e for a distance of 0, and what each unit of it adds.
  static let (lossOfRounding, lossOfDistance) = (0.002, 0.02)
  /// Added to linear values.
  private static let offset: Float = 0x1p-10

  /// Σe² of `rows`.
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
    // Rows of samples from elsewhere may be longer than the picture is wide.
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
