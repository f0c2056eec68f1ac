/// Why a text could not be read as a declaration, and where.
struct ScanError: Error, Equatable {
  enum Reason: Equatable {
    case expected(String)
    case unterminated(String)
    case unreadable
  }

  let reason: Reason
  let position: Int
}
