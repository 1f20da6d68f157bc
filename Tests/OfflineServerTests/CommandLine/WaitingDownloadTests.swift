import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A download that waits", .fewAtOnce, .timeLimit(.minutes(2)))
struct WaitingDownloadTests {
    @Test("prints its reason and the remedy once, and has the reason in its lines and in the status")
    func noRoom() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        try program.store.write(Array(#"{"storage": {"quota": "1k"}}"#.utf8), to: "config.json")
        let running = try await program.start(["download", url, "--json"])
        var (number, looks) = (1, 0)
        while looks < 3 {
            let line = Outcome.object(try await running.line(number))
            number += 1
            guard line["reason"] as? String == "disk" else { continue }
            looks += 1
            #expect(line["state"] as? String == "queued")
        }
        let status = try await program.run("status")
        #expect(status.output.contains("it waits for room"))
        running.signal(SIGINT)
        let outcome = try await running.end()
        let lines = outcome.errors.split(separator: "\n").filter { $0.contains("it waits for room") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("`offline-server storage`") == true)
        let told = "stopped before any media were stored; `offline-server download "
        #expect(outcome.status == 130 && outcome.errors.contains(told), "\(outcome.errors)")
        #expect(!origin.mediaRequests.contains { $0.method == "GET" && $0.header("Range") == nil })
        origin.stop()
    }

    @Test("for its turn is reported after a while, for other reasons at once, and each reason once")
    func notices() async throws {
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            var notices = WaitNotices()
            (asset.state, asset.reason) = (.queued, "slot")
            for _ in 1..<WaitNotices.usualLooks { #expect(notices.line(asset) == nil) }
            #expect(notices.line(asset)?.contains("prioritize") == true)
            #expect(notices.line(asset) == nil)
            for reason in ["network", "disk", "files", "metered", "schedule", "origin"] {
                asset.reason = reason
                #expect(notices.line(asset)?.hasPrefix("\(asset.name): it waits") == true, "\(reason)")
                #expect(notices.line(asset) == nil, "\(reason)")
            }
            (asset.state, asset.reason) = (.downloading, nil)
            #expect(notices.line(asset) == nil)
            (asset.state, asset.reason) = (.queued, "network")
            #expect(notices.line(asset) != nil)
            (asset.state, asset.reason) = (.paused, nil)
            #expect(notices.line(asset) == nil)
            (asset.state, asset.reason) = (.queued, "network")
            #expect(notices.line(asset) == nil)
        }
    }
}
