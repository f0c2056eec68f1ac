public import ActionLog

/// A request to run a feature live and record it: the steps, and the path of the log.
///
/// ```swift
/// let request = RecordRequest(
///   feature: "Counter", steps: [.send(["incrementButtonTapped": [:]]), .finish], path: "counter.jsonl", timeout: 10)
/// let summary = try await feature.record?(request)
/// ```
public struct RecordRequest: Sendable {
  /// The name under which the log's header knows the feature.
  public var feature: String
  /// The steps, in order.
  public var steps: Steps
  /// The path of the log; if there is a file, the recorder takes a free name beside it.
  public var path: String
  /// The time limit in seconds; `nil` for none.
  public var timeout: Double?
  /// Whether the log has the calls that effects make of dependency clients, too.
  ///
  /// ```swift
  /// request.recordsCalls = true  // {"kind":"call","id":"1.0","key":"APIClient.fetch",…}
  /// ```
  public var recordsCalls = false
  /// Receives the effects that a step waits for, when that takes long.
  public var didWait: (@MainActor @Sendable (Waiting) -> Void)?
  /// The place in a log from which the feature goes on; `nil` for its initial state.
  public var start: Start?
  /// Receives the effects that were alive there, and what became of them.
  public var didResume: (@MainActor @Sendable (Resumed) -> Void)?
  /// Receives the path of the log whenever events were written to it.
  package var didWrite: (@Sendable (_ path: String) -> Void)?
  /// Called before a step that arrives is waited for.
  package var willWait: (@MainActor @Sendable () async -> Void)?
  /// Receives a step that cannot be done; without it such a step ends the recording.
  ///
  /// ```swift
  /// request.didRefuse = { error in print("step \(error.index): \(error.problem)") }
  /// ```
  public var didRefuse: (@MainActor @Sendable (StepError) -> Void)?

  /// One step of the script.
  ///
  /// ```swift
  /// let steps: [RecordRequest.Step] = [.send(["timerButtonTapped": [:]]), .wait(1.5), .finish]
  /// ```
  public enum Step: Sendable, Equatable {
    /// An action is sent, as a view sends it.
    case send(JSON)
    /// Time passes, in seconds.
    case wait(Double)
    /// All effects of the feature's own that are alive run to their end.
    case finish
  }

  /// A place in a log from which a feature goes on.
  ///
  /// ```swift
  /// request.start = RecordRequest.Start(.file("bug.jsonl"), through: 12)
  /// ```
  public struct Start: Sendable, Equatable {
    /// The log.
    public var log: RecordedLog
    /// The action after which the feature goes on; `nil` for the last one that was finished.
    public var seq: Int?

    /// A place in a log.
    public init(_ log: RecordedLog, through seq: Int? = nil) {
      self.log = log
      self.seq = seq
    }
  }

  /// The place from which a feature goes on, as it was found.
  ///
  /// ```swift
  /// request.didResume = { resumed in
  ///   for effect in resumed.left { print("\(effect.id) does not run") }
  /// }
  /// ```
  public struct Resumed: Sendable, Equatable {
    /// The action after which it goes on.
    public let seq: Int
    /// The effects that run again.
    public let restarted: [RunningEffect]
    /// The effects that were alive and do not run.
    public let left: [RunningEffect]

    /// A place with its effects.
    public init(seq: Int, restarted: [RunningEffect], left: [RunningEffect]) {
      self.seq = seq
      self.restarted = restarted
      self.left = left
    }
  }

  /// Steps that are read one by one as they are needed, so that there can be any number of them.
  ///
  /// ```swift
  /// RecordRequest.Steps {
  ///   var rest = 1_000
  ///   return {
  ///     rest -= 1
  ///     return rest < 0 ? nil : .send(["incrementButtonTapped": [:]])
  ///   }
  /// }
  /// ```
  public struct Steps: Sendable {
    /// Gives the next step, `nil` after the last one.
    public typealias Reader = () throws -> Step?

    private let open: @Sendable () throws -> Reader
    /// Steps that come while the feature runs; `nil` for those that are there.
    package let arriving: AsyncThrowingStream<Step, any Error>?

    /// Steps that are opened for each pass over them: a recording looks at all of them before it begins.
    public init(_ open: @escaping @Sendable () throws -> Reader) {
      self.open = open
      arriving = nil
    }

    /// Steps that come while the feature runs, such as those that somebody types; each is done when it comes.
    public init(arriving: AsyncThrowingStream<Step, any Error>) {
      open = { { nil } }
      self.arriving = arriving
    }

    /// Steps in memory.
    public init(_ steps: [Step]) {
      open = {
        var rest = steps.makeIterator()
        return { rest.next() }
      }
      arriving = nil
    }

    /// Begins a pass over the steps.
    ///
    /// ```swift
    /// let next = try request.steps.makeReader()
    /// while let step = try next() { print(step) }
    /// ```
    ///
    /// - Throws: An error when the steps cannot be read.
    public func makeReader() throws -> Reader { try open() }
  }

  /// An effect that has not ended.
  ///
  /// ```swift
  /// let names = waiting.effects.map { $0.name ?? $0.id.description }  // ["tick"]
  /// ```
  public struct RunningEffect: Sendable, Equatable {
    /// Its name in the log.
    public let id: EffectID
    /// The name that the feature gave it.
    public let name: String?
    /// Its line of source, such as `App/Todos.swift:88`.
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

  /// A step that waits for effects.
  ///
  /// ```swift
  /// request.didWait = { waiting in
  ///   print("step \(waiting.index) waits for \(waiting.effects.count) effects")
  /// }
  /// ```
  public struct Waiting: Sendable, Equatable {
    /// The index of the step, from 0.
    public let index: Int
    /// The effects that have not ended, in the order in which they were started.
    public let effects: [RunningEffect]

    /// A step that waits.
    public init(index: Int, effects: [RunningEffect]) {
      self.index = index
      self.effects = effects
    }
  }

  /// The time limit was reached before the last step was done; the log is closed and has the actions so far.
  ///
  /// ```swift
  /// do { _ = try await record(request) } catch let error as RecordRequest.TimeoutError {
  ///   print("step \(error.waiting.index) waited until \(error.seconds) s were over; see \(error.summary.path)")
  /// }
  /// ```
  public struct TimeoutError: Error {
    /// The time, in seconds.
    public let seconds: Double
    /// The step and effects that were waited for.
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

  /// A step that cannot be done, for example because the feature has no such action.
  ///
  /// ```swift
  /// do { _ = try await record(request) } catch let error as RecordRequest.StepError {
  ///   print("step \(error.index): \(error.problem)")
  /// }
  /// ```
  public struct StepError: Error {
    /// The index of the step, from 0.
    public let index: Int
    /// The reason.
    public let problem: any Error

    /// An error.
    public init(index: Int, problem: any Error) {
      self.index = index
      self.problem = problem
    }
  }

  /// A request with steps in memory.
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

/// The result of a request to record.
///
/// ```swift
/// let summary = try await record(request)
/// print("\(summary.actions) actions in \(summary.path)")  // 3 actions in counter-2.jsonl
/// ```
public struct RecordSummary: Sendable, Equatable {
  /// The path of the log.
  public var path: String
  /// The number of its actions, including those that effects sent.
  public var actions: Int

  /// A summary.
  public init(path: String, actions: Int) {
    self.path = path
    self.actions = actions
  }
}
