import ActionLog
import Foundation

/// The reason why an action has no picture.
package enum MissingPictureReason: Hashable, Sendable, CustomStringConvertible {
  /// The drawing function threw an error, which the host reported with this message.
  case failed(String)
  /// The code can't decode the state, which the host reported with this message.
  case undecodable(String)
  /// The drawing function exceeded this time limit, in seconds.
  case timedOut(Double)
  /// The picture has more bytes than the limit allows.
  case tooLarge(bytes: Int, limit: Int)
  /// The signal with this name ended the host while it drew the picture.
  case trapped(String)
  /// The host exited with this status while it drew the picture.
  case exited(Int32)
  /// The drawing function returned a picture that breaks a rule.
  case invalid(Flaw)
  /// The log has more distinct states than the limit.
  case tooMany(limit: Int)
  /// The log does not contain the state.
  case noState

  /// A rule that a picture can break.
  package enum Flaw: String, Sendable, CaseIterable {
    case notSVG, notPNG, entities, size, pixels, description
  }

  package var description: String { Wording.describe(self) }

  /// The reason as JSON: the name of the case, and its associated values.
  package var json: JSON {
    switch self {
    case .failed(let message): ["kind": "failed", "message": .string(message)]
    case .undecodable(let message): ["kind": "undecodable", "message": .string(message)]
    case .timedOut(let seconds):
      ["kind": "timedOut", "seconds": JSON.Number(seconds).map(JSON.number) ?? .null]
    case .tooLarge(let bytes, let limit):
      [
        "kind": "tooLarge", "bytes": .number(JSON.Number(bytes)),
        "limit": .number(JSON.Number(limit)),
      ]
    case .trapped(let signal): ["kind": "trapped", "signal": .string(signal)]
    case .exited(let status):
      ["kind": "exited", "status": .number(JSON.Number(Int(status)))]
    case .invalid(let flaw): ["kind": "invalid", "flaw": .string(flaw.rawValue)]
    case .tooMany(let limit): ["kind": "tooMany", "limit": .number(JSON.Number(limit))]
    case .noState: ["kind": "noState"]
    }
  }

  /// Parses a reason, or returns `nil` if the JSON is not a reason.
  package init?(json: JSON) {
    switch json["kind"]?.string {
    case "failed": self = .failed(json["message"]?.string ?? "")
    case "undecodable": self = .undecodable(json["message"]?.string ?? "")
    case "timedOut": self = .timedOut(json["seconds"]?.number?.double ?? 0)
    case "tooLarge":
      guard let bytes = json["bytes"]?.int, let limit = json["limit"]?.int else { return nil }
      self = .tooLarge(bytes: bytes, limit: limit)
    case "trapped": self = .trapped(json["signal"]?.string ?? "")
    case "exited": self = .exited(Int32(clamping: json["status"]?.int ?? 0))
    case "invalid":
      guard let flaw = json["flaw"]?.string.flatMap(Flaw.init) else { return nil }
      self = .invalid(flaw)
    case "tooMany": self = .tooMany(limit: json["limit"]?.int ?? 0)
    case "noState": self = .noState
    default: return nil
    }
  }
}

extension Wording {
  fileprivate static func describe(_ note: MissingPictureReason) -> String {
    switch note {
    case .failed(let message): "the picture function failed: \(Notation.visible(message))"
    case .undecodable(let message): "the code cannot read this state: \(Notation.visible(message))"
    case .timedOut(let seconds):
      "the picture function took longer than \(number(seconds)) s; expected less, or a larger --picture-seconds"
    case .tooLarge(let bytes, let limit):
      "the picture has \(bytes) bytes; expected at most \(limit), or a larger --picture-bytes"
    case .trapped(let signal): "the picture function ended the host (\(signal))"
    case .exited(let status): "the picture function ended the host with status \(status)"
    case .invalid(let flaw): describe(flaw)
    case .tooMany(let limit):
      "the log has more than \(limit) distinct states; expected fewer, a --range, or a larger --most"
    case .noState: "the log does not tell the state after this action"
    }
  }

  private static func describe(_ flaw: MissingPictureReason.Flaw) -> String {
    switch flaw {
    case .notSVG: "the picture is no SVG document; expected text that begins with <svg"
    case .notPNG: "the picture is no PNG file"
    case .entities:
      "the SVG document has a document type, entities or zero bytes; expected one without them"
    case .size:
      "the picture has no usable size; expected a width and a height from 1 to 32768 points"
    case .pixels: "the picture has more than 64 million pixels"
    case .description: "the description of the picture has more than 20000 bytes"
    }
  }
}
