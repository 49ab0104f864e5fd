/// The elements of a lensfun XML text, found as text, so that GLib parses only those that are
/// needed: parsing the lenses of one mount takes twenty times as long as finding one of them.
///
/// Tags have no attributes and no element is nested in another of its name, as in all of version 1.
/// Comments are skipped.
struct LensElements {
  /// The kinds of elements of a database.
  enum Kind: CaseIterable {
    case mount, camera, lens

    fileprivate var open: StaticString {
      switch self {
      case .mount: "<mount>"
      case .camera: "<camera>"
      case .lens: "<lens>"
      }
    }

    fileprivate var close: StaticString {
      switch self {
      case .mount: "</mount>"
      case .camera: "</camera>"
      case .lens: "</lens>"
      }
    }
  }

  private let text: UnsafeRawBufferPointer
  private var ranges: [(kind: Kind, range: Range<Int>)] = []

  /// The elements of `text`, whose memory must not move.
  init(_ text: UnsafeRawBufferPointer) {
    self.text = text
    var position = 0
    while let start = LensfunHandle.position(of: "<", in: text, from: position) {
      position = start + 1
      if begins("<!--", at: start) {
        guard let end = LensfunHandle.position(of: "-->", in: text, from: start) else { break }
        position = end
      } else if let kind = Kind.allCases.first(where: { begins($0.open, at: start) }) {
        guard let end = end(of: kind, from: start) else { break }
        position = end
        ranges.append((kind, start..<position))
      }
    }
  }

  /// The elements of `kind`.
  func all(_ kind: Kind) -> [UnsafeRawBufferPointer] {
    ranges.filter { $0.kind == kind }.map { UnsafeRawBufferPointer(rebasing: text[$0.range]) }
  }

  /// A database of these elements.
  func database(of elements: [UnsafeRawBufferPointer]) -> [UInt8] {
    let start = LensfunHandle.position(of: "<lensdatabase", in: text) ?? 0
    let end = LensfunHandle.position(of: ">", in: text, from: start).map { $0 + 1 } ?? start
    return Array(text[start..<end]) + elements.joined() + Array("</lensdatabase>".utf8)
  }

  /// The names of the models in `element`, with their tags.
  static func models(in element: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    var (found, position) = ([UnsafeRawBufferPointer](), 0)
    while let start = LensfunHandle.position(of: "<model", in: element, from: position),
      let end = LensfunHandle.position(of: "</model>", in: element, from: start)
    {
      found.append(UnsafeRawBufferPointer(rebasing: element[start..<end]))
      position = end
    }
    return found
  }

  /// The end of the element of `kind` at `start`.
  private func end(of kind: Kind, from start: Int) -> Int? {
    var position = start
    search: while let close = LensfunHandle.position(of: kind.close, in: text, from: position) {
      let element = UnsafeRawBufferPointer(rebasing: text[..<close])
      while let comment = LensfunHandle.position(of: "<!--", in: element, from: position) {
        guard let end = LensfunHandle.position(of: "-->", in: text, from: comment) else {
          return nil
        }
        position = end
        if end > close { continue search }
      }
      return close + kind.close.utf8CodeUnitCount
    }
    return nil
  }

  private func begins(_ tag: StaticString, at start: Int) -> Bool {
    let tag = UnsafeRawBufferPointer(start: tag.utf8Start, count: tag.utf8CodeUnitCount)
    return text[start...].starts(with: tag)
  }
}
