import ImageCore
import Testing

@testable import Containers

@Suite struct XMLTreeTests {
  private static let text = """
    <?xpacket begin=""?><!-- <a> --><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns='urn:d'>
     <a b = '1 > 0' xml:lang="de">t&#x41;<![CDATA[<&amp;]]><c/>
    u<?pi?></a></r:RDF>
    """

  private func slice(_ tree: XMLTree, _ range: Range<Int>) -> String {
    String(decoding: tree.bytes[range], as: UTF8.self)
  }

  @Test(arguments: [XMLTree.Rules.wellFormed, .lenient])
  func rangesMatchTheBytes(rules: XMLTree.Rules) throws {
    let tree = XMLTree(Array(Self.text.utf8), rules)
    #expect(tree.fault == nil)
    #expect(
      tree.elements.map(\.name) == [.rdf, XMPName("urn:d", "a"), XMPName("urn:d", "c")])
    #expect(tree.elements.map(\.parent) == [nil, 0, 1] && tree.elements.map(\.depth) == [1, 2, 3])
    #expect(tree.rdf == 0)
    let a = tree.elements[1]
    #expect(slice(tree, a.startTag) == "<a b = '1 > 0' xml:lang=\"de\">")
    #expect(slice(tree, a.range).hasSuffix("u<?pi?></a>"))
    #expect(
      slice(tree, tree.elements[2].range) == "<c/>" && tree.elements[2].content?.isEmpty == true)
    #expect(a.attributes.map { slice(tree, $0.range) } == ["b = '1 > 0'", "xml:lang=\"de\""])
    #expect(a.attributes.map { slice(tree, $0.value) } == ["1 > 0", "de"])
    #expect(a.attributes.map(\.name) == [XMPName("", "b"), XMPName(.xml, "lang")])
    #expect(tree.elements[0].attributes.map(\.isDeclaration) == [true, true])
    #expect(tree.text(of: 1) == "tA<&amp;\nu")
  }

  /// Letters that are equivalent in Unicode are two prefixes and two names.
  @Test(arguments: [XMLTree.Rules.wellFormed, .lenient])
  func namesAreBytes(rules: XMLTree.Rules) {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let text =
      "<\(one):a xmlns:\(one)='urn:1' xmlns:\(two)='urn:2' \(one):b='' \(two):b=''>"
      + "<\(two):\(one)/><\(two):\(two)/></\(one):a>"
    let tree = XMLTree(Array(text.utf8), rules)
    #expect(tree.fault == nil)
    #expect(
      tree.elements.map(\.name)
        == [XMPName("urn:1", "a"), XMPName("urn:2", one), XMPName("urn:2", two)])
    #expect(Set(tree.elements.map(\.name)).count == 3)
    #expect(tree.elements.first?.attributes.suffix(2).map(\.name.namespace) == ["urn:1", "urn:2"])
  }

  /// The innermost declaration counts, up to the end of its element.
  @Test func scopesEnd() {
    let text =
      "<a xmlns:p='urn:1'><p:b xmlns:p='urn:2'><p:c/></p:b><p:d xmlns:p='urn:3'/><p:e/></a>"
    let names = XMLTree(Array(text.utf8), .lenient).elements.map(\.name.namespace)
    #expect(names == ["", "urn:2", "urn:2", "urn:3", "urn:1"])
  }

  @Test func textIsThatOfXML() {
    func text(_ text: String, _ context: XMLText.Context = .text) -> String {
      XMLText.decoded(Array(text.utf8)[...], context)
    }
    #expect(text("a&lt;b&amp;&#65;&#x42;&quot;&apos;&gt;&no;&#") == "a<b&AB\"'>&no;&#")
    #expect(
      text("&#0;&#xD800;&#x110000;&#99999999999;&amp") == "&#0;&#xD800;&#x110000;&#99999999999;&amp"
    )
    #expect(text("&#000000000000000000065;") == "A")
    #expect(text("&a\u{301};&#6\u{301}5;") == "&a\u{301};&#6\u{301}5;")
    #expect(text("a\r\nb\rc\td") == "a\nb\nc\td")
    #expect(text("a\r\nb\rc\td\n&#10;", .attribute) == "a b c d \n")
    #expect(text("&amp;\r\n", .literal) == "&amp;\n")
    #expect(XMLText.escaped("<a & \"b\">") == "&lt;a &amp; &quot;b&quot;&gt;")
  }

  /// From a damaged packet the part before the damage stays; what is not closed has no end.
  @Test func damageEndsTheTree() {
    let tree = XMLTree(Array("<a b='1'><c>1</c><d>2<e></d></a>".utf8), .lenient)
    #expect(tree.fault?.detail == "start and end tags do not match")
    #expect(tree.elements.map(\.name.name) == ["a", "c", "d", "e"])
    #expect(tree.elements.map { $0.content == nil } == [true, false, true, true])
    let lines = XMLTree(Array("<a>\n\n<b></c>".utf8), .wellFormed)
    #expect(lines.fault?.line == 3)
  }

  /// Errors by XML's definition, although positions are unambiguous.
  @Test func errorsOfFormAreRefusedWhereTheyCount() {
    for text in [
      "<a>&no;</a>", "<a b='1'c='2'/>", "<a b='1' b='2'/>", "<x:a/>", "<a x:b='1'/>", "<1/>",
      "<a b='<'/>", "<a>]]></a>", "<a><!-- -- --></a>", "<a/><b/>", "<a/>text", "text<a/>",
      "<a>\u{1}</a>", "<a>\u{FFFE}</a>", "<a><?xml?></a>", "",
      "<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>", "<a xmlns:x=''/>", "<a><?x:y?></a>",
      "<a xmlns:x='u' x:1='2'/>", "<a xmlns:x='u'><x:b:c/></a>",
    ] {
      #expect(XMLTree(Array(text.utf8), .wellFormed).fault != nil, "\(text)")
      #expect(XMLTree(Array(text.utf8), .lenient).fault == nil, "\(text)")
      let within = XMLTree(Array("<r>\(text)</r>".utf8), .wellFormed)
      #expect(within.elements[0].children == Array(within.elements.indices.dropFirst()), "\(text)")
    }
  }

  @Test func limitsEndTheTree() {
    let standard = DecodeLimits()
    func fault(_ text: String, _ limits: DecodeLimits = DecodeLimits()) -> String? {
      XMLTree(Array(text.utf8), .lenient, limits: limits).fault?.message
    }
    func times(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined() }
    #expect(fault(times(100_000) { _ in "<a>" }) == XMPFault.tooDeep(standard).message)
    #expect(
      fault("<a " + times(300_000) { "a\($0)='' " } + "/>")
        == XMPFault.tooManyItems(standard).message)
    #expect(
      fault("<a " + times(256) { "xmlns:a\($0)='u' " } + "/>") == XMPFault.tooManyNamespaces.message
    )
    #expect(
      fault("<a>" + times(300_000) { _ in "<a/>" } + "</a>")
        == XMPFault.tooManyItems(standard).message)
    // At a limit, and one above it.
    let few = DecodeLimits(maxItems: 5, maxNesting: 3)
    #expect(fault("<a b='' c=''><d/><e/></a>", few) == nil)
    #expect(fault("<a b='' c=''><d/><e f=''/></a>", few) == XMPFault.tooManyItems(few).message)
    #expect(fault("<a><b><c/></b></a>", few) == nil)
    #expect(fault("<a><b><c><d/></c></b></a>", few) == XMPFault.tooDeep(few).message)
    #expect(XMPFault.tooDeep(few).message.contains("more than 3 deep, the limit"))
    #expect(
      XMPFault.tooManyItems(few).message.contains("more than 5 elements and attributes"))
    #expect(fault("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>") == XMPFault.documentType.message)
    #expect(fault("<a><![CDATA[<!DOCTYPE]]><!-- <!DOCTYPE --></a>") == nil)
  }
}
