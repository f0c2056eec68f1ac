import Foundation

/// The browser of the system.
package enum Browser {
  /// Opens a page; `false` when there is nothing to open it with.
  package static func open(_ path: String) -> Bool {
    #if canImport(UIKit)
    // An app cannot start a browser as a process.
    return false
    #else
    // The last one is that of macOS.
    let names = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open", "/usr/bin/open"]
    guard let opener = names.first(where: FileManager.default.isExecutableFile) else {
      return false
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: opener)
    process.arguments = [path]
    process.standardOutput = FileHandle.nullDevice
    return (try? process.run()) != nil
    #endif
  }
}
