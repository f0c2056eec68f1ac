import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayPictures

/// The word that shows the user interface at a step.
extension DebuggerCommands {
  static let picture = DebuggerCommand(
    name: "picture",
    arguments: "[before] [FILE] [--force]",
    summary: "draw what the user saw after the action to a file",
    discussion: """
      The host's function 'picture:' of the feature draws the state. Reducers and effects do not run. Without FILE, the
      picture is in a temporary file until the debugger ends. An existing FILE is overwritten if it is a picture, and
      any other file only with --force.
      """,
    completions: [.words(["before"])]
  ) { shell, call in
    let words = call.words.filter { $0 != "--force" }
    let before = words.first == "before" ? words.dropFirst().joined(separator: " ") : nil
    let step = shell.session.frame.step
    guard let state = before == nil ? step.after : step.before else {
      throw DebugError.noState(step.id)
    }
    guard let options = shell.timelines?.options else { throw DebugError.cannotFork }
    let drawing = PictureRenderer(shell.context, options)
    let outcome = try drawing.picture(
      of: state,
      at: step.seq,
      in: shell.session.log.slice,
      shell.session.log.header
    )
    let picture: ReplayPicture
    switch outcome {
    case .picture(let drawn): picture = drawn
    case .note(let note):
      return shell.answer {
        ["\(note)"]
      } json: {
        ["note": note.json, "message": .string("\(note)")]
      }
    }
    let side = before == nil ? "" : "-before"
    let name = before ?? words.joined(separator: " ")
    let file =
      try name.isEmpty
      ? "\(shell.temporaryFolder())/\(step.seq)\(side).\(picture.format.rawValue)"
      : shell.path(name)
    if !name.isEmpty, words.count == call.words.count { try PictureSet.checkOutput(file: file) }
    try shell.context.console.write(to: file) { try $0.write(picture.bytes) }
    return shell.answer {
      [file] + (picture.description.isEmpty ? [] : [Notation.visible(picture.description)])
    } json: {
      [
        "output": .string(file), "description": .string(picture.description),
        "width": .points(picture.width),
        "height": .points(picture.height),
      ]
    }
  }
}
