import ModelTestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

/// A rendition of transport streams.
private let rendition = RenditionRecord(
    id: 3, name: "v0", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
    container: .ts, duration: 8, segments: 9)

private func job(_ number: Int, _ finding: UnitFinding? = nil) -> UnitJob {
    var unit = UnitRecord(kind: .segment, number: number, start: 0, duration: 4, url: "s.ts")
    (unit.state, unit.finding) = (.stored, finding)
    return UnitJob(unit: unit, rendition: rendition)
}

private func row(_ number: Int, _ finding: UnitFinding) -> AbsentRow {
    AbsentRow(rendition: 3, kind: .segment, number: number, finding: finding)
}

@Suite("What a look at stored units finds")
struct InspectionTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    @Test("are units that are gone, or have other bytes, by their names")
    func absent() throws {
        var inspection = StoredInspection(of: token)
        try inspection.add(.missing, of: job(1)) {
            Issue.record("a look at \(1)"); return nil
        }
        try inspection.add(.damaged, of: job(2)) {
            Issue.record("a look at \(2)"); return nil
        }
        #expect(inspection.result.checked == 2)
        #expect(inspection.result.missing == ["v0/1.ts"] && inspection.result.damaged == ["v0/2.ts"])
        #expect(inspection.absent == [row(1, .gone), row(2, .damaged)])
        var known = job(3, .gone)
        known.unit.state = .missing
        try inspection.add(.missing, of: known) { nil }
        #expect(inspection.absent.count == 2 && inspection.result.missing == ["v0/1.ts", "v0/3.ts"])
    }

    @Test(
        "is the kind of their bytes if they were not looked at before, could not be read, or were missing",
        arguments: [nil, .sealed, .gone, .damaged, .transportStream, .unknown, .undecodable]
            as [UnitFinding?],
        [nil, .transportStream, .undecodable, .sealed] as [UnitFinding?])
    func sound(known: UnitFinding?, found: UnitFinding?) throws {
        var inspection = StoredInspection(of: token)
        var looks = 0
        try inspection.add(.sound, of: job(1, known)) {
            looks += 1
            return found
        }
        let isLookedAt = known.map { [.sealed, .gone, .damaged].contains($0) } ?? true
        #expect(looks == (isLookedAt ? 1 : 0))
        let result = isLookedAt ? found ?? known : known
        #expect(
            inspection.findings.map(\.finding)
                == (isLookedAt && found != known ? [found].compactMap(\.self) : []))
        #expect(inspection.undecodable == (result == .undecodable ? [row(1, .undecodable)] : []))
        #expect(inspection.result.undecodable == (result == .undecodable ? ["v0/1.ts"] : []))
        #expect(inspection.absent.isEmpty && inspection.result.checked == 1)
    }

    @Test(
        "are objects that are gone or damaged, of which there is a copy",
        arguments: [nil, .gone, .mp4] as [UnitFinding?])
    func copied(known: UnitFinding?) throws {
        var inspection = StoredInspection(of: token)
        for (number, condition) in [(1, .missing), (2, .damaged)] as [(Int, StoredInspection.Condition)] {
            try inspection.addCopied(condition, of: job(number, known)) { .transportStream }
        }
        #expect(inspection.result.missing == ["v0/1.ts"] && inspection.result.damaged == ["v0/2.ts"])
        #expect(inspection.result.copies == ["v0/1.ts", "v0/2.ts"] && inspection.result.checked == 2)
        #expect(inspection.copied.map(\.unit) == [row(1, .gone), row(2, .damaged)])
        #expect(
            inspection.copied.map(\.media)
                == (known == .mp4 ? [.mp4, .mp4] : [.transportStream, .transportStream]))
    }
}

@Suite("Damage that was seen and is not entered yet")
struct DiscoveryTests {
    private func record(_ state: AssetState) -> AssetRecord {
        AssetRecord(
            token: AssetToken(at: Timestamp(milliseconds: 1)), name: "x", sourceURL: "x", state: state,
            requestedAt: Timestamp(milliseconds: 1))
    }

    @Test("is kept once, for complete assets, until it is fetched")
    func units() {
        let (discoveries, complete) = (Discoveries(), record(.complete))
        discoveries.add([], of: complete)
        discoveries.add([row(1, .gone)], of: record(.downloading))
        #expect(discoveries.tokens.isEmpty)
        discoveries.add([row(1, .gone)], of: complete)
        discoveries.add([row(2, .damaged), row(1, .gone)], of: complete)
        #expect(discoveries.tokens == [complete.token])
        #expect(discoveries.take() == [complete.token: [row(1, .gone), row(2, .damaged)]])
        #expect(discoveries.take().isEmpty && discoveries.tokens.isEmpty)
    }

    @Test("of a playlist knows whether a player has asked for it, ever since")
    func playlists() {
        let (discoveries, complete) = (Discoveries(), record(.complete))
        discoveries.addPlaylists(of: record(.paused), isPlayed: true)
        #expect(discoveries.tokens.isEmpty)
        for (isPlayed, known) in [(false, false), (true, true), (false, true)] {
            discoveries.addPlaylists(of: complete, isPlayed: isPlayed)
            #expect(discoveries.tokens == [complete.token])
            let taken = discoveries.takePlaylists()
            #expect(taken == [complete.token: known])
            for (token, wasPlayed) in taken where wasPlayed {
                #expect(token == complete.token)
                discoveries.addPlaylists(of: complete, isPlayed: true)
            }
        }
        #expect(discoveries.takePlaylists() == [complete.token: true] && discoveries.tokens.isEmpty)
    }

    @Test("wakes the task that fetches it")
    func wakeups() async {
        let discoveries = Discoveries()
        discoveries.add([row(1, .gone)], of: record(.complete))
        var wakeups = discoveries.wakeups().makeAsyncIterator()
        #expect(await wakeups.next() != nil, "for what was there before")
        discoveries.addPlaylists(of: record(.complete), isPlayed: false)
        #expect(await wakeups.next() != nil)
        discoveries.add([row(2, .gone)], of: record(.complete))
        #expect(await wakeups.next() != nil)
    }
}
