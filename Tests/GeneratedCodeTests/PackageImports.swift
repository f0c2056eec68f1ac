package import TCACore

// Only the code that macros generate needs the package import. The file compiles without a warning.

@LogValue
package struct Packaged: Equatable {
  package var name = ""
  package var kind = Kind.plain

  package enum Kind: Equatable {
    case plain
    case sized(Int)
  }
}

@LogValue
package enum PackagedSize: Equatable {
  case small
  case of(metres: Int)
}

@CasePathable
package enum PackagedAction {
  case tapped
  case renamed(String)
}

@DependencyClient
package struct PackagedClient {
  package var name: @Sendable () throws -> String
}
