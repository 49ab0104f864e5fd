import ImageCore
package import RawDecode
import RawSensor

extension SensorData {
  /// Row `y` as linear values, black 0 and white 1, samples of a pixel side by side.
  package func linear(row y: Int) -> [Float] {
    var values = [Float](repeating: 0, count: size.width * samplesPerPixel)
    values.withUnsafeMutableBufferPointer {
      if let start = $0.baseAddress { linear(row: y, into: start) }
    }
    return values
  }
}
