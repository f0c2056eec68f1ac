import Foundation

/// The names of signals as manuals write them.
package enum SignalName {
  package static func of(_ number: Int32) -> String {
    names[number] ?? "signal \(number)"
  }

  package static func number(of name: String) -> Int32? {
    names.first { $0.value == name }?.key ?? name.split(separator: " ").last.flatMap { Int32($0) }
  }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
  ]
}
