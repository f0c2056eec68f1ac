package import TCACore

/// The screen of a finished visit.
@Reducer
package struct VisitReport: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared package var visit: Visit
    package let siteName: String
    package var isFiling = false
    @Presents package var alert: AlertState<Action.Alert>?

    package init(visit: Shared<Visit>, siteName: String) {
      _visit = visit
      self.siteName = siteName
    }
  }

  package enum Action: Sendable {
    case alert(PresentationAction<Alert>)
    case cancelButtonTapped
    case fileButtonTapped
    case filed(Result<String, any Error>)

    @CasePathable
    package enum Alert: Equatable, Sendable { case tryAgain }
  }

  private enum CancelID { case file }

  @Dependency(\.office) private var office

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .alert(.presented(.tryAgain)), .fileButtonTapped:
        guard state.visit.receipt == nil, !state.isFiling else { return .none }
        state.isFiling = true
        return .run(name: "file") { [visit = state.visit, site = state.siteName] send in
          await send(.filed(Result { try await office.file(visit: visit, site: site) }))
        }
        .cancellable(id: CancelID.file)
      case .cancelButtonTapped:
        state.isFiling = false
        return .cancel(id: CancelID.file)
      case .filed(.success(let receipt)):
        state.isFiling = false
        state.$visit.withLock { $0.receipt = receipt }
        return .none
      case .filed(.failure(let error)):
        state.isFiling = false
        state.alert = .notFiled(error)
        return .none
      case .alert:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}

extension AlertState where Action == VisitReport.Action.Alert {
  package static func notFiled(_ error: any Error) -> Self {
    Self {
      TextState("Not filed")
    } actions: {
      if case OfficeError.offline = error {
        ButtonState(action: .tryAgain) { TextState("Try again") }
      }
      ButtonState(role: .cancel) { TextState("OK") }
    } message: {
      switch error {
      case OfficeError.ungraded(let titles):
        TextState("No grade: \(titles.joined(separator: ", "))")
      case OfficeError.offline:
        TextState("The office cannot be reached.")
      default:
        TextState("Something went wrong.")
      }
    }
  }
}
