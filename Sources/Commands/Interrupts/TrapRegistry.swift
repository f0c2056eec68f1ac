import Foundation
import Synchronization

/// The file that a process leaves when code of the app traps in it: it is moved into place before the trap ends the process.
///
/// No code runs after a trap but the handler of its signal. So the calls there are those that are safe in one.
enum TrapRegistry {
  /// The signals by which traps end a process.
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

  /// The addresses of the file's path and of the path where it goes, for the handler; the first one is 0 where there is none.
  private static let file = Atomic<UInt>(0)
  private static let place = Atomic<UInt>(0)

  /// What the signals did before, in the order of `signals`; written before any handler is there that reads it.
  nonisolated(unsafe) private static let before = UnsafeMutableBufferPointer<sigaction>.allocate(
    capacity: signals.count
  )

  private static let isWatching = Mutex(false)

  /// Moves a file into place if a trap comes; there is one such file at a time.
  static func register(_ temporary: String, as path: String) {
    // They are never freed: the handler may be about to read them.
    place.store(UInt(bitPattern: strdup(path)), ordering: .releasing)
    file.store(UInt(bitPattern: strdup(temporary)), ordering: .releasing)
    watch()
  }

  /// Forgets the file, before it is moved or removed.
  static func forget(_ temporary: String) {
    guard let current = text(file.load(ordering: .acquiring)), String(cString: current) == temporary
    else { return }
    file.store(0, ordering: .releasing)
  }

  private static func text(_ address: UInt) -> UnsafePointer<CChar>? {
    UnsafePointer(bitPattern: address)
  }

  private static func watch() {
    let isFirst = isWatching.withLock { isWatching in
      defer { isWatching = true }
      return !isWatching
    }
    giveStack()
    guard isFirst else { return }
    for (index, number) in signals.enumerated() {
      var action = sigaction()
      sigemptyset(&action.sa_mask)
      action.sa_flags = Int32(SA_ONSTACK)
      let handler: @convention(c) (Int32) -> Void = { TrapRegistry.handleSignal($0) }
      #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
      #else
      action.__sigaction_handler.sa_handler = handler
      #endif
      var old = sigaction()
      _ = sigaction(number, nil, &old)
      before.initializeElement(at: index, to: old)
      _ = sigaction(number, &action, nil)
    }
  }

  /// Gives this thread, which runs the reducer, a stack for the handler: a reducer that calls itself without end has used up its own.
  private static func giveStack() {
    var old = stack_t()
    guard sigaltstack(nil, &old) == 0, Int(old.ss_flags) & Int(SS_DISABLE) != 0 else { return }
    var stack = stack_t()
    // Signed on some platforms, and not on others.
    stack.ss_size = .init(stackSize)
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
    _ = sigaltstack(&stack, nil)
  }

  private static let stackSize = 64 * 1024

  /// Moves the file, and lets the signal do what it did before.
  private static func handleSignal(_ number: Int32) {
    let code = errno
    if let file = text(file.exchange(0, ordering: .acquiringAndReleasing)),
      let place = text(place.load(ordering: .acquiring))
    {
      _ = rename(file, place)
    }
    for index in 0..<before.count where signals[index] == number {
      _ = sigaction(number, &before[index], nil)
    }
    // It waits until the handler has returned. A signal that another process has sent does not come again by itself.
    _ = raise(number)
    errno = code
  }
}
