import CVector
import ImageCore
import RawData

/// A ``RadialVignette`` for pictures of one width: the squared distance of each column.
struct PreparedVignette: Sendable {
  private let frame: OpcodeFrame
  private let centerY: Double
  private let unit: Double
  private let coefficients: [Float]
  private let columns: [Float]
  private let isDivisor: Bool
  /// Minimum divisor, anywhere on the sensor.
  private static let minDivisor: Float = 0.03

  init(_ vignette: RadialVignette, _ frame: OpcodeFrame, width: Int) {
    self.frame = frame
    isDivisor = vignette.isDivisor
    let unit = frame.farthestCorner(from: vignette.center)
    let centerX = vignette.center.x * Double(frame.size.width)
    self.unit = unit
    centerY = vignette.center.y * Double(frame.size.height)
    coefficients = vignette.coefficients.map { Float($0) }
    columns = (0..<width).map {
      let distance = (frame.centerX($0) - centerX) / unit
      return Float(distance * distance)
    }
  }

  func apply(_ run: PixelRun) {
    let distance = (frame.centerY(run.y) - centerY) / frame.pixelAspect / unit
    let row = Float(distance * distance)
    let k = (coefficients[0], coefficients[1], coefficients[2], coefficients[3], coefficients[4])
    let largest = SIMD8(repeating: OpcodeFrame.largest * frame.top)
    let minDivisor = SIMD8(repeating: Self.minDivisor)
    columns.withUnsafeBufferPointer { columns in
      guard let start = columns.baseAddress else { return }
      let squares = RowView(start, count: columns.count, before: 0, behind: 0).from(run.x)
      @inline(__always)
      func corrected(_ values: SIMD8<Float>, _ square: SIMD8<Float>) -> SIMD8<Float> {
        let r = square + row
        let inner = k.2 + r * (k.3 + r * k.4)
        let sum = 1 + r * (k.0 + r * (k.1 + r * inner))
        let changed = isDivisor ? values / cv_max8(sum, minDivisor) : values * sum
        return cv_clamp8(changed, -largest, largest)
      }
      // Neither row has a margin.
      let vectorEnd = run.count & ~7
      for i in vectors(vectorEnd) {
        run.values.setLanes(i, corrected(run.values.lanes(i), squares.lanes(i)))
      }
      var (values, last) = (SIMD8<Float>(), SIMD8<Float>())
      for i in vectorEnd..<run.count {
        (values[i - vectorEnd], last[i - vectorEnd]) = (run.values[i], squares[i])
      }
      values = corrected(values, last)
      for i in vectorEnd..<run.count { run.values[i] = values[i - vectorEnd] }
    }
  }
}
