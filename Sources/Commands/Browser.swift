import Foundation

/// The system's web browser.
package enum Browser {
  /// Opens a page.
  ///
  /// Returns `false` if no program can open it.
  package static func open(_ path: String) -> Bool {
    #if canImport(UIKit)
    // An iOS app can't start other processes.
    return false
    #else
    // The last path is that of macOS.
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
