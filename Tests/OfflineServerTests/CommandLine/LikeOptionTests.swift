import ArgumentParser
import AssetStore
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A download that is to be like another", .fewAtOnce, .timeLimit(.minutes(2)))
struct LikeOptionTests {
    /// A request that has no value by default.
    private var former: AssetRequest {
        var request = AssetRequest(url: "http://127.0.0.1:1/a.m3u8")
        request.selection = selection {
            ($0.maximumHeight, $0.maximumBitrate) = (480, 800_000)
            ($0.audio, $0.subtitles) = (.matching(["de"]), .none)
            ($0.trickPlay, $0.interstitials) = (true, .keep)
        }
        request.license = LicenseTerms(rental: 86400)
        (request.meta, request.tags, request.priority) = (["a": "b"], ["kids"], 4)
        (request.schedule, request.isMeteredOK) = (Schedule("22:00-06:00"), true)
        (request.allowsMissingKeys, request.isStrict) = (true, true)
        (request.access.userAgent, request.access.proxy) = ("Agent", "http://127.0.0.1:2")
        request.access.rateLimit = 1000
        return request
    }

    private let plain = AssetRequest(url: "http://127.0.0.1:1/b.m3u8")

    private func selection(_ change: (inout Selection) -> Void) -> Selection {
        var selection = Selection()
        change(&selection)
        return selection
    }

    /// What each of the requests becomes beside an asset that `former` has made.
    private func requests(
        like former: AssetRequest, _ given: [AssetRequest], license: LicenseTerms? = nil
    ) async throws -> [AssetRequest] {
        try await withSite { site in
            let entered = try await site.server.store.intake.enqueue([former], isHeld: true)
            let token = try #require(entered.tokens.first)
            let option = try LikeOption.parse(["--like", token.description])
            let global = try GlobalOptions.parse(["--store", site.folder.path])
            return try given.map { try option.apply(to: $0, license: license, global) }
        }
    }

    @Test("has everything that the other was asked with, and its own address")
    func everything() async throws {
        var expected = former
        expected.url = plain.url
        #expect(try await requests(like: former, [plain]) == [expected])
    }

    @Test("keeps what its own options say")
    func own() async throws {
        var given = plain
        given.selection = selection { ($0.audio, $0.subtitles, $0.interstitials) = (.all, .all, .drop) }
        (given.priority, given.tags, given.meta) = (-1, ["own"], ["a": "x", "c": "d"])
        given.schedule = Schedule("01:00-02:00")
        (given.access.userAgent, given.access.proxy) = ("Own", "http://127.0.0.1:3")
        given.access.rateLimit = 5
        let license = LicenseTerms(playWindow: 60)
        let own = try #require(try await requests(like: former, [given], license: license).first)
        var expected = given
        (expected.selection.maximumHeight, expected.selection.maximumBitrate) = (480, 800_000)
        expected.selection.trickPlay = true
        (expected.license, expected.isMeteredOK) = (license, true)
        (expected.allowsMissingKeys, expected.isStrict) = (true, true)
        #expect(own == expected)
    }

    @Test("has what its own options turn on, though the other was not asked with it")
    func turnedOn() async throws {
        var given = plain
        (given.isMeteredOK, given.allowsMissingKeys, given.isStrict) = (true, true, true)
        given.selection.trickPlay = true
        given.selection.recording = Selection.Recording()
        let other = AssetRequest(url: former.url)
        #expect(try await requests(like: other, [given, plain]) == [given, plain])
    }

    @Test("has no limit of the other's variants if its own options name some")
    func variants() async throws {
        var other = AssetRequest(url: former.url)
        other.selection.allVariants = true
        var another = AssetRequest(url: former.url)
        another.selection.minimumBitrate = 100
        let given = [
            selection { $0.maximumBitrate = 5 }, selection { $0.minimumBitrate = 5 },
            selection { $0.maximumHeight = 5 }, selection { $0.allVariants = true },
        ].map { selection in
            var request = plain
            request.selection = selection
            return request
        }
        #expect(try await requests(like: other, given) == given)
        #expect(try await requests(like: another, given) == given)
    }
}
