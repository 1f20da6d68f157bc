import Locking
import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

@Suite("Units that arrive", .timeLimit(.minutes(1)))
struct ArrivingUnitTests {
    private let folder: TemporaryDirectory
    private let units = ArrivingUnits()
    private let tokens = (Int64(1)...2).map { AssetToken(at: Timestamp(milliseconds: $0)) }

    init() throws { folder = try TemporaryDirectory() }

    private func key(_ number: Int, of asset: Int = 0) -> UnitKey {
        UnitKey(token: tokens[asset], unit: UnitID(rendition: "video", kind: .segment, number: number))
    }

    private func path(_ name: String) -> FilePath { FilePath(folder.file(name)) }

    /// Lets a file grow by some bytes.
    private func grow(_ file: PartialFile, by count: Int) throws {
        try file.create()
        let bytes = OriginResource.pattern(count)
        try unsafe file.append(bytes.span.bytes)
    }

    /// Whether a file will get no more bytes: with an error, without one, or not yet.
    private func end(of file: PartialFile) -> String {
        switch file.end {
        case nil: "open"
        case .complete?: "complete"
        case .failed(nil)?: "given up"
        case .failed(let error?)?: "\(error.errorClass)"
        }
    }

    @Test("have one file each, for a player and the transfer, whichever comes first")
    func files() {
        let expected = units.expect(key(0), at: path("0"))
        let (begun, again) = (units.begin(key(0), at: path("other")), units.expect(key(0), at: path("x")))
        #expect(begun === expected && again === expected && units.file(key(0)) === expected)
        let first = units.begin(key(1), at: path("1"))
        let other = units.begin(key(1), at: path("other"))
        #expect(first === other && first !== expected && first.path == path("1"))
        #expect(units.file(key(2)) == nil)
        units.end(key(0))
        #expect(units.file(key(0)) == nil && end(of: expected) == "open")
    }

    @Test("count with the bytes of the transfers of their asset that have begun")
    func bytes() throws {
        try grow(units.begin(key(0), at: path("0")), by: 100)
        try grow(units.begin(key(1), at: path("1")), by: 20)
        try grow(units.expect(key(2), at: path("2")), by: 3)
        try grow(units.begin(key(0, of: 1), at: path("3")), by: 4)
        #expect(units.bytes(of: tokens[0]) == 120 && units.bytes(of: tokens[1]) == 4)
        units.end(key(0))
        #expect(units.bytes(of: tokens[0]) == 20)
    }

    @Test("are waited for until they are stored, or the waiter is cancelled; unknown ones are not")
    func waits() async {
        let (known, unknown) = (key(0), key(1))
        _ = units.begin(known, at: path("0"))
        await units.untilGone(unknown)
        let isOver = Lock(false)
        let waiter = Task { [units] in
            await units.untilGone(known)
            isOver.withLock { $0 = true }
        }
        let cancelled = Task { [units] in await units.untilGone(known) }
        cancelled.cancel()
        await cancelled.value
        for _ in 0..<1000 { await Task.yield() }
        let wasEarly = isOver.withLock(\.self)
        #expect(!wasEarly)
        units.end(known)
        await waiter.value
    }

    @Test("are given up only while their transfers have not begun")
    func abandoned() {
        let reason = StoreError(.status(403, retryAfter: nil))
        let (begun, wanted) = (units.begin(key(0), at: path("0")), units.expect(key(1), at: path("1")))
        for number in 0..<2 { units.abandon(key(number), reason) }
        #expect(end(of: begun) == "open" && units.file(key(0)) === begun)
        #expect(end(of: wanted) == "auth" && units.file(key(1)) == nil)
        let (next, other) = (units.expect(key(2), at: path("2")), units.expect(key(2, of: 1), at: path("3")))
        units.abandonAll(of: tokens[0])
        #expect(end(of: begun) == "open" && units.file(key(0)) === begun)
        #expect(end(of: next) == "given up" && units.file(key(2)) == nil)
        #expect(end(of: other) == "open" && units.file(key(2, of: 1)) === other)
    }
}

@Suite("The habits of an origin")
struct OriginHabitTableTests {
    private let habits = OriginHabits()

    @Test("allow pieces after an answer with ranges, and never again after trouble with one")
    func pieces() {
        #expect(!habits.allowPieces)
        habits.sawRanges()
        #expect(habits.allowPieces)
        habits.sawTrouble()
        #expect(!habits.allowPieces)
        habits.sawRanges()
        #expect(!habits.allowPieces)
    }

    @Test("are those of an honest one until it has shown others")
    func others() {
        #expect(!habits.areDisguised && !habits.breakConnections && !habits.haveBroughtMedia(of: 1))
        habits.sawMedia(of: 1)
        #expect(habits.haveBroughtMedia(of: 1) && !habits.haveBroughtMedia(of: 2))
        #expect(!habits.areDisguised && !habits.breakConnections)
        habits.sawDisguise()
        #expect(habits.areDisguised && !habits.breakConnections)
        habits.sawNonsense()
        #expect(habits.breakConnections)
    }
}

@Suite("A player's request to the origin of an asset that is not downloading")
struct OriginFallbackTests {
    @Test(
        "may be made as the engine was told",
        arguments: [
            (OriginFallback.never, false, false), (.never, true, false), (.unmetered, false, true),
            (.unmetered, true, false), (.always, false, true), (.always, true, true),
        ])
    func permission(_ fallback: OriginFallback, _ isMetered: Bool, _ mayFallBack: Bool) {
        let network = NetworkUse(originFallback: fallback, isMetered: { isMetered })
        #expect(network.mayFallBack == mayFallBack)
    }

    @Test("is not made if the engine was told nothing; a connection counts as free of charge then")
    func usual() {
        #expect(!NetworkUse().mayFallBack && NetworkUse(originFallback: .unmetered).mayFallBack)
    }
}
