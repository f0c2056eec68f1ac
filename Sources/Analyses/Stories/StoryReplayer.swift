import ActionLog
import ReplayCommands
import ReplayHosts

/// Replays retellings of a story, each in a host of its own.
struct StoryReplayer: Sendable {
  typealias Outcome = EventReplayer.Outcome

  let story: Story
  let hosts: HostPool
  var options = ReplayOptions()

  /// Replays a part of the story.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func replay(_ retelling: Story.Retelling) throws -> Outcome {
    try EventReplayer(hosts: hosts, options: options).replay(story.events(of: retelling))
  }
}
