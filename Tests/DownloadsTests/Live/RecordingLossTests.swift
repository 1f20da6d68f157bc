import StoreTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("A segment that a recording can't get") struct RecordingLossTests {
    /// The verdict on a segment of a required rendition, which is stored no more or never was.
    private func verdict(_ status: Int, wasStored: Bool, isSecond: Bool = false) throws -> LossRules.Verdict {
        var unit = UnitRecord(kind: .segment, number: 1, start: 0, duration: 4, url: "http://o/1.ts")
        if wasStored { unit.sha256 = [1] }
        let row = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .ts, duration: 8, segments: 2)
        let facts = LossRules.Facts(
            isOnline: { _ in true }, asksForAddress: { _ in false }, mayHelp: { _ in false },
            mayPass: { _ in false }, sourceURL: { nil })
        let rules = LossRules(isForPlayersOnly: false, isLive: true, isSecondRound: isSecond)
        return try rules.verdict(
            on: StoreError(.status(status, retryAfter: nil), url: unit.url),
            of: UnitJob(unit: unit, rendition: row),
            facts)
    }

    @Test(
        "is a gap if it was never stored; otherwise the recording goes on and fails in the end",
        arguments: [404, 410, 503])
    func verdicts(_ status: Int) throws {
        #expect(try verdict(status, wasStored: false) == .gap)
        #expect(try verdict(status, wasStored: true) == (status == 404 ? .later : .failsInTheEnd))
        #expect(try verdict(status, wasStored: true, isSecond: true) == .failsInTheEnd)
    }
}
