import HLSPlaylist
import MediaContainers
import ModelTestSupport
import Testing
import Transfers

@testable import StoreModel

/// Every refusal is one sentence that says what happened, to what, and what to do.
@Suite("The sentence of every error")
struct ErrorSentenceTests {
    private static let token =
        AssetToken("01ARYZ6S410000000000000000") ?? AssetToken(at: Timestamp(milliseconds: 0))
    private static let fault = JSONFault(
        .unknown("qouta", within: "storage", known: ["quota"]), path: ["storage"])

    private typealias Row = (code: StoreError.Code, name: String)

    /// Each code with what its sentence must name.
    private static let plain: [Row] = [
        (.noSuchAsset("T"), "T"), (.storeInUse(pid: 7), "process 7"), (.storeInUse(pid: nil), "engine"),
        (.storeTooNew, "newer version"), (.file(.read, "/a", errno: 2), "/a"),
        (.file(.write, "/a", errno: 5), "/a"),
        (.noStore("/a"), "/a"), (.storeFolder("/a", errno: 13), "/a"),
        (.storeFolder("/a", errno: 20), "/a"),
        (.diskFull("/a"), "/a"), (.tooManyFiles("/a"), "/a"), (.database("x", path: "/a"), "/a"),
        (.invalidURL("a"), "a is not"), (.nothingSelected(wish: "audio language", offered: ["en"]), "en"),
        (.leftOut([LeftOut(.audio, "xx", offered: ["en"])]), "audio xx; the stream has en"),
        (.clientIDTaken("mine", token), "mine"), (.vault, "store key"), (.keyElsewhere("/a"), "/a"),
        (.wrongState(.resolving, wanted: "repaired"), "resolving"),
        (.wrongState(.complete, wanted: "cancelled"), "complete"),
        (.notWhole(token), "segments"), (.notEncrypted(token), "not encrypted"),
        (.notImportable("no playlist"), "no playlist"),
        (.notInSource("/a", others: 2), "/a"), (.imported(wanted: "widened"), "widened"),
        (.notSameStream("v"), "v"),
        (.noSuchRendition("v"), "v"), (.mainRendition("v"), "v"), (.streamChanged("v", of: token), "v"),
        (.unreadableRecording("v", PlaylistError(code: .badDuration, line: 1)), "v"),
        (.settings("/config.json", line: 4, fault), "/config.json, line 4"), (.unset("$A"), "$A"),
        (.service("the key provider acme", 1, said: "no license"), "acme"),
        (.service("a", nil, said: nil), "in time"),
        (.stopped(.closing), "stopped"),
    ]

    private static let streams: [Row] = {
        var rows: [Row] = []
        for status in [301, 400, 401, 403, 404, 410, 416, 429, 500, 503] {
            rows.append((.status(status, retryAfter: nil), "\(status)"))
        }
        rows.append((.status(503, retryAfter: 9), "9 s"))
        let failures: [TransferError.Code] = [.resolve, .connect, .timeout, .addressRefused, .stalled]
        for failure in failures {
            let error = TransferError(failure, url: "http://a.test/x")
            rows.append((.transfer(TransferFailure(error)), "http://a.test/x"))
        }
        let playlists: [PlaylistError.Code] = [.empty, .webPage, .badDuration, .overLimit(.segments(5))]
        for code in playlists { rows.append((.playlist(PlaylistError(code: code, line: 3)), "playlist")) }
        let reasons: [Ineligibility] = [
            .live, .drm(["FairPlay"]), .nestedMultivariant, .empty, .unsupportedScheme("ftp"), .tooMuch,
            .encryptedRanges,
        ]
        return rows + reasons.map { (.ineligible($0), "") }
    }()

    private static let keys: [Row] = {
        let problems: [KeyProblem] = [
            .length(3), .html, .unreachable, .refused(403), .missing, .nobodyToAsk, .different,
            .sealedForAnother, .notInFolder, .unprovided("acme"),
            .declined(provider: "acme", status: 403), .notAmong(["k0"]), .notAmong([]),
        ]
        let damages: [IntegrityProblem] = [
            .length(expected: 5, actual: 3), .html, .text, .wrongRange, .changed,
            .cutOff, .otherPictures, .short, .endless, .undecodable(.zeros), .undecodable(.noPacketStart),
            .foreign(.png),
            .foreign(.gzip),
            .unrecognized, .notAssetList, .hash, .undecryptable, .scheme("x"),
        ]
        let refusals: [LicenseRefusal] = [.expired, .revoked, .clockMovedBack]
        var rows: [Row] = problems.map { (.key($0), "key") }
        rows += damages.map { (.integrity($0), "") }
        return rows + refusals.map { (.license($0, token), "license") }
    }()

    private static var table: [Row] { plain + streams + keys }

    @Test("says what happened, names the object, and ends with the advice")
    func sentences() {
        for (code, name) in Self.table {
            let message = StoreError(code, url: "http://a.test/x").message
            #expect(name.isEmpty || message.contains(name), "\(message)")
            #expect(message.contains("; ") && !message.hasSuffix("; "), "\(message) does not say what to do")
            #expect(!message.contains("\n") && !message.contains("Optional("), "\(message)")
            if case .license = code { continue }
            #expect(!message.hasSuffix("."), "\(message)")
            #expect(message.first?.isUppercase == false, "\(message)")
        }
    }

    @Test("has the advice for a file, not for an address, when a stream is imported")
    func files() {
        let live = StoreError(.ineligible(.live), url: "file:///a/x.m3u8").message
        #expect(live.contains("without EXT-X-ENDLIST") && live.contains("add that line"), "\(live)")
        for code: PlaylistError.Code in [.webPage, .empty, .notAPlaylist] {
            let error = PlaylistError(code: code, line: 1)
            let message = StoreError(.playlist(error), url: "file:///a/x.m3u8").message
            #expect(message.contains("name the playlist file"), "\(message)")
            #expect(!StoreError(.playlist(error), url: "http://a.test/x").message.contains("file"))
        }
        for word in ["--live", "login", "address"] { #expect(!live.contains(word)) }
    }

    @Test("is there for every kind of error that there is")
    func whole() {
        let names = Set(Self.table.map(\.0.name))
        let all: Set = [
            "no-such-asset", "store-in-use", "store-too-new", "file", "no-store", "store-folder", "disk-full",
            "too-many-files", "database", "invalid-url", "status", "transfer", "playlist", "ineligible",
            "nothing-selected", "left-out", "client-id-taken", "key", "license", "integrity", "vault",
            "key-elsewhere",
            "wrong-state", "not-whole", "not-encrypted", "not-in-source", "imported", "not-importable",
            "not-same-stream", "no-such-rendition", "main-rendition", "stream-changed",
            "unreadable-recording",
            "settings", "unset", "service", "stopped",
        ]
        #expect(names == all)
    }

    @Test(
        "about an asset's file that the origin does not have says how the download may go on",
        arguments: [404, 410])
    func gone(_ status: Int) {
        let error = StoreError(.status(status, retryAfter: nil), url: "https://stream.example/film/7.ts")
        #expect(error.message.hasSuffix("; check the URL"))
        let own = error.at(.asset(Self.token)).message
        #expect(own.hasSuffix("; try again later, or name another address of the stream: `relink(_:to:)`"))
        #expect(own.contains("https://stream.example/film/7.ts"))
    }
}
