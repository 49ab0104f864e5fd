import Develop
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization
package import SystemPackage
package import Tuning

/// A page in the browser on which the raws of a folder are tuned: HTTP on the loopback interface,
/// for one person. The protocol is described in `Docs/tune.md`.
package final class TuningServer: Sendable {
  /// The raws.
  package let folder: TuningFolder
  /// Whether it was opened for one raw.
  package let isSingle: Bool
  let options: TuningServerOptions
  let access: Access
  let connections = OpenConnections()
  let pages = Pages()
  let pictures: OpenPictures
  let edits: EditKeeper
  let documents: DocumentWatch
  let jobs: DevelopJobs
  let snapshots: Snapshots
  let looks: LookLibrary
  /// Renders, and measures pictures.
  let renders = WorkQueue("rawdev.render", limit: 4, maxWaiting: 64)
  /// Makes thumbnails, which hold up no picture. The folder lets a few at a time read, so that the
  /// slow ones hold up no others.
  let thumbnails = WorkQueue(
    "rawdev.thumbnail", limit: TuningLimits.connections, maxWaiting: 512, quality: .utility)
  /// The same with edits, one after the other.
  let editedThumbnails = WorkQueue(
    "rawdev.edited", limit: 1, maxWaiting: 512, quality: .background)
  let previews: OpeningPreviews
  /// Reads and writes small files.
  let reading = WorkQueue("rawdev.read", limit: 4, maxWaiting: 256)
  private let stopped: (stream: AsyncStream<Void>, signal: AsyncStream<Void>.Continuation)

  /// Seconds after which a connection without a request is closed.
  private static let idleSeconds: Int64 = 90

  /// A server for the raws at `path`, a folder or one raw. Throws where that cannot be read, or an
  /// option is outside its range.
  package init(_ path: FilePath, options: TuningServerOptions) throws {
    try options.validate()
    self.options = options
    folder = try TuningFolder(path)
    isSingle = ((try? Stat(path))?.type).map { $0 != .directory } ?? false
    let token =
      options.tokenFile.map { [root = folder.root] in AccessToken(storedAt: $0, folder: root) }
      ?? AccessToken()
    access = Access(token: token, password: options.password, address: options.address)
    pictures = OpenPictures(
      folder, applied: options.applied, limit: options.openPictures)
    previews = OpeningPreviews(folder)
    edits = EditKeeper(folder, journals: options.stateFolder) { [pages] news in
      switch news {
      case .edit(let status): pages.send(.edit(status))
      case .edits: pages.send(.edits)
      }
    }
    documents = DocumentWatch(pages, edits)
    snapshots = Snapshots(of: folder.root, in: options.stateFolder)
    looks = LookLibrary(options.recipes)
    jobs = DevelopJobs(
      folder: folder, isSingle: isSingle, applied: options.applied, worker: options.worker,
      pages: pages)
    let (stream, signal) = AsyncStream<Void>.makeStream()
    stopped = (stream, signal)
  }

  /// The address to open in a browser, with the token where there is no password. Valid once the
  /// server runs.
  package var url: String { access.url }

  /// The same address for a command line, where others could read it: it works once.
  package var urlForOnce: String { access.urlForOnce }

  /// Names of pictures whose edits are not in their sidecars, after another attempt to save them.
  package func unfinished() async -> [String] {
    await edits.saveAll()
    return edits.pending.map(\.name)
  }

  /// Whether a development is under way, which ``stop()`` waits for.
  package var isDeveloping: Bool { jobs.statuses.contains { $0.state == .running } }

  /// Opens the first raw, and makes its preview, before a page asks for them. Errors are reported
  /// to the page.
  package func prepare() async {
    guard let first = folder.entries(from: 0, count: 1).first?.id else { return }
    async let preview = previews.preview(first)
    _ = try? await pictures.picture(first)
    _ = try? await preview
  }

  /// Serves until ``stop()``, which also ends jobs and their processes. Calls `ready` once requests
  /// are answered. Throws ``TuningServerError`` where it cannot listen on the address and port.
  package func run(ready: @escaping @Sendable () async -> Void) async throws {
    let logger = Logger(label: "rawdev") { _ in SwiftLogNoOpLogHandler() }
    let application = Application(
      router: TuningRoutes(server: self).router,
      server: HTTPServerBuilder { [connections] responder in
        HeldHTTPChannel(
          http: HTTP1Channel(
            responder: responder,
            configuration: .init(
              additionalChannelHandlers: [ConnectionEntry(connections)],
              idleTimeout: .seconds(Self.idleSeconds))))
      },
      configuration: ApplicationConfiguration(
        address: .hostname(options.address, port: options.port), serverName: nil,
        availableConnectionsDelegate: .maximum(TuningLimits.connections, logger: logger)),
      onServerRunning: { [access] channel in
        access.listen(on: channel.localAddress?.port ?? 0)
        // The channel takes connections already; they are answered as soon as this returns.
        Task { await ready() }
      },
      logger: logger)
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await application.run() }
        group.addTask { await self.watch() }
        // What was not saved any more when a server of before ended.
        group.addTask {
          await self.edits.saveAll()
          for await _ in self.stopped.stream {}
        }
        // Watching does not end by itself, so this is the end of the server or `stop()`.
        try await group.next()
        await self.jobs.finish()
        await self.edits.saveAll()
        self.pages.finish()
        // A moment for the last answers and events to go out.
        try? await Task.sleep(for: .milliseconds(100))
        group.cancelAll()
        self.connections.close()
      }
    } catch is CancellationError {
    } catch let error as IOError {
      throw Self.failure(error, options)
    }
    await jobs.finish()
  }

  /// Ends ``run(ready:)``.
  package func stop() { stopped.signal.finish() }

  private static func failure(
    _ error: IOError, _ options: TuningServerOptions
  ) -> TuningServerError {
    let endpoint = "\(options.address), port \(options.port)"
    return switch error.errnoCode {
    case EADDRINUSE:
      TuningServerError(
        .cannotListen,
        "port \(options.port) is in use; choose another one, or none for a free one")
    case EACCES, EPERM:
      TuningServerError(.cannotListen, "\(endpoint): not permitted; ports from 1024 on are")
    case EADDRNOTAVAIL:
      TuningServerError(
        .cannotListen, "\(options.address) is not an address of this computer; give one that is")
    default: TuningServerError(.cannotListen, "\(endpoint): \(Errno(rawValue: error.errnoCode))")
    }
  }

  /// Looks for changes on the disk as long as pages are open, and tries again what was not saved.
  private func watch() async {
    let executor = RenderExecutor("rawdev.watch", .utility)
    await withTaskExecutorPreference(executor) {
      var round = 0
      var hasNews = false
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        if round % 5 == 0 { await edits.retry() }
        guard pages.isAnyConnected else {
          round += 1
          continue
        }
        documents.look(at: await pictures.all())
        let change = (try? folder.look()) ?? .nothing
        hasNews = hasNews || change != .nothing
        // Details of a folder come by and by.
        if hasNews, change == .list || round % 3 == 0 {
          pages.send(.pictures(count: folder.count))
          hasNews = false
        }
        if round % 5 == 0 { pages.sendNothing() }
        round += 1
      }
    }
  }
}
