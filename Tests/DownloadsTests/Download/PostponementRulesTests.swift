import Testing
import Transfers

@testable import Downloads
@testable import StoreModel

@Suite("The next try for an asset of the queue")
struct PostponementRulesTests {
    private static func failure(_ code: TransferError.Code) -> StoreError {
        StoreError(.transfer(TransferFailure(TransferError(code, url: "http://a.test/v.m3u8"))))
    }

    @Test("a pause that an origin names is counted as a failure up to half a minute, and lasts a minute then")
    func shortNamedPause() {
        var postponement = Postponement()
        let hope = postponement.failed(StoreError(.status(503, retryAfter: 30)), now: 1000)
        #expect(hope && postponement.failures == 1 && postponement.until == 61_000)
    }

    @Test("pauses double up to a quarter of an hour, and the eighth failure is the last")
    func failures() {
        var postponement = Postponement()
        var hopes: [Bool] = []
        var pauses: [Int64] = []
        for _ in 0..<8 {
            hopes.append(postponement.failed(Self.failure(.timeout), now: 1000))
            pauses.append((postponement.until - 1000) / 1000)
        }
        #expect(hopes == Array(repeating: true, count: 7) + [false])
        #expect(pauses == [60, 120, 240, 480, 900, 900, 900, 900])
    }

    @Test("a longer pause that an origin names is not counted, and is an hour at most")
    func longNamedPause() {
        var postponement = Postponement()
        var hope = postponement.failed(StoreError(.status(503, retryAfter: 31)), now: 1000)
        #expect(hope && postponement.failures == 0 && postponement.until == 32_000)
        hope = postponement.failed(StoreError(.status(503, retryAfter: 5000)), now: 1000)
        #expect(hope && postponement.failures == 0 && postponement.until == 3_601_000)
    }

    @Test(
        "an address without a host, or whose host takes no connection, is not tried again",
        arguments: [TransferError.Code.resolve, .connect])
    func noOrigin(_ code: TransferError.Code) {
        var postponement = Postponement()
        let hope = postponement.failed(Self.failure(code), now: 1000)
        #expect(!hope && postponement.failures == 0 && postponement.until == 0)
    }

    @Test(
        "an origin that was reached and failed is tried again",
        arguments: [TransferError.Code.timeout, .stalled, .connectionLost, .invalidResponse])
    func troubleOfOrigin(_ code: TransferError.Code) {
        var postponement = Postponement()
        let hope = postponement.failed(Self.failure(code), now: 1000)
        #expect(hope && postponement.failures == 1 && postponement.until == 61_000)
    }

    @Test("a single pause lasts a minute, or longer if the origin says so")
    func single() {
        #expect(Postponement(after: Self.failure(.connect), now: 1000).until == 61_000)
        #expect(Postponement(after: StoreError(.status(429, retryAfter: 20)), now: 1000).until == 61_000)
        #expect(Postponement(after: StoreError(.status(429, retryAfter: 90)), now: 1000).until == 91_000)
    }

    @Test("a postponement is open until its time has come, and known until the asset is started")
    func open() {
        let token = AssetToken(at: Timestamp(milliseconds: 1))
        var postponements = Postponements()
        #expect(!postponements.contains(token) && !postponements.isOpen(token, now: 0))
        postponements.postpone(token, after: Self.failure(.timeout), now: 1000)
        #expect(postponements.isOpen(token, now: 60_999) && !postponements.isOpen(token, now: 61_000))
        #expect(postponements.contains(token))
        postponements.forget(token)
        #expect(!postponements.contains(token))
    }

    @Test("without hope, an asset is postponed no more")
    func hopeless() {
        let token = AssetToken(at: Timestamp(milliseconds: 1))
        var postponements = Postponements()
        postponements.failed(token, Self.failure(.timeout), now: 1000)
        postponements.failed(token, Self.failure(.timeout), now: 2000)
        #expect(postponements[token]?.failures == 2 && postponements[token]?.until == 122_000)
        postponements.failed(token, StoreError(.status(404, retryAfter: nil)), now: 3000)
        #expect(!postponements.contains(token))
    }
}
