import TCACore
import Testing

@MainActor
@Suite("Results of tasks")
struct TaskResultTests {
  private struct Equal: Error, Hashable { var code = 1 }
  private struct Other: Error, Equatable { var code = 1 }
  private struct Opaque: Error {}

  @Test func `TaskResult stores the value or the error of an operation`() async throws {
    let good = await TaskResult { 1 }
    let bad = await TaskResult<Int> { throw Equal() }
    #expect(try good.value == 1)
    #expect(throws: Equal()) { try bad.value }
    #expect(good.map { $0 + 1 } == .success(2))
    #expect(bad.map { $0 + 1 } == .failure(Equal()))
    #expect(try Result(good).get() == 1)
    #expect(TaskResult(Result<Int, Equal>.failure(Equal())) == .failure(Equal()))
  }

  @Test func `TaskResult compares and hashes Equatable errors`() {
    typealias R = TaskResult<Int>
    #expect(R.failure(Equal()) == R.failure(Equal()))
    #expect(R.failure(Equal()) != R.failure(Equal(code: 2)))
    #expect(R.failure(Equal()) != R.failure(Other()))
    #expect(R.failure(Equal()) != R.success(1))
    #expect(Set([R.failure(Equal()), R.failure(Equal()), R.success(1)]).count == 2)
  }

  @Test func `comparing TaskResults whose errors are not Equatable reports an issue`() {
    let issues = recordingIssues {
      #expect(TaskResult<Int>.failure(Opaque()) != TaskResult<Int>.failure(Opaque()))
    }
    #expect(
      issues == [
        """
        Two errors of type "TaskResultTests.Opaque" were to be compared, which is not "Equatable". \
        They count as different. Make the type "Equatable".
        """
      ]
    )
  }

  @Test func `TaskResult has case key paths`() {
    let result = TaskResult<Int>.success(1)
    #expect(result[case: \.success] == 1)
    #expect(result.is(\.failure) == false)
  }
}
