import ActionLog
import Foundation

/// Messages about attaching to an app.
extension Wording {
  static func describe(_ error: SocketError) -> String {
    switch error {
    case .system(let path, let code):
      "\(Notation.visible(path)): \(String(cString: strerror(code)))"
    case .pathTooLong(let path, let longest):
      "\(Notation.visible(path)) has \(path.utf8.count) bytes; the path of a socket has at most \(longest)"
    case .taken(let path):
      "\(Notation.visible(path)) is in use; remove it, or choose another path"
    case .closed: "the app has closed the connection"
    case .tooLong: "a line has more than 1 MiB"
    case .notJSON: "a line is not JSON"
    }
  }

  static func describe(_ error: AttachError) -> String {
    switch error {
    case .noToken(let path):
      "\(Notation.visible(path)) cannot be read: start the app with 'timeline.listen(at:)', as the same user"
    case .socket(let error): "\(error)"
    case .refused(let problem): "the app refuses: \(Notation.visible(problem))"
    }
  }
}
