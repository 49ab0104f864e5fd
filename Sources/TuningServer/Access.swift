import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Synchronization

/// Who may ask: browsers that were given the address, on the address that was given.
///
/// The cookie keeps out other users and programs that guess the port. `Host` keeps out pages whose
/// name was pointed at this address afterwards (DNS rebinding), `Origin`, `Sec-Fetch-Site` and the
/// content type keep out requests that another page makes with our cookie.
final class Access: Sendable {
  private let token: AccessToken
  private let password: String?
  private let address: String
  private let port = Mutex(0)
  private let once = Mutex<Set<String>>([])

  /// `address` is what is listened on.
  init(token: AccessToken, password: String?, address: String) {
    (self.token, self.password, self.address) = (token, password, address)
  }

  /// The port, once it is known.
  func listen(on port: Int) { self.port.withLock { $0 = port } }

  /// The address for people to open.
  var url: String { url(token: password == nil ? token.text : nil) }

  /// An address that opens the page once, for command lines, which others can read.
  var urlForOnce: String {
    guard password == nil else { return url }
    let token = AccessToken()
    once.withLock { _ = $0.insert(token.text) }
    return url(token: token.text)
  }

  private func url(token: String?) -> String {
    let host = Self.isWildcard(address) ? "localhost" : Self.bracketed(address)
    return "http://\(host):\(port.withLock { $0 })/" + (token.map { "?token=\($0)" } ?? "")
  }

  /// The header that makes a browser one that was given the address.
  var cookie: String {
    "\(cookieName)=\(cookieValue); Path=/; HttpOnly; SameSite=Strict"
  }
  var cookieValue: String { token.text }
  private var cookieName: String { "rawdev-\(port.withLock { $0 })" }

  /// Whether `given`, of an address, is the token or one for a single use.
  func takes(token given: String) -> Bool {
    if password == nil, token.matches(given) { return true }
    return once.withLock { tokens in
      let found = tokens.first { ConstantTime.equal($0, given) }
      return found.map { tokens.remove($0) != nil } ?? false
    }
  }

  /// Whether the request brings the cookie.
  func hasCookie(_ request: Request) -> Bool {
    request.cookies[cookieName].map { token.matches($0.value) } ?? false
  }

  /// Whether a password is asked for.
  var needsPassword: Bool { password != nil }

  /// Whether the request brings the password, by basic authentication; the name does not count.
  func hasPassword(_ request: Request) -> Bool {
    guard let password, let header = request.headers[.authorization],
      header.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: String(header.dropFirst(6))),
      let colon = data.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    return ConstantTime.equal(password, String(decoding: data[(colon + 1)...], as: UTF8.self))
  }

  /// Throws where the request was not made to our address or was made by another page.
  func check(_ request: Request) throws(RequestRefusal) {
    guard let host = request.head.authority, isOwn(host) else {
      throw .forbidden("the request is for another host; open the address that rawdev tune printed")
    }
    if let origin = request.headers[.origin], origin != "http://\(host)" {
      throw .forbidden("the request comes from a page of another origin")
    }
    let site = request.headers[Self.fetchSite]
    if let site, !["same-origin", "none"].contains(site), request.uri.path != "/" {
      throw .forbidden("the request comes from a page of another site")
    }
    guard request.method != .get, request.method != .head else {
      let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
      guard length == 0, request.headers[.transferEncoding] == nil else {
        throw .badRequest("a GET must not have a body")
      }
      return
    }
    let type = request.headers[.contentType]?.split(separator: ";").first ?? ""
    guard type.lowercased() == "application/json" else {
      throw RequestRefusal(
        .unsupportedMediaType, "badRequest", "the content type is not application/json")
    }
  }

  // swift-format-ignore: NeverForceUnwrap
  private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!

  /// Whether `host`, with its port, is an address of this server.
  private func isOwn(_ host: String) -> Bool {
    let number = port.withLock { $0 }
    // Browsers leave out the port of HTTP.
    let suffix = number == 80 && !host.hasSuffix(":80") ? "" : ":\(number)"
    guard host.hasSuffix(suffix) else { return false }
    let name = host.dropLast(suffix.count).lowercased()
    if ["127.0.0.1", "localhost", "[::1]"].contains(name) { return true }
    if name == Self.bracketed(address).lowercased() { return true }
    // On all interfaces any IP address is ours. A host name could belong to anyone, except our own.
    guard Self.isWildcard(address) else { return false }
    let own = ProcessInfo.processInfo.hostName.lowercased()
    return name == own || name == own + ".local"
      || name.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
      || name.hasPrefix("[") && name.hasSuffix("]")
  }

  private static func isWildcard(_ address: String) -> Bool { ["0.0.0.0", "::"].contains(address) }
  private static func bracketed(_ address: String) -> String {
    address.contains(":") ? "[\(address)]" : address
  }
}
