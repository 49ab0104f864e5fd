import Foundation
import FoundationXML

/// One element of an XML document, its names resolved.
final class XMPElement {
  let name: XMPName
  let attributes: [(name: XMPName, value: String)]
  private(set) var children: [XMPElement] = []
  private(set) var text = ""

  init(_ name: XMPName, _ attributes: [(name: XMPName, value: String)]) {
    self.name = name
    self.attributes = attributes
  }

  fileprivate func add(_ child: XMPElement) { children.append(child) }
  fileprivate func add(_ more: String) { text += more }
}

/// Elements of an XML text by Foundation's parser.
///
/// Foundation hands attributes over by their prefixed names, so namespaces are resolved here. It
/// also goes on after some errors of form and returns success; the errors it reports are what
/// counts. Limits: 64 levels, 500,000 elements and attributes, 256 namespaces at a time.
final class XMPElements: XMLParserDelegate {
  static let maximumDepth = 64
  static let maximumCount = 500_000
  static let maximumNamespaces = 256
  /// libxml2's warnings of namespaces that are no absolute URIs: no errors.
  private static let warnings: Set<Int> = [99, 100]

  private var root: XMPElement?
  private var stack: [XMPElement] = []
  private var scopes: [[String: String]] = [["xml": XMPName.xml]]
  private var count = 0
  private var failure: (reason: String, line: Int)?

  private init() {}

  /// The outermost element of `text`, which stands in the file `path`.
  static func root(of text: XMPText, path: String?) throws(RecipeError) -> XMPElement {
    let elements = XMPElements()
    let parser = XMLParser(data: Data(text.utf8))
    parser.shouldProcessNamespaces = false
    parser.shouldResolveExternalEntities = false
    parser.delegate = elements
    let isParsed = parser.parse()
    if let failure = elements.failure {
      throw RecipeError(.malformed, failure.reason, path: path, line: failure.line)
    }
    guard isParsed, elements.stack.isEmpty, let root = elements.root else {
      throw RecipeError(.malformed, notWellFormed, path: path)
    }
    return root
  }

  private static let notWellFormed =
    "the XMP is no well-formed XML; save it again with the program that made it"

  private func fail(_ reason: String, _ parser: XMLParser) {
    guard failure == nil else { return }
    failure = (reason, max(parser.lineNumber, 1))
    parser.abortParsing()
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard failure == nil else { return }
    count += 1 + attributes.count
    guard stack.count < Self.maximumDepth else {
      return fail("the XMP is nested more than \(Self.maximumDepth) levels deep", parser)
    }
    guard count <= Self.maximumCount else {
      return fail("the XMP has more than \(Self.maximumCount) elements and attributes", parser)
    }
    var scope = scopes.last ?? [:]
    for (name, value) in attributes where name == "xmlns" || name.hasPrefix("xmlns:") {
      scope[String(name.dropFirst(6))] = value
    }
    guard scope.count <= Self.maximumNamespaces else {
      return fail("the XMP has more than \(Self.maximumNamespaces) namespaces", parser)
    }
    scopes.append(scope)
    func resolved(_ name: String, isAttribute: Bool) -> XMPName? {
      guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
        return XMPName(isAttribute ? "" : scope[""] ?? "", name)
      }
      guard let namespace = scope[String(name[..<colon])] else { return nil }
      return XMPName(namespace, String(name[name.utf8.index(after: colon)...]))
    }
    var own: [(name: XMPName, value: String)] = []
    // In a fixed order: a dictionary's differs from run to run.
    for (name, value) in attributes.sorted(by: { $0.key < $1.key })
    where name != "xmlns" && !name.hasPrefix("xmlns:") {
      guard let name = resolved(name, isAttribute: true) else {
        return fail(Self.notWellFormed, parser)
      }
      own.append((name, value))
    }
    guard let name = resolved(element, isAttribute: false) else {
      return fail(Self.notWellFormed, parser)
    }
    let child = XMPElement(name, own)
    stack.last?.add(child)
    if root == nil { root = child }
    stack.append(child)
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard failure == nil, !stack.isEmpty else { return }
    stack.removeLast()
    scopes.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if failure == nil { stack.last?.add(string) }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if failure == nil { stack.last?.add(String(decoding: block, as: UTF8.self)) }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    if !Self.warnings.contains((error as NSError).code) { fail(Self.notWellFormed, parser) }
  }
}
