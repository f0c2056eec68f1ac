import ActionLog
import ReplayEngine

/// A host that draws the states of a log, in a process of its own or not.
package protocol PictureHost: AnyObject {
  /// Draws a state.
  ///
  /// - Parameters:
  ///   - request: The state and the limits.
  ///   - log: The log that has it.
  /// - Returns: The picture, or the reason why there is none.
  /// - Throws: `HostFailure`, `PictureError`, `Interrupted`.
  func picture(_ request: PictureRequest, of log: LogSlice) throws -> PictureOutcome
}

/// A state that a host is to draw.
package struct PictureRequest: Equatable, Sendable {
  /// The action after which the log has the state.
  package var seq: Int
  package var state: JSON
  /// The header of the log.
  package var header: LogEvent.Header
  /// The feature to use, whatever the log says.
  package var feature: String?
  package var limits: PictureLimits

  package init(
    seq: Int,
    state: JSON,
    header: LogEvent.Header,
    feature: String? = nil,
    limits: PictureLimits = PictureLimits()
  ) {
    (self.seq, self.state, self.header) = (seq, state, header)
    (self.feature, self.limits) = (feature, limits)
  }

  /// The header as a log has it.
  package var headerMembers: JSON.Object {
    (try? JSON(parsing: LogEvent.header(header).line))?.object ?? [:]
  }
}

/// The limits of pictures.
package struct PictureLimits: Equatable, Sendable {
  /// Seconds for one picture: a screen is drawn in milliseconds, and what takes longer hangs.
  package var seconds = 2.0
  /// Bytes of one picture: a PNG file of a screen has some hundred thousand.
  package var bytes = 1_000_000
  /// Distinct pictures of a log.
  package var count = 10_000

  package init(seconds: Double = 2, bytes: Int = 1_000_000, count: Int = 10_000) {
    (self.seconds, self.bytes, self.count) = (seconds, bytes, count)
  }
}

/// The reason why a log gets no pictures at all.
package enum PictureError: StatusError, Hashable, CustomStringConvertible {
  /// The feature has no function that draws.
  case noPictures(String)
  /// The host is of another version, or made by other means.
  case notServing(String)

  package var status: ExitStatus { .hostFailed }

  package var description: String {
    switch self {
    case .noPictures(let feature):
      "the host has no pictures of '\(Notation.visible(feature))'; expected a ReplayFeature with 'picture:'"
    case .notServing(let host):
      "the host \(host) draws no pictures; expected an executable that was built from a ReplayHost of this version"
    }
  }
}
