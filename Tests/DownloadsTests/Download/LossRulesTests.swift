import Testing
import Transfers

@testable import Downloads
@testable import StoreModel

@Suite("A unit of a stream that can't be had")
struct LossRulesTests {
    private func verdict(
        _ code: StoreError.Code, isRequired: Bool, isForPlayersOnly: Bool = false,
        isSecondRound: Bool = false, mayHelp: Bool = false, mayPass: Bool = false, isOnline: Bool = true
    ) throws -> LossRules.Verdict {
        let unit = UnitRecord(kind: .segment, number: 1, start: 0, duration: 4, url: "http://o/1.ts")
        let row = RenditionRecord(
            name: "audio", position: 0, kind: .audio, required: isRequired, listings: [], hasPlaylist: true,
            container: .ts, duration: 8, segments: 2)
        let facts = LossRules.Facts(
            isOnline: { _ in isOnline }, asksForAddress: { _ in true }, mayHelp: { _ in mayHelp },
            mayPass: { _ in mayPass }, sourceURL: { "http://o/index.m3u8" })
        let rules = LossRules(
            isForPlayersOnly: isForPlayersOnly, isLive: false, isSecondRound: isSecondRound)
        return try rules.verdict(
            on: StoreError(code, url: unit.url), of: UnitJob(unit: unit, rendition: row), facts)
    }

    private func status(_ status: Int) -> StoreError.Code { .status(status, retryAfter: nil) }

    private let timeout = StoreError.Code.transfer(TransferFailure(TransferError(.timeout, url: "http://o/")))

    @Test("has no consequence if only players wanted it, unless nothing works", arguments: [403, 404, 503])
    func playersOnly(_ number: Int) throws {
        #expect(try verdict(status(number), isRequired: true, isForPlayersOnly: true) == .nothing)
        let stopped = StoreError.Code.stopped(.closing)
        #expect(try verdict(stopped, isRequired: true, isForPlayersOnly: true) == .endsRun)
    }

    @Test("is asked for once more at the end if its origin lacks it", arguments: [true, false])
    func missing(_ isRequired: Bool) throws {
        #expect(try verdict(status(404), isRequired: isRequired) == .later)
        let second = try verdict(status(404), isRequired: isRequired, isSecondRound: true)
        #expect(second == (isRequired ? .failsInTheEnd : .givenUp))
    }

    @Test("of a required rendition ends the run if the failure would meet all units, else not")
    func required() throws {
        #expect(try verdict(status(400), isRequired: true) == .failsInTheEnd)
        #expect(try verdict(.integrity(.hash), isRequired: true) == .failsInTheEnd)
        for number in [401, 403, 410, 429, 500, 503] {
            #expect(try verdict(status(number), isRequired: true) == .endsRun, "\(number)")
        }
        #expect(try verdict(timeout, isRequired: true) == .endsRun)
    }

    @Test("of an optional rendition waits if a fresh address may bring it, else that is given up")
    func refused() throws {
        #expect(try verdict(status(403), isRequired: false, mayHelp: true) == .setback)
        #expect(try verdict(status(403), isRequired: false, mayPass: true) == .givenUp)
    }

    @Test("of an optional rendition waits if the trouble may pass, else that is given up")
    func passing() throws {
        for code in [status(503), timeout] {
            #expect(try verdict(code, isRequired: false, mayPass: true) == .setback)
            #expect(try verdict(code, isRequired: false, mayHelp: true) == .givenUp)
        }
        #expect(try verdict(status(400), isRequired: false, mayHelp: true, mayPass: true) == .givenUp)
    }

    @Test("of an optional rendition waits for the network if there is none")
    func offline() throws {
        #expect(try verdict(timeout, isRequired: false, isOnline: false) == .waitsForNetwork)
        #expect(try verdict(status(503), isRequired: false, isOnline: false) == .givenUp)
    }

    @Test(
        "of an optional rendition does not wait for a failure that would come again",
        arguments: [true, false])
    func lasting(_ isOnline: Bool) throws {
        let tooLarge = StoreError.Code.transfer(TransferFailure(TransferError(.tooLarge(limit: 1), url: "")))
        for code in [tooLarge, .integrity(.hash)] {
            let found = try verdict(
                code, isRequired: false, mayHelp: true, mayPass: true, isOnline: isOnline)
            #expect(found == .givenUp)
        }
    }

    @Test("is fetched once more if the disk did not take it, also if only players wanted it")
    func disk() throws {
        let full = StoreError.Code.diskFull("/store")
        #expect(try verdict(full, isRequired: true) == .fetchAgain)
        #expect(try verdict(full, isRequired: false, isForPlayersOnly: true) == .fetchAgain)
    }
}

@Suite("A unit that a recording can't get")
struct RecordedLossRulesTests {
    private func verdict(
        _ code: StoreError.Code, kind: UnitKind = .segment, wasStored: Bool = false, isRequired: Bool = true,
        isSecondRound: Bool = false, asksForAddress: Bool = false, isOnline: Bool = true
    ) throws -> LossRules.Verdict {
        let unit = UnitRecord(
            kind: kind, number: 1, start: 0, duration: 4, url: "http://o/1.ts", sha256: wasStored ? [1] : nil)
        let row = RenditionRecord(
            name: "audio", position: 0, kind: .audio, required: isRequired, listings: [], hasPlaylist: true,
            container: .ts, duration: 8, segments: 2)
        let facts = LossRules.Facts(
            isOnline: { _ in isOnline }, asksForAddress: { _ in asksForAddress }, mayHelp: { _ in true },
            mayPass: { _ in true }, sourceURL: { "http://o/index.m3u8" })
        let rules = LossRules(isForPlayersOnly: false, isLive: true, isSecondRound: isSecondRound)
        return try rules.verdict(
            on: StoreError(code, url: unit.url), of: UnitJob(unit: unit, rendition: row), facts)
    }

    private func status(_ status: Int) -> StoreError.Code { .status(status, retryAfter: nil) }

    @Test("becomes a gap, whatever its origin says", arguments: [400, 403, 404, 503], [true, false])
    func gap(_ number: Int, isRequired: Bool) throws {
        #expect(try verdict(status(number), isRequired: isRequired) == .gap)
    }

    @Test("ends the run if it was refused and a fresh address is asked for")
    func refused() throws {
        #expect(try verdict(status(403), asksForAddress: true) == .endsRun)
        #expect(try verdict(status(404), asksForAddress: true) == .gap)
    }

    @Test("is no gap if it was stored before: it is asked for once more, and fails in the end")
    func stored() throws {
        #expect(try verdict(status(404), wasStored: true) == .later)
        #expect(try verdict(status(404), wasStored: true, isSecondRound: true) == .failsInTheEnd)
        #expect(try verdict(status(503), wasStored: true) == .failsInTheEnd)
    }

    @Test("is no gap without a network")
    func offline() throws {
        #expect(try verdict(status(503), isOnline: false) == .endsRun)
        #expect(try verdict(status(404), isOnline: false) == .later)
    }

    @Test("is no gap if it is an initialization section; a rendition that can do without it is given up")
    func section() throws {
        #expect(try verdict(status(404), kind: .initialization) == .later)
        #expect(try verdict(status(503), kind: .initialization) == .endsRun)
        #expect(try verdict(status(503), kind: .initialization, isRequired: false) == .givenUp)
        #expect(try verdict(status(403), kind: .initialization, isRequired: false) == .givenUp)
    }
}
