import ReplayCommands
import ReplayEngine

/// Messages of hosts.
extension Wording {
  static let unknownTypes = "its types are not known"

  static func fewDescriptors(_ found: Int) -> String {
    "the process can open \(found) more files; expected \(FileDescriptorSetup.fewestFiles): raise its limit, as 'ulimit -n 256' does"
  }
}
