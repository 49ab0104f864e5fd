import Foundation

/// The threads that help with loops: at most one fewer than there are cores, for the entire
/// process, besides the callers. They are our own, as work of seconds would block the pool of a
/// host program. Idle threads cost nothing; the work of all callers is shared among them.
enum WorkerThreads {
  /// Work that more threads may help with.
  private final class Work: @unchecked Sendable {
    /// Nil once all is done: it must not outlive the call that owns it.
    private var body: (@Sendable (Int) -> Void)?
    /// The next number that no thread has taken.
    var next = 1
    let end: Int
    /// Threads that help now.
    var helping = 0

    init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
      (end, self.body) = (count, body)
    }

    /// Not inlined: nothing holds the body after the call.
    @inline(never)
    func run(_ number: Int) { body?(number) }

    func forget() { body = nil }
  }

  private final class Pool: @unchecked Sendable {
    private let condition = NSCondition()
    private var open: [Work] = []
    private var threads = 0
    private var idle = 0

    /// Lets threads help with `work`, and makes some if there are too few.
    func offer(_ work: Work) {
      condition.withLock {
        open.append(work)
        let wanted = open.reduce(0) { $0 + $1.end - $1.next }
        while idle < wanted, threads < Parallel.defaultWorkers - 1 {
          (threads, idle) = (threads + 1, idle + 1)
          let thread = Thread { [self] in help() }
          thread.name = "rawdev"
          thread.stackSize = Cancellation.stackBytes
          thread.start()
        }
        condition.broadcast()
      }
    }

    /// Waits for the helpers of `work`; no other starts.
    func finish(_ work: Work) {
      condition.withLock {
        open.removeAll { $0 === work }
        while work.helping > 0 { condition.wait() }
        work.forget()
      }
    }

    private func help() {
      while true {
        let (work, number) = condition.withLock {
          while open.isEmpty { condition.wait() }
          idle -= 1
          let work = open[0]
          let number = work.next
          (work.next, work.helping) = (number + 1, work.helping + 1)
          if work.next == work.end { open.removeFirst() }
          return (work, number)
        }
        work.run(number)
        condition.withLock {
          idle += 1
          work.helping -= 1
          condition.broadcast()
        }
      }
    }
  }

  private static let pool = Pool()

  /// Calls `body` with numbers from 0 up to `count`, each on a thread of its own: 0 on the calling
  /// one, the others on idle threads.
  static func perform(_ count: Int, _ body: @Sendable (_ number: Int) -> Void) {
    guard count > 1 else { return body(0) }
    withoutActuallyEscaping(body) { body in
      let work = Work(count, body)
      pool.offer(work)
      body(0)
      pool.finish(work)
    }
  }
}
