internal import CConfinement
import Synchronization

/// How far the system confines a worker process, so that a decoder that an input has taken over
/// can neither write nor run a file, nor reach a network or another process
/// (`Sources/CConfinement/CConfinement.c`).
public enum Isolation: String, Sendable, Hashable, Codable, CaseIterable {
  /// By both of the means that Linux has.
  case full = "seccomp+landlock"
  /// By a filter of system calls only: the kernel has no Landlock, or it is switched off.
  case seccomp
  /// By access rights to files and networks only.
  case landlock
  /// Not at all: the system supports neither, as outside Linux, or a container denies both. A
  /// crash, an endless loop or excessive memory use still fails only one file.
  case none

  private static let state = Mutex(Isolation.none)

  /// How far this process is confined by ``enter()``.
  public static var current: Isolation { state.withLock { $0 } }

  /// Confines this process permanently, as far as the system can. Call it first in a program whose
  /// only work is ``Worker``: threads that already run would keep some of their rights.
  @discardableResult
  public static func enter() -> Isolation {
    let found = cconfinement_enter()
    let isolation: Isolation =
      switch (found.seccomp, found.landlock) {
      case (true, true): .full
      case (true, false): .seccomp
      case (false, true): .landlock
      case (false, false): .none
      }
    state.withLock { $0 = isolation }
    return isolation
  }
}
