import HLSPlaylist
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The playlist that a rendition was made from")
struct StoredPlaylistTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private var renditions: RenditionTable { fixture.catalog.renditions }

    private static let master = """
        #EXTM3U
        #EXT-X-DEFINE:NAME="host",VALUE="a"
        #EXT-X-STREAM-INF:BANDWIDTH=1
        v.m3u8

        """

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1)
        try fixture.rendition(of: token)
        // The values of variables are sealed.
        let vault = try KeyVault(FilePath(fixture.folder.file("store.key")))
        fixture.catalog.useAddressSealer(AddressSealer(vault))
    }

    private func media(_ uri: String, _ tags: String = "") -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(tags)#EXTINF:4,\n\(uri)\n"
    }

    private func enter(_ text: String, _ rendition: String = "video") throws {
        let source = SourcePlaylist(
            rendition: rendition, url: "https://host/\(rendition).m3u8", body: Array(text.utf8))
        try fixture.catalog.write(.asset(token)) { try RenditionTable.insert(source, of: token, $0) }
    }

    private func record(_ rendition: String) throws {
        let plan = PlannedRecording(
            wish: Selection.Recording(), states: [rendition: .init(shift: 0, discontinuity: 0)])
        try fixture.catalog.write(.asset(token)) { try RecordingTable.insert(plan, of: token, $0) }
    }

    /// The addresses of its segments; `nil` without a playlist.
    private func uris(variables: [String: String]? = nil) throws -> [String]? {
        try renditions.mediaPlaylist(token, "video", variables: variables)?.playlist.segments.map(\.uri)
    }

    private func readingError() -> StoreError? {
        do throws(StoreError) {
            _ = try renditions.mediaPlaylist(token, "video")
            return nil
        } catch {
            return error
        }
    }

    @Test("is read with its address")
    func read() throws {
        #expect(try uris() == nil)
        try enter(media("s0.ts"))
        #expect(try uris() == ["s0.ts"])
        #expect(try renditions.mediaPlaylist(token, "video")?.url == "https://host/video.m3u8")
    }

    @Test("is no multivariant playlist")
    func multivariant() throws {
        try enter(Self.master)
        #expect(try uris() == nil)
    }

    @Test("has all that was recorded since")
    func recorded() throws {
        try enter(media("s0.ts"))
        try record("video")
        let row = try #require(try fixture.row(token))
        let growth = RecordedGrowth(
            token: token, rendition: row, body: Array("#EXTINF:4,\ns1.ts\n".utf8), units: [],
            state: .init(shift: 0, discontinuity: 0), keys: [], duration: 4)
        try fixture.catalog.recordings.grow(growth, at: moment(1))
        #expect(try uris() == ["s0.ts", "s1.ts"])
    }

    @Test(
        "is none when it can't be read; that is an error if it is a recording's, which would count as ended",
        arguments: ["no playlist", "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"x\"\n#EXTINF:4,\n{$x}.ts\n"],
        ["sound", "video"])
    func unreadable(_ text: String, _ recorded: String) throws {
        try enter(text)
        #expect(try uris() == nil)
        try record(recorded)
        #expect(readingError()?.isUnreadableRecording == (recorded == "video" ? true : nil))
        #expect(!StoreError(.storeTooNew).isUnreadableRecording)
    }

    @Test("has the variables of the multivariant playlist, unless others are given")
    func variables() throws {
        try enter(media("{$host}/s0.ts", "#EXT-X-DEFINE:IMPORT=\"host\"\n"))
        #expect(try renditions.variables(of: token) == [:] && uris() == nil)
        try enter(Self.master, "")
        #expect(try renditions.variables(of: token) == ["host": "a"] && uris() == ["a/s0.ts"])
        #expect(try uris(variables: ["host": "b"]) == ["b/s0.ts"] && uris(variables: [:]) == nil)
        try enter(media("s0.ts"), "")
        #expect(try renditions.variables(of: token) == [:], "it hands nothing on")
    }
}
