import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine
import ReplayPictures

extension Tool {
  static let pictureAt = Tool(
    name: "picture_at",
    title: "What the user saw",
    description:
      "Shows what the user saw after an action, as the app's host draws the state: a PNG image, or an SVG document as an embedded resource, and a description. Call this when the state alone does not tell what was on the screen.",
    worker: .host,
    input: [
      .log, .action, .optional("before", .flag("show the picture before the action instead")),
    ],
    output: [
      .logName, .required("action", .integer("")),
      .required("description", .data("what the picture shows, in the app's words")),
      .optional("mimeType", .text("the type of the picture; absent when there is none")),
      .optional("width", .number("points")), .optional("height", .number("points")),
      .optional("note", .text("why there is no picture")),
    ]
  ) { call in
    let log = try call.log()
    let step = try log.requiredStep(call.number("action") ?? 0)
    guard let state = call.flag("before") ? step.before : step.after else {
      throw DebugError.noState(step.id)
    }
    call.report.show(Wording.drawing)
    var drawing = PictureRenderer(call.context, call.options)
    drawing.limits.bytes = call.desk.setup.pictureBytes
    let outcome = try drawing.picture(of: state, at: step.seq, in: log.slice, log.log.header)
    var answer = call.makeAnswer()
    answer["log"] = .string(log.name)
    answer["action"] = .int(step.seq)
    guard case .picture(let picture) = outcome else {
      if case .note(let note) = outcome {
        answer["description"] = ""
        answer["note"] = .string("\(note)")
        answer.say(Wording.noPicture(step.seq))
        answer.quote(["\(note)"])
      }
      return answer.answer
    }
    let description = String(picture.description.prefix(longestDescription))
    answer["description"] = .string(description)
    answer["mimeType"] = .string(picture.format.mediaType)
    answer["width"] = .points(picture.width)
    answer["height"] = .points(picture.height)
    answer.say(Wording.pictureAfter(step.seq, isBefore: call.flag("before")))
    answer.quote([description])
    answer.suggest(
      [
        SuggestedCall(
          "state_at",
          ["log": .string(log.name), "action": .int(step.seq)],
          Wording.whyState
        )
      ]
    )
    var result = answer.answer
    result.attachments = [content(picture, log.name, step.seq)]
    return result
  }

  /// The maximum number of characters of a description, which corresponds to a screen read aloud.
  private static let longestDescription = 1000

  /// Returns the picture as content of an answer.
  private static func content(_ picture: ReplayPicture, _ log: String, _ seq: Int) -> JSON {
    switch picture.content {
    case .png(let data):
      return [
        "type": "image", "data": .string(data.base64EncodedString()),
        "mimeType": .string(picture.format.mediaType),
      ]
    case .svg(let text):
      return [
        "type": "resource",
        "resource": [
          "uri": .string("tca-replay://picture/\(FileDigest(picture.bytes).digest).svg"),
          "mimeType": .string(picture.format.mediaType), "text": .string(text),
        ],
      ]
    }
  }
}

extension Wording {
  static let drawing = "drawing"

  static func pictureAfter(_ seq: Int, isBefore: Bool) -> String {
    "What the user saw \(isBefore ? "before" : "after") action \(seq):"
  }

  static func noPicture(_ seq: Int) -> String { "There is no picture at action \(seq):" }
}
