public import ActionLog

/// A feature to be run live and recorded: what happens to it, and where the log goes.
public struct RecordRequest: Sendable, Equatable {
  /// The name under which the log's header knows the feature.
  public var feature: String
  /// What happens to the feature, in order.
  public var steps: [Step]
  /// Where the log is to be written; a recorder that finds a file there takes a free name beside it.
  public var path: String

  /// One thing that happens to a feature.
  public enum Step: Sendable, Equatable {
    /// An action is sent, as a view sends it.
    case send(JSON)
    /// Time goes by, in seconds.
    case wait(Double)
    /// All effects that are alive run to their end.
    case finish
  }

  /// A step that cannot be done: its action is none of the feature's, for example.
  public struct StepError: Error {
    /// Which of the steps, counted from 0.
    public let index: Int
    /// Why.
    public let problem: any Error

    /// An error.
    public init(index: Int, problem: any Error) {
      self.index = index
      self.problem = problem
    }
  }

  /// A request.
  public init(feature: String, steps: [Step], path: String) {
    self.feature = feature
    self.steps = steps
    self.path = path
  }
}

/// What became of a request to record.
public struct RecordSummary: Sendable, Equatable {
  /// Where the log is.
  public var path: String
  /// How many actions it holds, those that effects sent among them.
  public var actions: Int

  /// A summary.
  public init(path: String, actions: Int) {
    self.path = path
    self.actions = actions
  }
}
