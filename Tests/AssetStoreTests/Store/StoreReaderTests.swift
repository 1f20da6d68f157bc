import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("A reader of a store", .timeLimit(.minutes(2)))
struct StoreReaderTests {
    @Test("are the renditions that are whole, by a look at each file and at the playlist")
    func whole() async throws {
        try await StoreFixture.run { fixture async throws in
            for name in ["v", "de", "en", "fr"] { fixture.origin.serveStream("/\(name)", count: 2) }
            let text = Playlists.media(["s0.ts", "s1.ts"]).replacing(
                "#EXTINF:4,\ns1.ts", with: "#EXT-X-GAP\n#EXTINF:4,\ns1.ts")
            fixture.origin.serve("/fr/index.m3u8", text: text)
            let sound = ["de", "en", "fr"].map {
                #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="\#($0)",LANGUAGE="\#($0)",URI="\#($0)/index.m3u8""#
            }
            let variant = Playlists.variant("v/index.m3u8", 1000, #"AUDIO="a""#)
            fixture.origin.serve(
                "/master.m3u8", text: Playlists.master(sound.joined(separator: "\n"), variant))
            let token = try await fixture.download("/master.m3u8") { $0.selection.audio = .all }.token
            func whole() throws -> Set<String> {
                Set(try fixture.store.reader.wholeRenditions(of: token).map(\.name))
            }
            let all = try whole()
            #expect(all.count == 4)
            let names = all.sorted().filter { $0 != "video" }
            try FileSystem.unlink(fixture.path(token, "\(names[0])/0.ts"))
            try FileSystem.unlink(fixture.path(token, "\(names[1])/\(ServedMediaPlaylist.fileName)"))
            #expect(try whole() == all.subtracting(names.prefix(2)))
            let unknown = await failure {
                _ = try fixture.store.reader.wholeRenditions(of: AssetToken(at: Timestamp(milliseconds: 1)))
            }
            #expect(unknown?.text.hasPrefix("noSuchAsset") == true)
        }
    }

    @Test("has a playlist of what is stored of a rendition, and none of an unknown rendition or asset")
    func stored() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let other = AssetToken(at: Timestamp(milliseconds: 1))
            let playlists = fixture.store.reader.playlists
            #expect(try playlists.availableMediaPlaylist(token, "video") != nil)
            #expect(try playlists.availableMediaPlaylist(token, "none") == nil)
            #expect(try playlists.availableMediaPlaylist(other, "video") == nil)
        }
    }

    @Test("has a place to begin with when a recording has ended, and none while it goes on")
    func start() async throws {
        let pages = [0..<3, 0..<5].map { LiveShow.page($0) } + [LiveShow.page(0..<6, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(6)
        show.hold(at: 1)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let token = try await fixture.add(show.path) {
            $0.selection.recording = Selection.Recording()
            $0.selection.recording?.fromStart = true
        }
        func hasStart() throws -> Bool {
            var view = LiveView()
            view.start = .seconds(2)
            let bytes = try fixture.store.reader.playlists.multivariantPlaylist(
                token, poster: nil, view: view)
            return String(decoding: bytes ?? [], as: UTF8.self).contains("#EXT-X-START:TIME-OFFSET=2")
        }
        try await show.untilHeld()
        #expect(try !hasStart())
        show.release()
        await fixture.store.untilSettled(token)
        #expect(try hasStart())
        await fixture.store.stop()
    }

    @Test(
        "is how long an asset waits for its host, while it runs or waits for the origin",
        arguments: [
            (AssetState.downloading, nil, true), (.queued, "origin", true), (.queued, "slot", false),
            (.paused, "origin", false),
        ] as [(AssetState, String?, Bool)])
    func cooldown(_ state: AssetState, _ reason: String?, _ waits: Bool) {
        let now = Timestamp(milliseconds: 1)
        let record = AssetRecord(
            token: AssetToken(at: now), name: "x", sourceURL: "https://host/x", state: state, reason: reason,
            requestedAt: now)
        let host = HostCooldowns.host(of: record.sourceURL) ?? ""
        #expect(record.wait(for: [host: now]) == (waits ? now : nil))
        #expect(record.wait(for: ["other": now]) == nil && record.wait(for: [:]) == nil)
    }

    @Test("does not count a folder as an orphan if its asset or rendition exists by now")
    func orphans() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let other = AssetToken(at: Timestamp(milliseconds: 1))
            func isOrphan(_ path: String, _ kind: Orphan.Kind, _ token: AssetToken?) throws -> Bool {
                try fixture.store.reader.orphans.isOrphan(
                    Orphan(path: path, bytes: 0, kind: kind, token: token))
            }
            #expect(try !isOrphan("assets/\(token)", .asset, token))
            #expect(try !isOrphan("assets/\(token)/video", .rendition, token))
            #expect(try !isOrphan("assets/\(other)", .asset, other), "there is no such folder")
            try FileSystem.makeDirectory(fixture.store.paths.asset(other))
            #expect(try isOrphan("assets/\(other)", .asset, other))
            #expect(try !isOrphan("assets/\(other)", .rendition, other))
            let video = fixture.path(token, "video/\(ServedMediaPlaylist.fileName)")
            let bytes = try #require(try DurableWrite.read(video))
            try FileSystem.makeDirectory(fixture.path(token, "stray"))
            try DurableWrite.write(bytes, to: fixture.path(token, "stray/\(ServedMediaPlaylist.fileName)"))
            #expect(try isOrphan("assets/\(token)/stray", .rendition, token))
            #expect(fixture.store.reader.orphans.assetFolders == 2)
        }
    }

    @Test("counts a folder of no asset as an orphan, and each folder where there is no catalog")
    func orphansOfNobody() async throws {
        try await StoreFixture.run { fixture async throws in
            let foreign = Orphan(path: "assets/notes", bytes: 0, kind: .foreign, token: nil)
            #expect(try fixture.store.reader.orphans.isOrphan(foreign))
            let token = AssetToken(at: Timestamp(milliseconds: 1))
            let reader = try StoreReader(root: FilePath(fixture.folder.file("none")))
            let lost = Orphan(path: "assets/\(token)", bytes: 0, kind: .asset, token: token)
            #expect(try reader.orphans.isOrphan(lost))
        }
    }
}

@Suite("An asset that is on its way back")
struct ReturningAssetsTests {
    private let assets = ReturningAssets()
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    @Test("is wanted until it is cancelled or complete")
    func wanted() {
        let way = assets.begin(token, from: .cancelled)
        #expect(assets.isWanted(way) && assets.contains(token) && assets.tokens == [token])
        assets.cancel([token], purge: false)
        #expect(!assets.isWanted(way) && !assets.isPurged(way) && assets.contains(token))
        assets.cancel([token], purge: true)
        #expect(!assets.isWanted(way) && assets.isPurged(way))
        assets.cancel([token], purge: false)
        #expect(assets.isPurged(way), "what was to be freed stays so")
        assets.end(way)
        #expect(!assets.isWanted(way) && !assets.contains(token) && !assets.isPurged(way))
    }

    @Test("always brings back a complete asset; a later one is counted apart")
    func firm() {
        let first = assets.begin(token, from: .complete)
        assets.cancel([token], purge: true)
        #expect(assets.isWanted(first) && !assets.isPurged(first))
        let second = assets.begin(token, from: .failed)
        assets.cancel([token], purge: false)
        #expect(assets.isWanted(first) && !assets.isWanted(second))
        assets.end(first)
        #expect(assets.contains(token) && !assets.isWanted(first))
        assets.end(second)
        #expect(assets.tokens.isEmpty)
    }
}
