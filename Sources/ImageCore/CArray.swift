/// The elements of a C array, which Swift sees as a tuple.
package func elements<Tuple, Element: BitwiseCopyable>(
  _ tuple: Tuple, of: Element.Type
) -> [Element] {
  unsafe withUnsafeBytes(of: tuple) { bytes in
    let width = MemoryLayout<Element>.stride
    return stride(from: 0, to: bytes.count, by: width).map {
      unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Element.self)
    }
  }
}

/// The elements of a C array of floats.
package func floats<Tuple>(_ tuple: Tuple) -> [Double] {
  elements(tuple, of: Float.self).map(Double.init)
}
