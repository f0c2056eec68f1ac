import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

extension CommandContext {
  /// Creates a pause that reports on standard error that this process waits before action `seq`.
  package func pause(before seq: Int) -> ReplayPause {
    let name = program.name
    return ReplayPause(before: seq) { process in
      let line = "\(name): \(Wording.pauses(process, before: seq))\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
  }

  /// Reports on standard error if the replay ended before the action of its pause.
  package func complain(ifStillDue pause: ReplayPause?) {
    guard let pause, !pause.isOver else { return }
    complain(Wording.neverPaused(before: pause.seq))
  }
}

extension CommandSyntax.Option {
  package static let pauseBefore = Self(
    name: "--pause-before",
    value: "SEQ",
    summary: "wait for a native debugger before the reducer receives this action"
  )
  package static let native = Self(
    name: "--native",
    value: NativeDebugger.Kind.allCases.map(\.rawValue).joined(separator: "|"),
    summary: "start this debugger on the host and stop in the reducer",
    choices: NativeDebugger.Kind.allCases.map(\.rawValue),
    requires: "--pause-before"
  )
}

/// Messages about a replay that pauses.
extension Wording {
  /// Returns the line that scripts wait for: `process N waits before action M`.
  static func pauses(_ process: Int32, before seq: Int) -> String {
    "process \(process) waits before action \(seq); attach a debugger with a breakpoint on \(ReplayPause.symbol), or continue with 'kill -CONT \(process)'"
  }

  static func neverPaused(before seq: Int) -> String {
    "the replay ended before action \(seq), so it did not pause; --continue replays past a divergence"
  }
}
