import Testing

@testable import Containers

@Suite struct XMPEditorTests {
  private func editor(_ text: String) -> XMPEditor {
    XMPEditor(XMLTree(Array(text.utf8), .lenient))
  }

  @Test func nothingElseIsTouched() throws {
    let text = "<x>\n <rdf:RDF>\n  <a  b='1'\n c=\"2\"/> <d/> </rdf:RDF ></x>\n\u{0}"
    var editor = editor(text)
    #expect(editor.bytes == Array(text.utf8))
    let a = editor.tree.elements[2]
    editor.remove(a.attributes[0].range)
    editor.replace(a.attributes[1].value, with: "345".utf8)
    editor.remove(editor.tree.elements[3].range)
    let isAppended = editor.append("<e/>".utf8)
    #expect(isAppended)
    #expect(
      String(decoding: editor.bytes, as: UTF8.self)
        == "<x>\n <rdf:RDF>\n  <a\n c=\"345\"/> <e/></rdf:RDF ></x>\n\u{0}")
  }

  @Test func whatHasNoRDFTakesNothing() {
    for text in ["", "<a/>", "<rdf:RDF/>", "<rdf:RDF><a></rdf:RDF>", "<rdf:RDF>"] {
      var editor = editor(text)
      let isAppended = editor.append("<b/>".utf8)
      #expect(!isAppended, "\(text)")
    }
  }
}
