import AssetStore
import Testing

@testable import APIDocuments
@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The line about a download in trouble")
struct ActivityLineTests {
    private func activity(
        _ doing: AssetActivity.Doing, attempt: Int = 2, path: String = "7.ts", next: Int64? = 4000
    ) -> AssetActivity {
        let now = Timestamp(milliseconds: 0)
        let url = "http://origin.test/\(path)"
        return AssetActivity(
            doing: doing, since: now, attempt: attempt, of: 8,
            lastError: AssetFailure(
                errorClass: "http", message: "the origin answered 500 (\(url))", url: url, retryable: true,
                at: now), nextTryAt: next.map(Timestamp.init))
    }

    @Test("names the try, the failure, and the time of the next try")
    func text() {
        let now = Timestamp(milliseconds: 100)
        #expect(
            ActivityLine.text(activity(.retrying), now: now)
                == "retrying (2 of 8): the origin answered 500 (http://origin.test/7.ts); next try in 4 s")
        #expect(
            ActivityLine.text(activity(.retrying, next: 0), now: now)?.hasSuffix("trying again now") == true)
        #expect(ActivityLine.text(activity(.transferring), now: now) == nil)
        #expect(ActivityLine.text(nil, now: now) == nil)
    }

    @Test("it says for how long nothing comes, and for how long playlists are being read")
    func lasting() async throws {
        let now = Timestamp(milliseconds: 7500)
        let moment = Timestamp(milliseconds: 2000)
        let stalled = AssetActivity(doing: .transferring, since: moment, stalledSince: moment)
        #expect(ActivityLine.text(stalled, now: now) == "stalled 5 s: no byte comes from the origin")
        let reading = AssetActivity(doing: .resolving, since: moment)
        #expect(ActivityLine.text(reading, now: now)?.hasPrefix("resolving 5 s") == true)
        #expect(ActivityLine.text(reading, now: moment) == nil)
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            asset.state = .downloading
            #expect(ActivityLine.short(asset, stalled, now: now) == "stalled 5 s")
            let document = AssetDocument(asset: asset, server: nil, activity: stalled)
            #expect(ProgressBar.line(document, width: 80, now: now).contains("stalled 5 s"))
            var notices = ActivityNotices()
            #expect(notices.line(asset, stalled, now: now)?.hasPrefix("sample: stalled 5 s") == true)
            #expect(notices.line(asset, stalled, now: Timestamp(milliseconds: 9000)) == nil)
        }
    }

    @Test("is short in a listing and on the page, and missing for complete assets and good downloads")
    func short() async throws {
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            #expect(ActivityLine.short(asset, activity(.retrying)) == nil)
            asset.state = .downloading
            #expect(ActivityLine.short(asset, activity(.transferring)) == nil)
            let retries = "retries: 500, try 2 of 8"
            #expect(ActivityLine.short(asset, activity(.retrying)) == retries)
            let live = [token: LiveFigures(activity: activity(.retrying))]
            let page = LibraryPage(server: "http://h", live: live)
            let list = AssetListDocument(
                assets: [asset], server: "http://h", live: live, next: nil, lastEvent: 1)
            let percent = HumanUnits.percent(asset.progress)
            #expect(page.library(list).contains("downloading, \(retries) \(percent)</span>"))
            #expect(page.watch(asset, []).contains("<p>downloading, \(retries)</p>"))
            (asset.state, asset.reason) = (.queued, "network")
            #expect(ActivityLine.short(asset, activity(.waiting)) == "waits: network")
            asset.reason = "slot"
            #expect(ActivityLine.short(asset, nil) == "waits: its turn")
        }
    }

    @Test("is not on the page of a complete asset, which tells no state unless something is wrong")
    func complete() async throws {
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            let page = LibraryPage(server: "http://h")
            func library() -> String {
                page.library(
                    AssetListDocument(
                        assets: [asset], server: "http://h", live: [:], next: nil, lastEvent: 1))
            }
            asset.health = Health(level: .sound)
            #expect(!library().contains(" · complete") && !library().contains("?before="))
            asset.health = Health(level: .damaged)
            #expect(library().contains(" · complete, damaged</span>"))
            let posters = ["<img src=\"assets/\(token)/poster\"", " poster=\"../assets/\(token)/poster\""]
            #expect(library().contains(posters[0]) && page.watch(asset, []).contains(posters[1]))
            asset.poster = nil
            #expect(!library().contains(posters[0]) && !page.watch(asset, []).contains(posters[1]))
        }
    }

    @Test("is printed once for each change, not for each segment, and once for the end of the trouble")
    func notices() async throws {
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            asset.state = .downloading
            var notices = ActivityNotices()
            let now = Timestamp(milliseconds: 0)
            #expect(notices.line(asset, activity(.transferring), now: now) == nil)
            #expect(notices.line(asset, activity(.retrying), now: now)?.hasPrefix("sample: retrying") == true)
            #expect(notices.line(asset, activity(.retrying, path: "8.ts", next: 1), now: now) == nil)
            #expect(notices.line(asset, activity(.retrying, attempt: 3), now: now) != nil)
            #expect(notices.line(asset, activity(.transferring), now: now) == "sample: goes on")
            #expect(notices.line(asset, activity(.transferring), now: now) == nil)
        }
    }
}
