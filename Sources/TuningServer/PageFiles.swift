internal import CTuningPage
import Hummingbird
import NIOCore

/// The files of the page, by name.
enum PageFiles {
  /// A file and what it is.
  struct File: Sendable {
    var bytes: ByteBuffer
    var contentType: String
  }

  /// All files. There is no path to a file in a folder: what is not in this table does not exist.
  static let all: [String: File] = {
    var files: [String: File] = [:]
    for number in 0..<tuning_page_count() {
      let file = unsafe tuning_page_at(number)
      let name = unsafe String(cString: file.name)
      let bytes = unsafe UnsafeRawBufferPointer(start: file.bytes, count: file.count)
      files[name] = unsafe File(bytes: ByteBuffer(bytes: bytes), contentType: contentType(of: name))
    }
    if let index = files["index.html"] {
      let text = String(buffer: index.bytes)
        .replacing("  <!-- modules -->\n", with: preloads(files.keys))
      files["index.html"]?.bytes = ByteBuffer(string: text)
    }
    return files
  }()

  /// Requests all modules at once: browsers would discover them one after the other.
  private static func preloads(_ names: some Sequence<String>) -> String {
    names.filter { $0.hasSuffix(".js") }.sorted()
      .map { "  <link rel=\"modulepreload\" href=\"/page/\($0)\">\n" }.joined()
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json", "webmanifest": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    default: "application/octet-stream"
    }
  }
}
