import Locking
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Which assets go to make room.
struct EvictionPlanTests {
    private static let token = AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV")

    private func candidate(_ name: String, _ change: (inout EvictionCandidate) -> Void = { _ in }) throws
        -> EvictionCandidate
    {
        var candidate = EvictionCandidate(
            token: try #require(Self.token), name: name, bytes: 10, state: .complete,
            lastUsed: Timestamp(milliseconds: 1000))
        change(&candidate)
        return candidate
    }

    private var everything: StoragePolicy {
        var policy = StoragePolicy()
        policy.evict = Set(EvictionClass.allCases)
        return policy
    }

    @Test(
        "cancelled assets are evicted first, then expired, watched, low-priority and least recently played ones"
    )
    func order() throws {
        let candidates = [
            try candidate("new") { $0.lastUsed = Timestamp(milliseconds: 3000) },
            try candidate("old"), try candidate("lowest") { $0.priority = -2 },
            try candidate("low") { $0.priority = -1 }, try candidate("watched") { $0.isWatched = true },
            try candidate("expired") { ($0.isExpired, $0.isWatched) = (true, true) },
            try candidate("cancelled") { $0.state = .cancelled },
        ]
        let plan = EvictionPlan(candidates, freeing: 70, everything)
        #expect(
            plan.steps.map(\.candidate.name) == [
                "cancelled", "expired", "watched", "lowest", "low", "old", "new",
            ])
        #expect(plan.isEnough)
        #expect(EvictionPlan(candidates, freeing: 11, everything).steps.count == 2)
        #expect(!EvictionPlan(candidates, freeing: 71, everything).isEnough)
    }

    @Test("without a policy no requested asset is evicted; pinned and running ones never are")
    func kept() throws {
        let asked = [try candidate("a") { ($0.isExpired, $0.isWatched, $0.priority) = (true, true, -1) }]
        #expect(EvictionPlan(asked, freeing: 1, StoragePolicy()).steps.isEmpty)
        let pinned = try candidate("p") { $0.isPinned = true }
        let running = try candidate("r") { $0.state = .downloading }
        let empty = try candidate("e") { $0.bytes = 0 }
        #expect(EvictionPlan([pinned, running, empty], freeing: 1, everything).steps.isEmpty)
    }

    @Test(
        "sizes are read as people write them",
        arguments: [
            ("50G", 50_000_000_000), ("1.5T", 1_500_000_000_000), ("2GiB", 2 << 30), ("7", 7),
            ("10 MB", nil), ("", nil), ("-1G", nil), ("5iB", nil), ("3kB", 3000), ("nan", nil),
        ] as [(String, UInt64?)])
    func sizes(_ text: String, _ bytes: UInt64?) { #expect(ByteCount(text)?.bytes == bytes) }

    @Test("no more assets are evicted than the wanted bytes need")
    func enough() throws {
        let candidates = [
            try candidate("old"), try candidate("new") { $0.lastUsed = Timestamp(milliseconds: 2000) },
        ]
        #expect(EvictionPlan(candidates, freeing: 10, everything).steps.map(\.candidate.name) == ["old"])
        #expect(EvictionPlan(candidates, freeing: 0, everything).steps.isEmpty)
        #expect(EvictionPlan(candidates, freeing: 0, everything).isEnough)
    }

    @Test("the lowest priority goes first, and assets of usual or high priority go by their last play alone")
    func ranks() throws {
        let low = [
            try candidate("low") { $0.priority = -1 }, try candidate("lowest") { $0.priority = -2 },
        ]
        let lowPlan = EvictionPlan(low, freeing: 20, everything)
        #expect(lowPlan.steps.map(\.candidate.name) == ["lowest", "low"])
        let played = [
            try candidate("new") { $0.lastUsed = Timestamp(milliseconds: 2000) },
            try candidate("old") { $0.priority = 5 },
        ]
        let playedPlan = EvictionPlan(played, freeing: 20, everything)
        #expect(playedPlan.steps.map(\.candidate.name) == ["old", "new"])
    }
}
