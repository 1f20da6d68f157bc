import HLSPlaylist
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing
import Transfers

@testable import Downloads
@testable import StoreModel

@Suite("The sentence of an error")
struct StoreErrorTests {
    @Test(
        "says of a text that is no URL neither user nor password nor query",
        arguments: [
            ("htps://u:PASSW@h/x.m3u8?t=PASSW", "htps://h/x.m3u8"), ("htps//u:PASSW@h/x", "…@h/x"),
            ("http:/u:PASSW@h/x#PASSW", "…@h/x"), ("film.m3u8", "film.m3u8"),
        ])
    func invalidURL(_ text: String, _ shown: String) async {
        let error = await failure { _ = try StreamAddress.checked(text) }
        #expect(
            error?.message
                == "\(shown) is not an http or https URL; name one that begins with http:// or https://")
    }

    @Test(
        "is given at once for impossible hosts and ports",
        arguments: [
            ("http://[0C008]:99999999/", false), ("http://[::1/x", false), ("http://h:65536/", false),
            ("http://h:0x50/", false), ("http://a b/", false), ("http://h:65535/", true),
            ("http://[::1]:80/x", true), ("http://h:/x", true), ("https://u:p@münchen.example/ä b", true),
        ])
    func hosts(_ url: String, _ isTaken: Bool) async {
        #expect((await failure { _ = try StreamAddress.checked(url) } == nil) == isTaken)
    }

    private static func playlist(_ code: PlaylistError.Code) -> StoreError.Code {
        .playlist(PlaylistError(code: code, line: 0))
    }

    @Test(
        "has an advice",
        arguments: [
            (playlist(.empty), "the address is that of an HLS playlist"), (playlist(.webPage), "login"),
            (playlist(.overLimit(.segments(500_000))), "shorter part"),
            (playlist(.badDuration), "publisher"), (.ineligible(.empty), "try again"),
            (.ineligible(.nestedMultivariant), "playlist of one variant"),
            (
                .transfer(TransferFailure(TransferError(.tooLarge(limit: 33_554_432), url: ""))),
                "HLS playlist"
            ),
            (.storeFolder("/proc/nope", errno: Errno.noSuchFileOrDirectory.rawValue), "another folder"),
            (.database("disk I/O error", path: "/s/catalog.db"), "check the disk"),
            (.file(.create, "/x", errno: Errno.fileExists.rawValue), "not taken"),
            (.file(.open, "/x", errno: Errno.noSuchFileOrDirectory.rawValue), "check the path"),
            (.file(.open, "/x", errno: Errno.readOnlyFileSystem.rawValue), "file system for writing"),
            (.file(.open, "/x", errno: Errno.isDirectory.rawValue), "name a file"),
            (.file(.makeDirectory, "/x", errno: Errno.notDirectory.rawValue), "another place"),
            (.file(.write, "/x", errno: Errno.ioError.rawValue), "disk"), (.notSameStream("v"), "new asset"),
            (.key(.notInFolder), "for this store"), (.key(.nobodyToAsk), "`addKey(_:identifier:to:)`"),
            (.unreadableRecording("v", PlaylistError(code: .badDuration, line: 1)), "shorter time"),
            (.nothingSelected(wish: "bitrate", offered: []), "`offer(for:)`"),
        ] as [(StoreError.Code, String)])
    func advice(_ code: StoreError.Code, _ advice: String) throws {
        let error = StoreError(code, url: "http://a.test/x")
        #expect(error.message.hasPrefix("\(error.occurrence); "))
        #expect(error.message.dropFirst(error.occurrence.count).contains(advice))
    }
}
