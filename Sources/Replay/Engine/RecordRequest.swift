public import ActionLog

/// A request to run a feature live and record it: the steps, and the path of the log.
///
/// ```swift
/// let request = RecordRequest(
///   feature: "Counter", steps: [.send(["incrementButtonTapped": [:]]), .finish], path: "counter.jsonl", timeout: 10)
/// let summary = try await feature.record?(request)
/// ```
public struct RecordRequest: Sendable {
  /// The name of the feature that is written to the log's header.
  public var feature: String
  /// The steps to perform, in order.
  public var steps: Steps
  /// The path of the log.
  ///
  /// If a file exists at the path, the recorder uses a free name in the same folder.
  public var path: String
  /// The time limit in seconds, or `nil` for none.
  public var timeout: Double?
  /// Whether the log includes the calls that effects make to dependency clients.
  ///
  /// ```swift
  /// request.recordsCalls = true  // {"kind":"call","id":"1.0","key":"APIClient.fetch",…}
  /// ```
  public var recordsCalls = false
  /// A closure that receives the effects that a step waits for, if the step waits for a long time.
  public var didWait: (@MainActor @Sendable (Waiting) -> Void)?
  /// The position in a log from which the feature resumes, or `nil` to start with its initial state.
  public var start: Start?
  /// A closure that receives the effects that were alive at the start position, and whether they were restarted.
  public var didResume: (@MainActor @Sendable (Resumed) -> Void)?
  /// A closure that receives the path of the log after events have been written.
  package var didWrite: (@Sendable (_ path: String) -> Void)?
  /// A closure that is called before the recording waits for the next step to arrive.
  package var willWait: (@MainActor @Sendable () async -> Void)?
  /// A closure that receives an error for each step that can't be performed.
  ///
  /// If it is `nil`, such a step ends the recording.
  ///
  /// ```swift
  /// request.didRefuse = { error in print("step \(error.index): \(error.problem)") }
  /// ```
  public var didRefuse: (@MainActor @Sendable (StepError) -> Void)?

  /// A step of the script.
  ///
  /// ```swift
  /// let steps: [RecordRequest.Step] = [.send(["timerButtonTapped": [:]]), .wait(1.5), .finish]
  /// ```
  public enum Step: Sendable, Equatable {
    /// Sends an action in JSON, as a view would send it.
    case send(JSON)
    /// Waits for a number of seconds.
    case wait(Double)
    /// Waits until all running effects of the feature have ended.
    case finish
  }

  /// A position in a log from which a feature resumes: the state after an action.
  ///
  /// ```swift
  /// request.start = RecordRequest.Start(.file("bug.jsonl"), through: 12)
  /// ```
  public struct Start: Sendable, Equatable {
    /// The log that contains the position.
    public var log: RecordedLog
    /// The number of the action after which the feature resumes, or `nil` for the last completed one.
    public var seq: Int?

    /// Creates the position after an action, or after the last completed action by default.
    public init(_ log: RecordedLog, through seq: Int? = nil) {
      self.log = log
      self.seq = seq
    }
  }

  /// The position from which a feature has resumed.
  ///
  /// ```swift
  /// request.didResume = { resumed in
  ///   for effect in resumed.left { print("\(effect.id) does not run") }
  /// }
  /// ```
  public struct Resumed: Sendable, Equatable {
    /// The number of the action after which the feature resumed.
    public let seq: Int
    /// The effects that were restarted.
    public let restarted: [RunningEffect]
    /// The effects that were alive in the log but were not restarted.
    public let left: [RunningEffect]
    /// Whether a host can restart the effects of its features.
    public let canRestart: Bool

    /// Creates a position with the effects that were alive there.
    public init(
      seq: Int,
      restarted: [RunningEffect],
      left: [RunningEffect],
      canRestart: Bool = true
    ) {
      self.seq = seq
      self.restarted = restarted
      self.left = left
      self.canRestart = canRestart
    }
  }

  /// A sequence of steps that are read on demand, so that their number is not limited by memory.
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
    /// A function that returns the next step, or `nil` after the last one.
    public typealias Reader = () throws -> Step?

    private let open: @Sendable () throws -> Reader
    /// The steps that arrive while the feature runs, or `nil` if all steps are available from the start.
    package let arriving: AsyncThrowingStream<Step, any Error>?

    /// Creates a sequence from a closure that opens the steps for each pass.
    ///
    /// A recording makes one pass to validate all steps before it starts, and another to perform them.
    public init(_ open: @escaping @Sendable () throws -> Reader) {
      self.open = open
      arriving = nil
    }

    /// Creates a sequence of steps that arrive while the feature runs, for example when a user types them.
    ///
    /// The recording performs each step on arrival.
    public init(arriving: AsyncThrowingStream<Step, any Error>) {
      open = { { nil } }
      self.arriving = arriving
    }

    /// Creates a sequence from an array of steps.
    public init(_ steps: [Step]) {
      open = {
        var rest = steps.makeIterator()
        return { rest.next() }
      }
      arriving = nil
    }

    /// Starts a pass over the steps.
    ///
    /// ```swift
    /// let next = try request.steps.makeReader()
    /// while let step = try next() { print(step) }
    /// ```
    ///
    /// - Returns: A function that returns the next step, or `nil` after the last one.
    /// - Throws: An error if the steps can't be read.
    public func makeReader() throws -> Reader { try open() }
  }

  /// An effect that has not ended.
  ///
  /// ```swift
  /// let names = waiting.effects.map { $0.name ?? $0.id.description }  // ["tick"]
  /// ```
  public struct RunningEffect: Sendable, Equatable {
    /// The ID of the effect in the new log.
    public let id: EffectID
    /// The name that the feature has given to the effect, or `nil` if it has none.
    public let name: String?
    /// The source location of the effect, such as `App/Todos.swift:88`, or `nil` if it is unknown.
    public let source: String?
    /// The action that started the effect, or `nil` if it is unknown.
    public let action: JSON?

    /// Creates the description of a running effect.
    public init(id: EffectID, name: String? = nil, source: String? = nil, action: JSON? = nil) {
      self.id = id
      self.name = name
      self.source = source
      self.action = action
    }
  }

  /// The index of a step that waits, and the effects that it waits for.
  ///
  /// ```swift
  /// request.didWait = { waiting in
  ///   print("step \(waiting.index) waits for \(waiting.effects.count) effects")
  /// }
  /// ```
  public struct Waiting: Sendable, Equatable {
    /// The index of the step, counted from 0.
    public let index: Int
    /// The effects that have not ended, in the order in which they started.
    public let effects: [RunningEffect]

    /// Creates the description of a step that waits.
    public init(index: Int, effects: [RunningEffect]) {
      self.index = index
      self.effects = effects
    }
  }

  /// An error that reports that the time limit was reached before the last step was completed.
  ///
  /// The log is closed, and contains the actions up to the time limit.
  ///
  /// ```swift
  /// do { _ = try await record(request) } catch let error as RecordRequest.TimeoutError {
  ///   print("step \(error.waiting.index) waited until \(error.seconds) s were over; see \(error.summary.path)")
  /// }
  /// ```
  public struct TimeoutError: Error {
    /// The time limit that was reached, in seconds.
    public let seconds: Double
    /// The step that was waiting, and the effects that it waited for.
    public let waiting: Waiting
    /// The path and the number of actions of the closed log.
    public let summary: RecordSummary

    /// Creates an error for a step that was still waiting at the time limit.
    public init(seconds: Double, waiting: Waiting, summary: RecordSummary) {
      self.seconds = seconds
      self.waiting = waiting
      self.summary = summary
    }
  }

  /// An error that reports a step that can't be performed, for example because the feature has no such action.
  ///
  /// ```swift
  /// do { _ = try await record(request) } catch let error as RecordRequest.StepError {
  ///   print("step \(error.index): \(error.problem)")
  /// }
  /// ```
  public struct StepError: Error {
    /// The index of the step, counted from 0.
    public let index: Int
    /// The error that prevented the step.
    public let problem: any Error

    /// Creates an error for a step that can't be performed.
    public init(index: Int, problem: any Error) {
      self.index = index
      self.problem = problem
    }
  }

  /// Creates a request to perform an array of steps, with an optional time limit in seconds.
  public init(feature: String, steps: [Step], path: String, timeout: Double? = nil) {
    self.init(feature: feature, steps: Steps(steps), path: path, timeout: timeout)
  }

  /// Creates a request to perform a sequence of steps, with an optional time limit in seconds.
  public init(feature: String, steps: Steps, path: String, timeout: Double? = nil) {
    self.feature = feature
    self.steps = steps
    self.path = path
    self.timeout = timeout
  }
}

/// The path and the number of actions of a recorded log.
///
/// ```swift
/// let summary = try await record(request)
/// print("\(summary.actions) actions in \(summary.path)")  // 3 actions in counter-2.jsonl
/// ```
public struct RecordSummary: Sendable, Equatable {
  /// The path of the log, which may differ from the requested path.
  public var path: String
  /// The number of actions in the log, including those that effects sent.
  public var actions: Int

  /// Creates a summary with the path and the number of actions of a log.
  public init(path: String, actions: Int) {
    self.path = path
    self.actions = actions
  }
}
