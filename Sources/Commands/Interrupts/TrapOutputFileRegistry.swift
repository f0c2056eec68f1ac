import Foundation
import Synchronization

/// A registry of the output file that is moved into place if the app's code traps.
///
/// After a trap, only the signal handler runs, so the registry uses only async-signal-safe calls.
enum TrapOutputFileRegistry {
  /// The signals that a trap can raise.
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

  /// The addresses of two C strings for the handler: the temporary path, or 0 if no file is registered, and the final
  /// path.
  private static let file = Atomic<UInt>(0)
  private static let place = Atomic<UInt>(0)

  /// The previous actions for the signals, in the order of `signals`.
  ///
  /// The actions are written before the handler that reads them is installed.
  nonisolated(unsafe) private static let before = UnsafeMutableBufferPointer<sigaction>.allocate(
    capacity: signals.count
  )

  private static let isWatching = Mutex(false)

  /// Registers a file to be moved into place if the app's code traps, in place of the file that was registered before.
  static func register(_ temporary: String, as path: String) {
    // The strings are never freed, because the handler may be reading them.
    place.store(UInt(bitPattern: strdup(path)), ordering: .releasing)
    file.store(UInt(bitPattern: strdup(temporary)), ordering: .releasing)
    watch()
  }

  /// Unregisters a file, before it is moved or removed.
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
      let handler: @convention(c) (Int32) -> Void = { TrapOutputFileRegistry.handleSignal($0) }
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

  /// Gives this thread, which runs the reducer, an alternate stack for the signal handler.
  ///
  /// Infinite recursion in a reducer exhausts the normal stack.
  private static func giveStack() {
    var old = stack_t()
    guard sigaltstack(nil, &old) == 0, Int(old.ss_flags) & Int(SS_DISABLE) != 0 else { return }
    var stack = stack_t()
    // The type is signed on some platforms and unsigned on others.
    stack.ss_size = .init(stackSize)
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
    _ = sigaltstack(&stack, nil)
  }

  private static let stackSize = 64 * 1024

  /// Moves the registered file into place, and restores the previous action for the signal.
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
    // The signal is raised again, because a signal from another process does not repeat. It is delivered when the
    // handler has returned.
    _ = raise(number)
    errno = code
  }
}
