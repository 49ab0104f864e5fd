import ImageCore
import RawData

extension LookupTable {
  func apply(_ run: PixelRun, _ frame: OpcodeFrame) {
    let positions = area.positions(in: run, frame)
    let (values, top) = (run.values, frame.top)
    let (toValue, fromValue) = (1 / run.balance, run.balance)
    switch function {
    case .table(let entries):
      let (toIndex, fromEntry) = (65535 / top, top / 65535)
      let last = entries.count - 1
      entries.withUnsafeBufferPointer { entries in
        for i in positions {
          let value = Self.clip(values[i] * toValue, top)
          let index = min(Int(value * toIndex + 0.5), last)
          values[i] = Float(entries[index]) * fromEntry * fromValue
        }
      }
    case .polynomial(let coefficients):
      coefficients.withUnsafeBufferPointer { c in
        for i in positions {
          let value = Self.clip(values[i] * toValue, top)
          var sum: Float = 0
          for k in stride(from: c.count - 1, through: 0, by: -1) { sum = sum * value + c[k] }
          values[i] = Self.clip(sum, top) * fromValue
        }
      }
    }
  }

  /// Clamped to 0…top; NaN becomes 0.
  @inline(__always)
  private static func clip(_ value: Float, _ top: Float) -> Float {
    value > 0 ? (value < top ? value : top) : 0
  }
}
