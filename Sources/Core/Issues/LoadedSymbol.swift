import Foundation
import Synchronization

/// Functions of libraries that the process may have loaded, and that this library does not link.
enum LoadedSymbol {
  // Only what was found is kept: a library may be loaded later. Addresses, because pointers are not Sendable.
  private static let found = Mutex<[String: UInt]>([:])

  /// The address of a function by its mangled name, nil as long as no loaded library has it.
  static func address(of name: String) -> UnsafeMutableRawPointer? {
    found.withLock { found in
      if let address = found[name] { return UnsafeMutableRawPointer(bitPattern: address) }
      let symbol = dlsym(dlopen(nil, RTLD_LAZY), name)
      found[name] = symbol.map { UInt(bitPattern: $0) }
      return symbol
    }
  }
}
