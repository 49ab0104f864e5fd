import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import TuningServer

/// Who may ask for what.
@Suite struct AccessTests {
  private static let addresses = [
    "/", "/page/index.html", "/api/start", "/api/pictures", "/api/pictures/first/thumbnail",
    "/api/edits", "/api/recipes", "/api/events", "/api/jobs/1/files/0", "/nothing",
  ]

  @Test(arguments: addresses) func nothingIsAnsweredWithoutTheCookie(_ address: String) async throws
  {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let wrong = "rawdev-\(server.port)=" + String(repeating: "0", count: 32)
      for cookie in [nil, wrong, "rawdev-\(server.port)=", "rawdev-1=\(server.token)"] as [String?]
      {
        let reply = try await server.get(address, ["Cookie": cookie])
        #expect(reply.status == 403)
        #expect(reply.code == "forbidden")
        #expect(!reply.text.contains("\n"))
      }
    }
  }

  @Test func theTokenBecomesACookie() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let reply = try await server.get("/?token=\(server.token)", ["Cookie": nil])
      #expect(reply.status == 303)
      #expect(reply.fields["location"] == "/")
      let cookie = try #require(reply.fields["set-cookie"])
      #expect(cookie.hasPrefix(server.cookie + ";"))
      #expect(cookie.contains("HttpOnly"))
      #expect(cookie.contains("SameSite=Strict"))
      #expect(try await server.get("/").status == 200)
      for token in ["", "x", String(server.token.dropLast()), server.token + "0"] {
        #expect(try await server.get("/?token=\(token)", ["Cookie": nil]).status == 403)
      }
      // The token opens the page, nothing else.
      #expect(
        try await server.get("/api/start?token=\(server.token)", ["Cookie": nil]).status == 403)
    }
  }

  @Test func anAddressForCommandLinesOpensOnce() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let url = try #require(URLComponents(string: server.server.urlForOnce))
      let target = "/?" + (url.query ?? "")
      #expect(!target.contains(server.token))
      #expect(try await server.get(target, ["Cookie": nil]).status == 303)
      #expect(try await server.get(target, ["Cookie": nil]).status == 403)
    }
  }

  @Test func otherHostsOriginsAndSitesAreRefused() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let port = server.port
      for host in ["evil.example:\(port)", "127.0.0.1", "127.0.0.1:1", "localhost.evil:\(port)"] {
        let reply = try await server.get("/api/start", ["Host": host])
        #expect(reply.status == 403, "\(host)")
      }
      for origin in [
        "http://evil.example", "null", "https://127.0.0.1:\(port)", "http://127.0.0.1",
      ] {
        let reply = try await server.get("/api/start", ["Origin": origin])
        #expect(reply.status == 403, "\(origin)")
      }
      for site in ["cross-site", "same-site"] {
        let reply = try await server.get("/api/start", ["Sec-Fetch-Site": site])
        #expect(reply.status == 403, "\(site)")
      }
      let own = ["Origin": "http://\(server.host)", "Sec-Fetch-Site": "same-origin"]
      #expect(try await server.get("/api/start", own).status == 200)
      #expect(try await server.get("/api/start", ["Host": "localhost:\(port)"]).status == 200)
    }
  }

  @Test func formsOfOtherPagesAreRefused() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      for type in [nil, "text/plain", "application/x-www-form-urlencoded"] as [String?] {
        let reply = try await server.act("open", "{}", on: nil, ["Content-Type": type])
        #expect(reply.status == 415)
      }
    }
  }

  @Test(arguments: ["/", "/nothing", "/api/start"])
  func everyAnswerSaysWhatABrowserMayDo(_ address: String) async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      for cookie in [server.cookie, nil] as [String?] {
        let reply = try await server.get(address, ["Cookie": cookie])
        let policy = reply.fields["content-security-policy"] ?? ""
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(reply.fields["cache-control"] == "no-store")
        #expect(reply.fields["x-content-type-options"] == "nosniff")
        #expect(reply.fields["referrer-policy"] == "no-referrer")
        #expect(reply.fields["cross-origin-resource-policy"] == "same-origin")
      }
    }
  }

  @Test func aPasswordReplacesTheToken() async throws {
    let raw = try SmallRaw()
    let protected: (inout TuningServerOptions) -> Void = { $0.password = "correct horse" }
    try await RunningServer.with(raw.folder, protected) { server in
      #expect(server.token.isEmpty)
      func open(_ password: String?) async throws -> Reply {
        let coded = password.map { "Basic " + Data("any:\($0)".utf8).base64EncodedString() }
        return try await server.get("/", ["Cookie": nil, "Authorization": coded])
      }
      let asked = try await open(nil)
      #expect(asked.status == 401)
      #expect(asked.fields["www-authenticate"]?.hasPrefix("Basic") == true)
      #expect(try await open("correct hors").status == 401)
      #expect(try await open("correct horse").status == 303)
      #expect(try await server.get("/api/start", ["Cookie": nil]).status == 403)
    }
  }

  /// More than the limit, each with the start of a request.
  @Test func strangersDoNotLockAnyoneOut() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      var strangers: [Connection] = []
      for _ in 0..<140 {
        let stranger = try Connection(port: server.port)
        try await stranger.send(Array("GET / HTTP/1.1\r\n".utf8))
        strangers.append(stranger)
      }
      #expect(try await server.get("/api/start").status == 200)
      // The oldest had to go, but not who may ask.
      #expect(try await strangers[0].exchange([]).isEmpty)
      _ = try await server.step(#"{"exposure":1}"#)
      try await events.read(until: #""type":"edit""#)
    }
  }

  @Test func otherComputersNeedAPassword() throws {
    let raw = try SmallRaw()
    for address in ["0.0.0.0", "::", "192.168.1.2", "a.example"] {
      var options = TuningServerOptions(worker: [])
      options.address = address
      #expect(throws: TuningServerError.self) {
        try TuningServer(FilePath(raw.folder), options: options)
      }
      options.password = "short"
      #expect(throws: TuningServerError.self) {
        try TuningServer(FilePath(raw.folder), options: options)
      }
    }
  }

  @Test func aPortInUseIsNamed() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { first in
      var options = TuningServerOptions(worker: [])
      options.port = first.port
      let second = try TuningServer(FilePath(raw.folder), options: options)
      await #expect {
        try await second.run {}
      } throws: { error in
        (error as? TuningServerError)?.code == .cannotListen && "\(error)".contains("\(first.port)")
      }
    }
  }

  @Test func aTokenIsStoredForTheSameFolderOnly() throws {
    let files = try TestFolder()
    let path = FilePath(files.file("state/tune-1"))
    let first = AccessToken(storedAt: path, folder: "/a")
    #expect(AccessToken(storedAt: path, folder: "/a").text == first.text)
    #expect(AccessToken(storedAt: path, folder: "/b").text != first.text)
    let second = AccessToken(storedAt: path, folder: "/a")
    #expect(second.text != first.text)
    #expect((try Stat(path)).permissions == .ownerReadWrite)
    let late = Date(timeIntervalSinceNow: 2 * 86_400)
    #expect(AccessToken(storedAt: path, folder: "/a", now: late).text != second.text)
    // One that others can read may be known to them.
    let third = AccessToken(storedAt: path, folder: "/a")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path.string)
    #expect(AccessToken(storedAt: path, folder: "/a").text != third.text)
    try files.write("no token\n/a", to: "state/tune-2")
    #expect(
      AccessToken(storedAt: FilePath(files.file("state/tune-2")), folder: "/a").text.count == 32)
  }

  @Test func secretsAreEqualOnlyToThemselves() {
    #expect(ConstantTime.equal("abc", "abc"))
    for other in ["", "ab", "abcd", "abcabc", "abd", "ABC"] {
      #expect(!ConstantTime.equal("abc", other))
    }
    #expect(!ConstantTime.equal("", ""))
  }
}
