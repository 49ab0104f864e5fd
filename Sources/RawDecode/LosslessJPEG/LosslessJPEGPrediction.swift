import ImageCore

/// Samples from differences: ITU-T T.81 (1992) H.1.2.1 and table H.1, modulo 65536.
///
/// With Ra the sample to the left, Rb above and Rc above Ra, all of the same component, predictors
/// 1 to 7 are Ra, Rb, Rc, Ra + Rb − Rc, Ra + (Rb − Rc)/2, Rb + (Ra − Rc)/2 and (Ra + Rb)/2. The
/// first row of a scan or restart interval is predicted by Ra and starts with half of full scale;
/// the first sample of the other rows is predicted by Rb.
enum LosslessJPEGPrediction {
  /// Converts the differences of `row` to samples by a predictor other than Ra, whose sums the
  /// reader computes; `above` is the row above. Returns the bitwise OR of all samples.
  static func apply(
    _ header: LosslessJPEGHeader, to row: CodeRowView, above: CodeRowView
  ) -> UInt16 {
    let (n, count) = (header.components, header.samplesPerRow)
    for c in 0..<n { row[c] = row[c] &+ above[c] }
    switch header.predictor {
    case 2: for i in n..<max(count, n) { row[i] = row[i] &+ above[i] }
    case 3: for i in n..<max(count, n) { row[i] = row[i] &+ above[i &- n] }
    case 4: predict(row, above, count, n) { a, b, c in a &+ b &- c }
    case 5: predict(row, above, count, n) { a, b, c in a &+ (b &- c) &>> 1 }
    case 6: predict(row, above, count, n) { a, b, c in b &+ (a &- c) &>> 1 }
    default: predict(row, above, count, n) { a, b, _ in (a &+ b) &>> 1 }
    }
    var all: UInt16 = 0
    for i in 0..<count { all |= row[i] }
    return all
  }

  /// The predictors that need the left sample and the samples above.
  @inline(__always)
  private static func predict(
    _ row: CodeRowView, _ above: CodeRowView, _ count: Int, _ n: Int,
    _ prediction: (_ left: Int32, _ above: Int32, _ aboveLeft: Int32) -> Int32
  ) {
    for c in 0..<n {
      var left = Int32(row[c])
      var aboveLeft = Int32(above[c])
      var i = c &+ n
      while i < count {
        let b = Int32(above[i])
        let value = UInt16(truncatingIfNeeded: prediction(left, b, aboveLeft) &+ Int32(row[i]))
        row[i] = value
        left = Int32(value)
        aboveLeft = b
        i &+= n
      }
    }
  }
}
