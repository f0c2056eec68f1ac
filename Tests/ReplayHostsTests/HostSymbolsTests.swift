import Foundation
import Testing

@testable import ReplayHosts

/// Tests for the names of functions in the stacks of traps.
@Suite("Symbols of hosts")
struct HostSymbolsTests {
  @Test("no function of this package's own libraries is one of the app's")
  func ownModules() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
    let libraries = manifest.matches(of: /\.target\(\s*name: "(\w+)"[^()]*\)/)
      .filter { !$0.output.0.contains("path: \"Tests/") }
      .map { String($0.output.1) }
      .filter { !$0.hasPrefix("Sample") }
    #expect(HostSymbols.ownModules == Set(libraries))
  }
}
