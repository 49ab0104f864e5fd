import ImageCore
package import RawData
import RawSensor
import SyntheticRaw

extension SensorData {
  /// Row `y` as linear values, black 0 and white 1, samples of a pixel side by side.
  package func linear(row y: Int) -> [Float] {
    var values = [Float](repeating: 0, count: size.width * samplesPerPixel)
    values.withUnsafeMutableBufferPointer { values in
      if let start = values.baseAddress { certain { try linear(row: y, into: start) } }
    }
    return values
  }
}
