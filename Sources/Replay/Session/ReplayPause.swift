import Foundation
import Synchronization

/// The function at which a native debugger stops a replay.
///
/// With `--pause-before N`, a replay calls the function before the reducer receives action N, and before each following
/// action. The argument is the action's number in the log. Other replays don't call the function, which has no other
/// purpose.
///
/// ```text
/// (gdb) break tca_replay_before_action
/// ```
///
/// The function is a Swift function with a C name. For a single integer argument, both calling conventions are the
/// same. With `@_cdecl`, callers in Swift would use a different symbol.
@_silgen_name("tca_replay_before_action")
@inline(never)
@_optimize(none)
public func _tcaReplayBeforeAction(_ seq: Int) {
  // The store is a side effect that prevents the optimizer from removing the call.
  lastAnnounced.store(seq, ordering: .relaxed)
}

private let lastAnnounced = Atomic(0)

/// Whether SIGCONT has been received, which ends the wait.
private let isReleased = Atomic(false)

/// A pause that stops a replay before one of its actions until a debugger has attached to the process.
package final class ReplayPause: Sendable, Equatable {
  /// The symbol name of the function at which a debugger stops.
  package static let symbol = "tca_replay_before_action"

  /// The log's number of the action before which the replay pauses.
  package let seq: Int
  private let announce: @Sendable (_ process: Int32) -> Void
  private let hasCome = Atomic(false)

  /// Creates a pause before an action.
  ///
  /// - Parameters:
  ///   - seq: The number of the action in the log.
  ///   - announce: A closure that reports the ID of this process when the process waits.
  package init(before seq: Int, announce: @escaping @Sendable (_ process: Int32) -> Void) {
    self.seq = seq
    self.announce = announce
  }

  package static func == (lhs: ReplayPause, rhs: ReplayPause) -> Bool { lhs === rhs }

  /// Whether the replay has reached the action.
  package var isOver: Bool { hasCome.load(ordering: .relaxed) }

  /// Reports that the reducer is about to receive action `seq`, by calling the function at which a debugger stops.
  ///
  /// Before the action of the pause, waits until a debugger has attached.
  func reach(_ seq: Int) {
    if seq == self.seq, !hasCome.exchange(true, ordering: .relaxed) { wait() }
    _tcaReplayBeforeAction(seq)
  }

  /// Waits until a debugger traces this process, or until SIGCONT is received.
  private func wait() {
    guard !NativeDebuggerSupport.isTraced else { return }
    NativeDebuggerSupport.allow()
    isReleased.store(false, ordering: .relaxed)
    let previous = signal(SIGCONT) { _ in isReleased.store(true, ordering: .relaxed) }
    defer { signal(SIGCONT, previous) }
    announce(getpid())
    while !isReleased.load(ordering: .relaxed), !NativeDebuggerSupport.isTraced {
      usleep(Self.interval)
    }
  }

  /// The interval in microseconds at which the process checks for a debugger.
  ///
  /// A person does not notice this delay.
  private static let interval: useconds_t = 50_000
}

extension StepInput {
  /// Lets a native debugger stop before this action.
  ///
  /// An engine whose `announcesReducer` is `true` calls this method immediately before the reducer. Without a debugger,
  /// the call has no effect.
  public func willReduce() {
    if let pause { pause.reach(pausedSeq) }
  }
}

/// Functions that detect a native debugger, and that allow one to attach to this process.
private enum NativeDebuggerSupport {
  /// Whether a debugger has attached.
  static var isTraced: Bool {
    #if canImport(Darwin)
    var information = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    guard sysctl(&name, UInt32(name.count), &information, &size, nil, 0) == 0 else { return false }
    return information.kp_proc.p_flag & P_TRACED != 0
    #else
    // proc(5): the process ID of the tracer, or 0 if there is none.
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") })
    else { return false }
    return Int(line.dropFirst("TracerPid:".count).filter(\.isNumber)) ?? 0 != 0
    #endif
  }

  /// Allows any process of this user to attach.
  ///
  /// By default, only parent processes may attach on Linux (Yama's `ptrace_scope` 1).
  static func allow() {
    #if !canImport(Darwin)
    // <linux/prctl.h>: PR_SET_PTRACER with PR_SET_PTRACER_ANY. Swift does not import `prctl`, because it is variadic.
    // If the system refuses the call, a debugger needs more privileges to attach.
    typealias Function = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    guard let address = dlsym(dlopen(nil, RTLD_LAZY), "prctl") else { return }
    _ = unsafeBitCast(address, to: Function.self)(0x5961_6D61, UInt.max, 0, 0, 0)
    #endif
  }
}
