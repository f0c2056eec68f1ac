import Foundation
import Synchronization

/// The place at which a native debugger stops a replay.
///
/// It is called before the reducer gets an action, with the action's number in the log. Nothing else happens here.
///
/// ```text
/// (gdb) break tca_replay_before_action
/// ```
///
/// It is called for the action of `--pause-before` and for those after it, and in no other replay.
///
/// A Swift function under a name of C: with one integer, both are called the same way. Of one with `@_cdecl` callers in Swift would reach
/// another symbol.
@_silgen_name("tca_replay_before_action")
@inline(never)
@_optimize(none)
public func _tcaReplayBeforeAction(_ seq: Int) {
  // An effect that the optimizer has to keep.
  lastAnnounced.store(seq, ordering: .relaxed)
}

private let lastAnnounced = Atomic(0)

/// Whether SIGCONT has ended a wait.
private let isReleased = Atomic(false)

/// Stops a replay before one of its actions, until a debugger has attached to the process.
package final class ReplayPause: Sendable, Equatable {
  /// The function that a debugger stops at.
  package static let symbol = "tca_replay_before_action"

  /// The action, by its number in the log.
  package let seq: Int
  private let announce: @Sendable (_ process: Int32) -> Void
  private let hasCome = Atomic(false)

  /// A pause.
  ///
  /// - Parameters:
  ///   - seq: The number of the action in the log.
  ///   - announce: Says that this process waits.
  package init(before seq: Int, announce: @escaping @Sendable (_ process: Int32) -> Void) {
    self.seq = seq
    self.announce = announce
  }

  package static func == (lhs: ReplayPause, rhs: ReplayPause) -> Bool { lhs === rhs }

  /// Whether the action has come.
  package var isOver: Bool { hasCome.load(ordering: .relaxed) }

  /// Called when the reducer is about to get an action.
  func reach(_ seq: Int) {
    if seq == self.seq, !hasCome.exchange(true, ordering: .relaxed) { wait() }
    _tcaReplayBeforeAction(seq)
  }

  /// Waits until a debugger traces this process, or SIGCONT comes.
  private func wait() {
    guard !NativeTracing.isTraced else { return }
    NativeTracing.allow()
    isReleased.store(false, ordering: .relaxed)
    let previous = signal(SIGCONT) { _ in isReleased.store(true, ordering: .relaxed) }
    defer { signal(SIGCONT, previous) }
    announce(getpid())
    while !isReleased.load(ordering: .relaxed), !NativeTracing.isTraced {
      usleep(Self.interval)
    }
  }

  /// Microseconds between two looks, which nobody notices.
  private static let interval: useconds_t = 50_000
}

extension StepInput {
  /// Lets a native debugger stop before this action.
  ///
  /// An engine whose `announcesReducer` is `true` calls it right before it calls the reducer. Without a debugger it does nothing.
  public func willReduce() {
    if let pause { pause.reach(pausedSeq) }
  }
}

/// What this process knows of debuggers that trace it.
private enum NativeTracing {
  /// Whether a debugger has attached.
  static var isTraced: Bool {
    #if canImport(Darwin)
    var information = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    guard sysctl(&name, UInt32(name.count), &information, &size, nil, 0) == 0 else { return false }
    return information.kp_proc.p_flag & P_TRACED != 0
    #else
    // proc(5): the process that traces this one, 0 for none.
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") })
    else { return false }
    return Int(line.dropFirst("TracerPid:".count).filter(\.isNumber)) ?? 0 != 0
    #endif
  }

  /// Lets any process of this user attach, where only parents may by default (Yama's `ptrace_scope` 1).
  static func allow() {
    #if !canImport(Darwin)
    // <linux/prctl.h>: PR_SET_PTRACER with PR_SET_PTRACER_ANY. `prctl` takes as many arguments as it needs, so that it is
    // not imported. Where it is refused, attaching takes more rights.
    typealias Function = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    guard let address = dlsym(dlopen(nil, RTLD_LAZY), "prctl") else { return }
    _ = unsafeBitCast(address, to: Function.self)(0x5961_6D61, UInt.max, 0, 0, 0)
    #endif
  }
}
