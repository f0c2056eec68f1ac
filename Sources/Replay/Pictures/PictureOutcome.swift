import ActionLog
import Foundation

/// A picture, or the reason why there is none.
package enum PictureOutcome: Equatable, Sendable {
  case picture(ReplayPicture)
  case note(MissingPictureReason)

  /// The outcome in the JSON format of the protocol between the tool and a host.
  package var json: JSON {
    switch self {
    case .note(let note): return ["note": note.json]
    case .picture(let picture):
      var object: JSON.Object = [
        "width": JSON.Number(picture.width).map(JSON.number) ?? 0,
        "height": JSON.Number(picture.height).map(JSON.number) ?? 0,
        "description": .string(picture.description),
      ]
      switch picture.content {
      case .svg(let text): object["svg"] = .string(text)
      case .png(let data): object["png"] = .string(data.base64EncodedString())
      }
      return .object(object)
    }
  }

  /// Parses an outcome, or returns `nil` if the JSON is not an outcome.
  package init?(json: JSON) {
    if let note = json["note"] {
      guard let note = MissingPictureReason(json: note) else { return nil }
      self = .note(note)
      return
    }
    let content: ReplayPicture.Content
    if let text = json["svg"]?.string {
      content = .svg(text)
    } else if let data = json["png"]?.string.flatMap({ Data(base64Encoded: $0) }) {
      content = .png(data)
    } else {
      return nil
    }
    guard let width = json["width"]?.number?.double, let height = json["height"]?.number?.double
    else { return nil }
    self = .picture(
      ReplayPicture(
        content,
        width: width,
        height: height,
        description: json["description"]?.string ?? ""
      )
    )
  }
}

extension PictureOutcome {
  /// Checks the picture of the outcome.
  ///
  /// - Parameter limit: The maximum size of the image file in bytes.
  /// - Returns: The outcome, or a note in its place if the picture breaks a rule.
  package func checked(limit: Int) -> PictureOutcome {
    guard case .picture(let picture) = self, let note = picture.problem(limit: limit) else {
      return self
    }
    return .note(note)
  }
}
