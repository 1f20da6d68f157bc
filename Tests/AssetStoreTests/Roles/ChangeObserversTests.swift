import Locking
import Testing

@testable import AssetStore
@testable import StoreModel

@Suite("Observers of changes", .timeLimit(.minutes(1)))
struct ChangeObserversTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    @Test("are called with the assets that have changed, until they are removed")
    func called() {
        let observers = ChangeObservers()
        let told = Lock<[String]>([])
        let one = observers.add { tokens in told.withLock { $0.append("one \(tokens.count)") } }
        let two = observers.add { tokens in told.withLock { $0.append("two \(tokens.count)") } }
        #expect(one != two)
        observers.tell([token])
        #expect(told.withLock { $0.sorted() } == ["one 1", "two 1"])
        observers.remove(one)
        observers.tell([])
        #expect(told.withLock { $0.sorted() } == ["one 1", "two 0", "two 1"])
        // A number is not given again.
        let three = observers.add { _ in }
        #expect(three != one && three != two)
        observers.remove(two)
        observers.remove(two)
        observers.tell([token])
        #expect(told.withLock(\.count) == 3)
    }
}
