import AssetStore
import Testing

@testable import APIDocuments
@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The progress bar", .fewAtOnce, .timeLimit(.minutes(2)))
struct ProgressBarTests {
    /// The sample stream, with so many of its segments.
    private func document(_ stored: Int, _ state: AssetState = .downloading) async throws -> AssetDocument {
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            (asset.state, asset.reason) = (state, nil)
            for index in asset.renditions.indices { asset.renditions[index].storedSegments = stored }
            return AssetDocument(asset: asset, server: nil, speed: 2_500_000)
        }
    }

    @Test("it shows how much there is, how fast it comes and how long it takes")
    func facts() async throws {
        let line = ProgressBar.line(try await document(2), width: 100)
        let bar = String(repeating: "█", count: 20) + String(repeating: "░", count: 20)
        #expect(line == "\(bar)  50%  279 kB of 279 kB  2.5 MB/s  0:00 left")
    }

    @Test("it counts bytes of segments that are not whole yet, and has 100% only when all are")
    func arriving() async throws {
        var document = try await document(0)
        document.inFlight = 140_000
        #expect(ProgressBar.line(document, width: 100).contains("  50%  419 kB of 279 kB"))
        document.inFlight = 400_000
        #expect(ProgressBar.line(document, width: 100).contains("  99%"))
    }

    @Test("a recording has its length so far, and no share and no time that is left")
    func recording() async throws {
        var document = try await document(2)
        var asset = document.asset
        asset.recording = Recording()
        document = AssetDocument(asset: asset, server: nil, speed: 2_500_000)
        #expect(ProgressBar.line(document, width: 100) == "recording 0:08  279 kB  2.5 MB/s")
        #expect(document.eta == nil)
        asset.recording?.endedAt = Timestamp(milliseconds: 1)
        document = AssetDocument(asset: asset, server: nil, speed: 2_500_000)
        #expect(ProgressBar.line(document, width: 100).contains("50%") && document.eta != nil)
    }

    @Test("an idle asset has its state")
    func state() async throws {
        #expect(ProgressBar.line(try await document(0, .queued), width: 100).hasSuffix("  queued"))
    }

    @Test("a waiting asset has its reason")
    func reason() async throws {
        var document = try await document(0, .queued)
        var asset = document.asset
        asset.reason = "disk"
        document = AssetDocument(asset: asset, server: nil)
        #expect(ProgressBar.line(document, width: 100).hasSuffix("  queued (disk)"))
    }

    @Test(
        "where there is little room, whole facts go: bytes first, then the rate, then the time that is left")
    func narrow() async throws {
        var document = try await document(2)
        let expected = [
            (44, "50%  279 kB of 279 kB  2.5 MB/s  0:00 left"), (42, "50%  2.5 MB/s  0:00 left"),
            (24, "50%  0:00 left"), (12, "50%"),
        ]
        for (columns, facts) in expected {
            let line = ProgressBar.line(document, width: columns + 2)
            #expect(line.drop { "█░ ".contains($0) } == facts, "\(columns)")
        }
        var asset = document.asset
        (asset.state, asset.reason) = (.queued, "disk")
        document = AssetDocument(asset: asset, server: nil)
        #expect(ProgressBar.line(document, width: 30).hasSuffix("50%  queued (disk)"))
    }

    @Test("facts that fill the room to its end stay, and so do those of the lowest rank in any room")
    func fitting() async throws {
        let facts = [(text: "50%", rank: 0), (text: "2 MB", rank: 1)]
        #expect(ProgressBar.fitting(facts, in: 9) == "50%  2 MB")
        #expect(ProgressBar.fitting(facts, in: 8) == "50%")
        #expect(ProgressBar.fitting(facts, in: 2) == "50%")
        let line = ProgressBar.line(try await document(2), width: 45)
        #expect(line == "  50%  279 kB of 279 kB  2.5 MB/s  0:00 left")
    }

    @Test("a line about trouble, or about a recording, leaves the last column free")
    func lastColumn() async throws {
        var asset = try await document(2).asset
        let now = Timestamp(milliseconds: 7500)
        let since = Timestamp(milliseconds: 2500)
        let stalled = AssetActivity(doing: .transferring, since: since, stalledSince: since)
        let trouble = AssetDocument(asset: asset, server: nil, activity: stalled)
        let line = "50%  stalled 5 s: no byte comes from the origin"
        #expect(ProgressBar.line(trouble, width: line.count + 1, now: now) == line)
        #expect(ProgressBar.line(trouble, width: line.count, now: now) == line.dropLast())
        (asset.recording, asset.state, asset.reason) = (Recording(), .queued, "network")
        let recording = AssetDocument(asset: asset, server: nil)
        #expect(ProgressBar.line(recording, width: 100) == "recording 0:08  279 kB  queued (network)")
        #expect(ProgressBar.line(recording, width: 10) == "recording")
    }

    @Test("it never takes more than a line")
    func width() async throws {
        let document = try await document(4)
        for columns in [1, 2, 10, 40, 57, 60, 80, 300] {
            let line = ProgressBar.line(document, width: columns)
            #expect(line.count <= max(1, columns - 1))
            #expect(!line.contains("\n"))
        }
    }
}
