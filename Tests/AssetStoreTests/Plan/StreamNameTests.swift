import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("A stream without a name from the user", .timeLimit(.minutes(1)))
struct StreamNameTests {
    @Test(
        "is named after the last part of its path that says something, or after its host",
        arguments: [
            ("https://h.example/a/Film/master.m3u8", "Film"), ("https://h.example/a/Film/MASTER", "Film"),
            ("https://h.example/master.m3u8", "h.example"), ("https://h.example/", "h.example"),
            ("https://h.example/Movie.Part.1.m3u8?x=1", "Movie"), ("https://h.example/clip.m3u", "clip"),
            ("https://h.example/x.mp4", "x.mp4"), ("https://h.example/a%20b/index.m3u8", "a b"),
            ("https://h.example/a%1Fb%7Fc.m3u8", "abc"), ("https://h.example/%01/stream", "h.example"),
            ("https://h.example/50%/playlist.m3u8", "50%"),
        ])
    func address(_ url: String, _ name: String) {
        #expect(StreamName.ofAddress(url) == name)
    }

    private func title(_ lines: [String]) throws -> String? {
        let data = lines.map { "#EXT-X-SESSION-DATA:\($0)\n" }.joined()
        let text = Playlists.master(Playlists.variant("v.m3u8", 900_000)) + data
        let playlist = Playlist.multivariant(try Playlists.parsedMaster(text))
        return StreamName.title(of: ResolvedMaster(url: "https://h.example/m.m3u8", playlist: playlist))
    }

    @Test("has the title that the stream gives itself, best one without a language")
    func ownTitle() throws {
        let id = "DATA-ID=\"com.apple.hls.title\""
        #expect(try title([]) == nil)
        #expect(try title(["DATA-ID=\"com.example.title\",VALUE=\"No\""]) == nil)
        #expect(try title(["\(id),VALUE=\"Film\""]) == "Film")
        #expect(try title(["\(id),VALUE=\"Der Film\",LANGUAGE=\"de\""]) == "Der Film")
        let both = ["\(id),VALUE=\"Der Film\",LANGUAGE=\"de\"", "\(id),VALUE=\"Film\""]
        #expect(try title(both) == "Film")
    }

    @Test("has a title of one line and of 200 characters at most; blanks are no title")
    func line() throws {
        let id = "DATA-ID=\"com.apple.hls.title\""
        #expect(try title(["\(id),VALUE=\"  A \u{2028} film  \""]) == "A film")
        #expect(try title(["\(id),VALUE=\"   \""]) == nil)
        let long = String(repeating: "x", count: 201)
        #expect(try title(["\(id),VALUE=\"\(long)\""]) == String(long.dropLast()))
        #expect(try title(["\(id),VALUE=\"\(long.dropLast())\""]) == String(long.dropLast()))
    }

    @Test("has no title of its own if it is a media playlist")
    func media() throws {
        let playlist = Playlist.media(try Playlists.parsedMedia(Playlists.media(["s0.ts"])))
        let master = ResolvedMaster(url: "https://h.example/m.m3u8", playlist: playlist)
        #expect(StreamName.title(of: master) == nil)
    }
}
