import Foundation

/// Hands this process over to another host.
enum HostExecution {
  /// Becomes the host, with its standard streams, and comes back only when that cannot be.
  static func become(_ host: String, arguments: [String]) throws(HostFailure) {
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
}
