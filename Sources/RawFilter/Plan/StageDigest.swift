import Containers
import ImageCore
import RawDecode

/// A digest of the picture behind one stage: equal ones are the same pixels, bit for bit, however
/// the picture was cut into rectangles and by how many threads it was made.
package struct StageDigest: Sendable, Hashable {
  /// The stage, as `rawdev bench` names it; with a number from its second picture on, which blended
  /// renditions have.
  package let stage: String
  /// 32 hexadecimal digits.
  package let md5: String

  /// The picture `image` behind `stage`.
  init<State: ImageState>(_ stage: String, _ image: Image<State>, workers: Int) {
    self.init(stage, size: image.size, rows: image.size.height, workers: workers) { y, sum in
      for plane in 0..<3 {
        image.withRow(plane, y) { row in row.withUnsafeBytes { sum.add($0) } }
      }
    }
  }

  /// The stored samples `data` behind `stage`, with the levels that say what they mean.
  init(_ stage: String, _ data: SensorData, workers: Int) {
    let (samples, levels) = (data.samples, data.levels)
    let columns = data.size.width * data.samplesPerPixel
    // The row behind the last holds the levels.
    self.init(stage, size: data.size, rows: data.size.height + 1, workers: workers) { y, sum in
      if y == data.size.height {
        levels.addBits(to: &sum)
      } else if samples.format == .uint16 {
        sum.add(UnsafeRawBufferPointer(start: samples.counts(row: y), count: columns * 2))
      } else {
        sum.add(UnsafeRawBufferPointer(start: samples.floats(row: y), count: columns * 4))
      }
    }
  }

  /// The digest of the digests of `rows` rows, which `add` takes into a sum on any thread.
  private init(
    _ stage: String, size: PixelSize, rows: Int, workers: Int,
    _ add: @Sendable (_ row: Int, _ sum: inout MD5) -> Void
  ) {
    let digests = Parallel.map(count: rows, workers: workers) { y in
      var sum = MD5()
      add(y, &sum)
      return sum.digest()
    }
    let shape = Array("\(size.width) x \(size.height)".utf8)
    (self.stage, md5) = (stage, MD5.text(MD5.digest(shape + digests.joined())))
  }
}

extension SensorLevels {
  fileprivate func addBits(to sum: inout MD5) {
    let counts = [
      patternWidth, patternHeight, black.count, deltaColumn.count, deltaRow.count, curves.count,
      endsAtWhite ? 1 : 0,
    ].map(Int64.init)
    counts.withUnsafeBytes { sum.add($0) }
    for numbers in [black, deltaColumn, deltaRow, (0..<4).map { scale[$0] }] + curves {
      numbers.withUnsafeBytes { sum.add($0) }
    }
  }
}
