import Synchronization

/// The declarations that have been read last.
///
/// The compiler sends a type once for each role of each of its macros, and again as the parent of each of its members. Reading it each
/// time was three quarters of the plugin's work.
enum ScannedDeclarations {
  private static let declarations = Mutex<[[UInt8]: Declaration]>([:])
  /// The maximum number of declarations, which bounds memory; a file has fewer types with macros.
  private static let limit = 200

  /// Reads the one declaration that the text holds.
  static func declaration(in source: SourceText) throws(ScanError) -> Declaration {
    if let known = declarations.withLock({ $0[source.bytes] }) { return known }
    let declaration = try Scanner.declaration(in: source)
    declarations.withLock { declarations in
      if declarations.count >= limit { declarations.removeAll() }
      declarations[source.bytes] = declaration
    }
    return declaration
  }
}
