import Locking
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("The turns of changes", .timeLimit(.minutes(1)))
struct TurnsTests {
    private static func token(_ number: Int64) -> AssetToken {
        AssetToken(at: Timestamp(milliseconds: number))
    }

    @Test("of the same asset are one at a time, and everyone gets a turn")
    func sameAsset() async {
        let (turns, token) = (Turns(), Self.token(1))
        let holders = Lock((now: 0, most: 0, all: 0))
        await turns.take(token)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await turns.take(token)
                    holders.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                    for _ in 0..<10 { await Task.yield() }
                    holders.withLock { $0.now -= 1 }
                    turns.release(token)
                }
            }
            for _ in 0..<1000 { await Task.yield() }
            let early = holders.withLock { $0.all }
            #expect(early == 0)
            turns.release(token)
        }
        let (most, all) = holders.withLock { ($0.most, $0.all) }
        #expect(most == 1 && all == 20)
        // The turn is free again.
        await turns.take(token)
    }

    @Test("of two assets do not wait for one another")
    func otherAsset() async {
        let (turns, first, second) = (Turns(), Self.token(1), Self.token(2))
        await turns.take(first)
        await turns.take(second)
        turns.release(first)
        await turns.take(first)
    }
}
