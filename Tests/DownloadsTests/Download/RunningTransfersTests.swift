import SystemPackage
import TestSupport
import Testing
import Transfers

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

/// The use of the line when a player leaves a segment in the middle and waits for another one.
struct RunningTransfersTests {
    fileprivate static let left = UnitID(rendition: "video", kind: .segment, number: 0)
    private static let wanted = UnitID(rendition: "video", kind: .segment, number: 9)

    /// A transfer of a long segment on a slow line that a player has just left for another one.
    private struct Scene {
        let leash = TransferLeash()
        var transfers = RunningTransfers()

        init(
            in folder: TemporaryDirectory, etag: String? = "\"1\"", length: UInt64 = 1_000_000
        ) async throws {
            let file = try PartialFile(creating: FilePath(folder.file("0.part")))
            file.expectedLength = length
            file.validator = Validator(etag: etag)
            _ = await leash.turn(mayBePiece: false)
            transfers.begin(RunningTransfersTests.left, leash: leash, file: file, isForPlayer: true, now: 0)
            adjust(demanded: RunningTransfersTests.left, now: 0.5)
        }

        mutating func adjust(demanded: UnitID, now: Double, canGoOn: Bool = true) {
            transfers.adjust(
                .init(
                    demanded: [demanded], ahead: [], pressure: .demand, usual: 6, canGoOn: canGoOn,
                    rate: 100_000, piece: 40_000, now: now))
        }
    }

    @Test(
        "remaining transfers are cancelled after a moment, and not paused before: a pause would lose bytes")
    func brokenOff() async throws {
        var scene = try await Scene(in: try TemporaryDirectory())
        scene.adjust(demanded: Self.wanted, now: 1)
        #expect(!scene.leash.control.isPaused && !scene.leash.takeInterruption())
        scene.adjust(demanded: Self.wanted, now: 1.5)
        #expect(scene.leash.takeInterruption())
    }

    @Test("a player that comes back in this moment finds it going on")
    func back() async throws {
        var scene = try await Scene(in: try TemporaryDirectory())
        scene.adjust(demanded: Self.wanted, now: 1)
        scene.adjust(demanded: Self.left, now: 1.2)
        scene.adjust(demanded: Self.wanted, now: 1.3)
        scene.adjust(demanded: Self.wanted, now: 1.5)
        #expect(!scene.leash.control.isPaused && !scene.leash.takeInterruption())
    }

    @Test("a transfer that could not be resumed is paused instead", arguments: [true, false])
    func paused(_ canGoOn: Bool) async throws {
        var scene = try await Scene(in: try TemporaryDirectory(), etag: canGoOn ? "W/\"1\"" : "\"1\"")
        scene.adjust(demanded: Self.wanted, now: 1, canGoOn: canGoOn)
        scene.adjust(demanded: Self.wanted, now: 2, canGoOn: canGoOn)
        #expect(scene.leash.control.isPaused && !scene.leash.takeInterruption())
    }

    @Test(
        "a transfer whose rest takes no more than half a second of the line is paused instead",
        arguments: [(UInt64(50_000), false), (50_001, true)])
    func shortRest(_ length: UInt64, _ isInterrupted: Bool) async throws {
        var scene = try await Scene(in: try TemporaryDirectory(), length: length)
        scene.adjust(demanded: Self.wanted, now: 1)
        #expect(scene.leash.control.isPaused == !isInterrupted)
        scene.adjust(demanded: Self.wanted, now: 2)
        #expect(scene.leash.takeInterruption() == isInterrupted)
    }

    @Test("only continuous transfers measure the line; resting ones do not")
    func busy() async throws {
        let folder = try TemporaryDirectory()
        let file = try PartialFile(creating: FilePath(folder.file("1.part")))
        var transfers = RunningTransfers()
        transfers.begin(Self.left, leash: TransferLeash(), file: file, isForPlayer: false, now: 0)
        func come(_ transfers: inout RunningTransfers) throws -> Bool {
            let bytes: [UInt8] = [1, 2, 3]
            unsafe try file.append(bytes.span.bytes)
            return transfers.wereBusy()
        }
        var seen = [try come(&transfers), try come(&transfers), transfers.wereBusy()]
        #expect(seen == [false, true, false])
        transfers.adjust(
            .init(
                demanded: [Self.wanted], ahead: [], pressure: .demand, usual: 6, now: 1))
        seen = [try come(&transfers), try come(&transfers), try come(&transfers)]
        #expect(seen == [false, false, false])
    }
}
