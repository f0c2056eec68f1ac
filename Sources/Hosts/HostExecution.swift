import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// Hands this process over to another host.
package enum HostExecution {
  /// Becomes the host, with its standard streams, and comes back only when that cannot be.
  package static func become(_ host: String, arguments: [String]) throws(HostFailure) {
    try check(host)
    // A host that takes its own path from the environment or the settings would become itself for ever.
    setenv(CommandContext.hostVariable, "", 1)
    signal(SIGPIPE, SIG_DFL)
    var pointers: [UnsafeMutablePointer<CChar>?] = ([host] + arguments).map { strdup($0) }
    pointers.append(nil)
    execv(host, pointers)
    let code = errno
    for pointer in pointers { free(pointer) }
    signal(SIGPIPE, SIG_IGN)
    throw .cannotStart(host, reason: String(cString: strerror(code)))
  }

  /// Asks an executable what it has, so that one that is no host does not end this process with a status of its own.
  private static func check(_ host: String) throws(HostFailure) {
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        host,
        arguments: ["features", "--format", "json"],
        environment: HostProcess.environment.merging([CommandContext.hostVariable: ""]) { $1 },
        input: .null
      )
    } catch {
      throw .cannotStart(host, reason: String(cString: strerror(error.code)))
    }
    let output = process.output.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
    let watchdog = Watchdog(process, seconds: ReplayOptions.defaultTimeout)
    let answer = try? output?.readToEnd()
    var hasBitten = false
    let end = process.wait { hasBitten = watchdog.stop() }
    guard !hasBitten else { throw .timedOut(watchdog.seconds, at: 0) }
    let json = answer.flatMap { try? JSON(parsing: $0) }
    guard end == .exited(0), json?["features"]?.array != nil else {
      throw .silent(host, end, said: [])
    }
  }
}
