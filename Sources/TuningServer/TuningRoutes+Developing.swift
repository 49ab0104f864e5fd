import Develop
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Recipes
import SystemPackage
import Tuning

/// Files made of pictures.
extension TuningRoutes {
  private struct DevelopBody: Decodable, Sendable {
    var ids: [PictureID]
    var format: String
    var options: [String: RecipeValue]?
  }
  private struct Begun: Encodable { var job: Int }

  func addDeveloping(to router: Router<Context>) {
    post(router, "/api/develop", DevelopBody.self) { body, _ in
      try Answers.json(Begun(job: try server.jobs.begin(try request(body))))
    }
    post(router, "/api/jobs/:job/cancel", Nothing.self) { _, asking in
      try server.jobs.job(try asking.number("job")).cancel()
      return try Answers.empty()
    }
    router.get("/api/jobs/:job/files/:n") { request, context in
      let asking = Asking(request, context)
      let job = try server.jobs.job(try asking.number("job"))
      guard let path = job.path(try asking.number("n")) else {
        throw RequestRefusal.notFound("the job wrote no such file")
      }
      return try DevelopedFile(path).response
    }
  }

  private func request(_ body: DevelopBody) throws -> DevelopRequest {
    guard !body.ids.isEmpty, body.ids.count <= server.folder.count,
      Set(body.ids).count == body.ids.count
    else { throw RequestRefusal.badRequest("ids takes ids of pictures, each once") }
    for id in body.ids { try check(id) }
    var options = body.options ?? [:]
    let folder = try DevelopRequest.folder(options.removeValue(forKey: "folder"))
    let overwrites = options.removeValue(forKey: "overwrite") == .bool(true)
    let output = try DevelopRequest.output(format: body.format, options: options)
    return DevelopRequest(
      ids: body.ids, edits: server.edits.pendingValues(of: body.ids), output: output,
      folder: folder, overwrites: overwrites)
  }

  /// Throws where the folder never had the picture, or it was replaced. A missing file fails by
  /// itself.
  private func check(_ id: PictureID) throws {
    guard server.folder.entry(id) != nil else {
      throw RequestRefusal.notFound("there is no such picture; reload the page")
    }
    do { _ = try server.folder.path(id) } catch let error as TuningFolder.AnotherPicture {
      throw error
    } catch {}
  }
}

/// A file that was developed, as a response that is read from the disk while it is sent.
struct DevelopedFile {
  let response: Response

  // swift-format-ignore: NeverForceUnwrap
  private static let disposition = HTTPField.Name("Content-Disposition")!
  private static let types = [
    "jpg": "image/jpeg", "png": "image/png", "avif": "image/avif", "heic": "image/heic",
    "heif": "image/heif", "tif": "image/tiff", "tiff": "image/tiff", "jxl": "image/jxl",
  ]

  /// Opens the file at `path`. Throws where it no longer exists.
  init(_ path: FilePath) throws {
    guard
      let status = try? Stat(path, followTargetSymlink: false), status.type == .regular,
      let file = try? SystemPackage.FileDescriptor.open(
        path, .readOnly, options: [.noFollow, .closeOnExec])
    else { throw RequestRefusal.notFound("\(path.shown): the file no longer exists") }
    let reader = FileReader(file)
    let name = path.lastComponent?.string ?? ""
    let type = Self.types[path.extension?.lowercased() ?? ""] ?? "application/octet-stream"
    let coded =
      name.addingPercentEncoding(
        withAllowedCharacters: .alphanumerics.union(.init(charactersIn: ".-_")))
      ?? ""
    response = Response(
      status: .ok,
      headers: [
        .contentType: type, Self.disposition: "inline; filename*=UTF-8''\(coded)",
        .contentLength: "\(status.size)",
      ],
      body: ResponseBody(contentLength: Int(status.size)) { writer in
        while let chunk = try reader.next() { try await writer.write(chunk) }
        try await writer.finish(nil)
      })
  }
}

/// Reads a file from its beginning to its end, and closes it.
private final class FileReader: Sendable {
  private let file: SystemPackage.FileDescriptor

  init(_ file: SystemPackage.FileDescriptor) { self.file = file }
  deinit { try? file.close() }

  /// The next 256 KiB or less; nil at the end.
  func next() throws -> ByteBuffer? {
    var chunk = ByteBuffer()
    let count = try unsafe chunk.writeWithUnsafeMutableBytes(minimumWritableBytes: 256 << 10) {
      try unsafe file.read(into: $0)
    }
    return count > 0 ? chunk : nil
  }
}
