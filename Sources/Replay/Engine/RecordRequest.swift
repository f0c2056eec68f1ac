public import ActionLog

/// A feature to be run live and recorded: what happens to it, and where the log goes.
public struct RecordRequest: Sendable {
  /// The name under which the log's header knows the feature.
  public var feature: String
  /// What happens to the feature, in order.
  public var steps: Steps
  /// Where the log is to be written; a recorder that finds a file there takes a free name beside it.
  public var path: String
  /// How long it may take, in seconds; `nil` for as long as it takes.
  public var timeout: Double?
  /// Is told what a step waits for, when that takes long.
  public var didWait: (@MainActor @Sendable (Waiting) -> Void)?

  /// One thing that happens to a feature.
  public enum Step: Sendable, Equatable {
    /// An action is sent, as a view sends it.
    case send(JSON)
    /// Time goes by, in seconds.
    case wait(Double)
    /// All effects of the feature's own that are alive run to their end.
    case finish
  }

  /// Steps that are read one after the other, when it is their turn, so that there can be any number of them.
  public struct Steps: Sendable {
    /// Gives one step after the other, nil after the last one.
    public typealias Reader = () throws -> Step?

    private let open: @Sendable () throws -> Reader

    /// Steps that are opened for each pass over them: a recording looks at all of them before it begins.
    public init(_ open: @escaping @Sendable () throws -> Reader) { self.open = open }

    /// Steps that are there.
    public init(_ steps: [Step]) {
      open = {
        var rest = steps.makeIterator()
        return { rest.next() }
      }
    }

    /// Begins a pass over the steps.
    ///
    /// - Throws: What keeps the steps from being read.
    public func makeReader() throws -> Reader { try open() }
  }

  /// An effect that has not ended.
  public struct RunningEffect: Sendable, Equatable {
    /// Its name in the log.
    public let id: EffectID
    /// The name that the feature gave it.
    public let name: String?
    /// Where it was written, such as `App/Todos.swift:88`.
    public let source: String?
    /// The action that started it.
    public let action: JSON?

    /// An effect.
    public init(id: EffectID, name: String? = nil, source: String? = nil, action: JSON? = nil) {
      self.id = id
      self.name = name
      self.source = source
      self.action = action
    }
  }

  /// What a step waits for.
  public struct Waiting: Sendable, Equatable {
    /// Which of the steps, counted from 0.
    public let index: Int
    /// The effects that have not ended, in the order in which they were started.
    public let effects: [RunningEffect]

    /// A step that waits.
    public init(index: Int, effects: [RunningEffect]) {
      self.index = index
      self.effects = effects
    }
  }

  /// The time was up before the last step was done; the log is closed and holds what there was.
  public struct TimeoutError: Error {
    /// The time, in seconds.
    public let seconds: Double
    /// What was waited for.
    public let waiting: Waiting
    /// The log.
    public let summary: RecordSummary

    /// An error.
    public init(seconds: Double, waiting: Waiting, summary: RecordSummary) {
      self.seconds = seconds
      self.waiting = waiting
      self.summary = summary
    }
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

  /// A request with steps that are there.
  public init(feature: String, steps: [Step], path: String, timeout: Double? = nil) {
    self.init(feature: feature, steps: Steps(steps), path: path, timeout: timeout)
  }

  /// A request.
  public init(feature: String, steps: Steps, path: String, timeout: Double? = nil) {
    self.feature = feature
    self.steps = steps
    self.path = path
    self.timeout = timeout
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
