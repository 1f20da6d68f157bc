import HLSPlaylist
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("The record of an asset")
struct AssetRecordTests {
    private func record(_ state: AssetState, _ reason: String?) -> AssetRecord {
        AssetRecord(
            token: AssetToken(at: Timestamp(milliseconds: 1)), name: "x", sourceURL: "x", state: state,
            reason: reason, requestedAt: Timestamp(milliseconds: 1))
    }

    @Test("tells what it waits for while it is queued")
    func waiting() {
        #expect(record(.queued, "link").waitsForLink && !record(.queued, "slot").waitsForLink)
        #expect(!record(.downloading, "link").waitsForLink && !record(.queued, nil).waitsForLink)
        #expect(record(.queued, nil).waitsForTurnOnly && record(.queued, "slot").waitsForTurnOnly)
        #expect(!record(.queued, "link").waitsForTurnOnly && !record(.downloading, nil).waitsForTurnOnly)
        #expect(!record(.queued, nil).isPinned)
    }
}

@Suite("A unit whose length the origin does not tell")
struct UnmeasuredUnitTests {
    private func limit(_ bandwidth: Int?, _ seconds: Double) -> UInt64 {
        var rendition = RenditionRecord(
            name: "v0", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .ts, duration: 8, segments: 9)
        rendition.bandwidth = bandwidth
        let unit = UnitRecord(kind: .segment, number: 1, start: 0, duration: seconds, url: "s.ts")
        return UnitJob(unit: unit, rendition: rendition).unmeasuredLimit
    }

    @Test("has four times the bytes of its bandwidth at most, and 256 MB to 4 GB in any case")
    func limits() {
        #expect(limit(nil, 4) == 256 << 20 && limit(32_000_000, 4) == 256 << 20)
        #expect(limit(nil, 100) == 800_000_000 && limit(1000, 100) == 800_000_000)
        #expect(limit(32_000_000, 100) == 1_600_000_000)
        #expect(limit(32_000_000, 1000) == TransferLimits.segment)
    }
}

@Suite("Keys of initialization sections")
struct SectionKeyTests {
    private let own = EncryptionKey(method: .sampleAES, uri: "own.key")
    private let whole = EncryptionKey(method: .aes128, uri: "own.key")
    private let section = EncryptionKey(method: .sampleAES, uri: "section.key")

    private func served(_ key: EncryptionKey?, prefersSections: Bool, at section: Int? = 0) -> [String?] {
        var keys = ServedKeys(
            [KeyRecord(id: "k0", url: "https://h/own.key", sealed: [1])], base: URIReference("https://h/"))
        keys.ofSections = [0: self.section]
        keys.prefersSections = prefersSections
        return keys.served(key.map { [$0] } ?? [], folder: "keys", section: section).map(\.uri)
    }

    @Test("are served where the playlist has none, or before its own where that is wanted")
    func precedence() {
        for prefersSections in [false, true] {
            #expect(served(nil, prefersSections: prefersSections) == ["section.key"])
            #expect(served(nil, prefersSections: prefersSections, at: 1) == [])
            #expect(served(nil, prefersSections: prefersSections, at: nil) == [])
            #expect(served(whole, prefersSections: prefersSections) == ["keys/k0.key"])
        }
        #expect(served(own, prefersSections: false) == ["keys/k0.key"])
        #expect(served(own, prefersSections: true) == ["section.key"])
    }
}
