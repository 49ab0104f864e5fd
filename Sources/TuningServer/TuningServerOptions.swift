import ImageCore
package import Recipes
package import SystemPackage
package import Tuning

/// How a ``TuningServer`` listens, and what it may use.
package struct TuningServerOptions: Sendable {
  /// The address to listen on, a number or a name. Addresses other than loopback need a
  /// ``password``.
  package var address = "127.0.0.1"
  /// The TCP port, 1…65535; 0 for a free one.
  package var port = 0
  /// What is asked for instead of the token of the address; 8 characters or more, nil for none. It
  /// goes over the network as it is, since there is no encryption.
  package var password: String?
  /// The file that stores the token, so that pages keep working when the server is restarted on the
  /// same port and folder; nil for a new token each time.
  package var tokenFile: FilePath?
  /// The folder for the journal of edits and for snapshots, made where it is missing; nil to keep
  /// them no longer than the server runs.
  package var stateFolder: FilePath?
  /// The folder of the user's recipes, which are offered as looks, and to which looks are saved;
  /// nil for none.
  package var recipes: RecipeFolder?
  /// Documents that apply below the sidecars.
  package var applied = AppliedDocuments()
  /// Number of pictures held open with their caches, 1…16.
  package var openPictures = 2
  /// Executable and arguments that start a worker process of a batch.
  package var worker: [String]
  /// The release, for the page.
  package var version: String

  /// Options for a server on the loopback interface and a free port.
  package init(worker: [String], version: String = RawdevVersion.current) {
    (self.worker, self.version) = (worker, version)
  }

  /// Whether only programs of this computer can connect.
  package var isLoopback: Bool {
    if ["localhost", "::1"].contains(address) { return true }
    // Numbers only: a name that starts like this may resolve to any address.
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Throws for the first option that is outside its range.
  func validate() throws(TuningServerError) {
    guard (0...65_535).contains(port) else {
      throw TuningServerError(.badSetting, "port is \(port); it takes 0 to 65535")
    }
    guard (1...16).contains(openPictures) else {
      throw TuningServerError(.badSetting, "openPictures is \(openPictures); it takes 1 to 16")
    }
    guard isLoopback || password != nil else {
      throw TuningServerError(
        .badSetting, "\(address) can be reached by other computers; give a password file")
    }
    if let password, password.count < 8 {
      throw TuningServerError(.badSetting, "the password is shorter than 8 characters")
    }
  }
}
