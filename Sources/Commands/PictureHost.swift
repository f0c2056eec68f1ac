import ActionLog
import ReplayEngine

/// A host that draws the states of a log, in this process or another.
package protocol PictureHost: AnyObject {
  /// Draws a state.
  ///
  /// - Parameters:
  ///   - request: The state to draw, and the limits.
  ///   - log: The log that contains the state.
  /// - Returns: The picture, or the reason why there is none.
  /// - Throws: `HostFailure` if the host fails, `PictureError` if it can't draw pictures, or `Interrupted` if an
  ///   interruption was requested.
  func picture(_ request: PictureRequest, of log: LogSlice) throws -> PictureOutcome
}

/// A request to draw a state of a log.
package struct PictureRequest: Equatable, Sendable {
  /// The number of the action after which the log has the state.
  package var seq: Int
  package var state: JSON
  package var header: LogEvent.Header
  /// The name of the feature to use, or `nil` for the feature that the log names.
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

  /// The members of the log's header, as the log contains them.
  package var headerMembers: JSON.Object {
    (try? JSON(parsing: LogEvent.header(header).line))?.object ?? [:]
  }
}

/// The limits that apply to drawing pictures.
package struct PictureLimits: Equatable, Sendable {
  /// The time limit for drawing a picture, in seconds.
  ///
  /// Drawing a screen takes milliseconds, so a function that takes longer has probably stopped responding.
  package var seconds = 2.0
  /// The maximum size of a picture in bytes.
  ///
  /// A PNG file of a screen has a few hundred thousand bytes.
  package var bytes = 1_000_000
  /// The maximum number of distinct pictures per log.
  ///
  /// Bounds time and memory.
  package var count = 10_000

  package init(seconds: Double = 2, bytes: Int = 1_000_000, count: Int = 10_000) {
    (self.seconds, self.bytes, self.count) = (seconds, bytes, count)
  }
}

/// The reason why no pictures of a log can be drawn.
package enum PictureError: StatusError, Hashable, CustomStringConvertible {
  /// The feature with this name has no function that draws pictures.
  case noPictures(String)
  /// The host at this path has another version, or was not built with this package.
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
