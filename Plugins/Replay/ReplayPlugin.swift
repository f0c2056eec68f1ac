import Foundation
import PackagePlugin

/// `swift package replay ...`: builds the package's host and passes the command line to it.
@main
struct ReplayPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    let product = extractor.extractOption(named: "product").last
    let configuration = extractor.extractOption(named: "configuration").last
    let host = try Hosts(context.package).host(named: product)
    let build = try packageManager.build(
      .product(host),
      parameters: PackageManager.BuildParameters(
        configuration: configuration == "release" ? .release : .debug
      )
    )
    guard build.succeeded else { throw ReplayPluginError.buildFailed(host, log: build.logText) }
    guard
      let executable = build.builtArtifacts.first(where: {
        $0.kind == .executable && $0.url.deletingPathExtension().lastPathComponent == host
      })
    else { throw ReplayPluginError.notBuilt(host) }
    let process = Process()
    process.executableURL = executable.url
    process.arguments = extractor.remainingArguments
    // The package manager closes a plugin's standard input. Without a replacement, the first file that the host opens
    // would get its descriptor.
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    // The host has printed its own messages, so the plugin only passes on the status.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}

/// The hosts that a package builds.
private struct Hosts {
  let names: [String]

  /// The libraries for hosts: of this package, and of the adapter for Point-Free's library.
  private static let libraries: Set = ["TCAReplay", "ComposableReplay"]

  /// Finds the executable products that depend on a library for hosts.
  init(_ package: Package) {
    names = package.products.compactMap { product in
      guard let product = product as? ExecutableProduct else { return nil }
      let isHost = product.mainTarget.dependencies.contains { dependency in
        switch dependency {
        case .product(let library): Self.libraries.contains(library.name)
        case .target(let target): Self.libraries.contains(target.name)
        @unknown default: false
        }
      }
      return isHost ? product.name : nil
    }
  }

  func host(named name: String?) throws(ReplayPluginError) -> String {
    if let name { return name }
    guard let first = names.first else { throw .noHost }
    guard names.count == 1 else { throw .manyHosts(names) }
    return first
  }
}

/// The reason why the plugin could not run a host.
enum ReplayPluginError: Error, CustomStringConvertible {
  case noHost
  case manyHosts([String])
  case buildFailed(String, log: String)
  case notBuilt(String)

  var description: String {
    switch self {
    case .noHost:
      "the package has no host: expected an executable that depends on the product TCAReplay or"
        + " ComposableReplay and has a type that conforms to ReplayHost"
    case .manyHosts(let names):
      "the package has several hosts, \(names.sorted().joined(separator: ", ")): choose one with --product NAME"
    case .buildFailed(let host, let log): "the host \(host) does not build:\n\(log)"
    case .notBuilt(let host):
      "the build gave no executable \(host): expected the name of an executable product"
    }
  }
}
