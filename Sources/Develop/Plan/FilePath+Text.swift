public import SystemPackage

/// Paths are bytes; JSON and messages are text.
extension FilePath {
  /// The path for JSON, without loss: unchanged where it is UTF-8, otherwise a `file:` URL with
  /// other bytes as %XX.
  public var text: String {
    if let text = String(validating: self), !text.hasPrefix(Self.scheme) { return text }
    var address = Self.scheme
    for byte in bytes {
      let isPlain = byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
      if isPlain {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        address += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return address
  }

  /// The path whose ``text`` is `text`.
  public init(text: String) {
    guard text.hasPrefix(Self.scheme) else {
      self.init(text)
      return
    }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8.dropFirst(Self.scheme.utf8.count))[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    self.init(bytes: bytes)
  }

  /// Whether it is longer than any file is opened by. Such a path of a stranger is refused before
  /// it is taken apart, which takes time by the square of its length.
  package var isTooLong: Bool { length > Self.maxLength }

  /// Bytes of the longest path that files are opened by, PATH_MAX without the closing NUL.
  package static let maxLength = 4095

  private static let scheme = "file://"

  /// The path for people, always on one line.
  public var shown: String {
    String(decoding: self).unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }

  /// The bytes without the closing NUL.
  package var bytes: [UInt8] {
    unsafe withPlatformString { start in
      unsafe UnsafeBufferPointer(start: start, count: length).map { UInt8(truncatingIfNeeded: $0) }
    }
  }

  /// The path of these bytes, up to a NUL.
  package init(bytes: some Sequence<UInt8>) {
    let name = bytes.prefix { $0 != 0 }.map { CChar(truncatingIfNeeded: $0) }
    self.init(platformString: name + [0])
  }

  /// The last name without its extension.
  package var stemBytes: [UInt8] {
    guard let name = lastComponent?.bytes else { return [] }
    guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0 else { return name }
    return Array(name[..<point])
  }

  /// The part below `folder`; nil where it is not there.
  package func relative(to folder: FilePath) -> FilePath? {
    var path = self
    return path.removePrefix(folder) ? path : nil
  }
}

extension FilePath.Component {
  /// The bytes of the name.
  package var bytes: [UInt8] { FilePath(root: nil, [self]).bytes }
}
