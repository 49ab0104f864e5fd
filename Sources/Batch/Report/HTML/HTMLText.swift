/// Text and addresses in the form that HTML requires.
enum HTMLText {
  /// `text` for content and attributes: visible, and without characters that HTML reads as markup.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in EscapedText.of(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A link to the file at `path` from a page in `folder`, both within `working` where they are
  /// relative: relative to the page, every other byte than letters, digits and `-._~` of the names
  /// in percent, so that no name can name a scheme, a host or a query.
  static func link(to path: String, from folder: String, working: String) -> String {
    let target = parts(of: path, working: working)
    let from = parts(of: folder, working: working)
    var common = 0
    while common < min(target.count - 1, from.count), target[common] == from[common] { common += 1 }
    let up = Array(repeating: "..", count: from.count - max(common, 0))
    return (up + target.dropFirst(max(common, 0)).map(encoded)).joined(separator: "/")
  }

  private static func parts(of path: String, working: String) -> [Substring] {
    var parts: [Substring] = []
    let absolute = path.hasPrefix("/") ? path : working + "/" + path
    for part in absolute.split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return parts
  }

  private static func encoded(_ name: Substring) -> String {
    var result = ""
    for byte in name.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
