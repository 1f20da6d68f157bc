import Foundation
import ModelTestSupport
import Testing

@testable import AssetStore
@testable import StoreModel

@Suite("A download request") struct DownloadRequestTests {
    private func request(_ change: (inout DownloadRequest) throws -> Void) throws -> AssetRequest {
        var request = DownloadRequest(url: try #require(URL(string: "https://cdn.example/a/master.m3u8?q=1")))
        try change(&request)
        return AssetRequest(request)
    }

    @Test("without any wish is the default request")
    func usual() throws {
        #expect(try request { _ in } == AssetRequest(url: "https://cdn.example/a/master.m3u8?q=1"))
    }

    @Test("names variants, languages and a part of the time")
    func selection() throws {
        let made = try request {
            $0.video = .maximumHeight(1080)
            $0.video.maximumBitrate = 4_000_000
            $0.audio = ["en", "de"]
            $0.subtitles = []
            $0.includesTrickPlay = true
            ($0.start, $0.end) = (.seconds(90), .milliseconds(120_500))
        }
        var wanted = Selection()
        (wanted.maximumHeight, wanted.maximumBitrate) = (1080, 4_000_000)
        (wanted.audio, wanted.subtitles) = (.matching(["en", "de"]), Selection.Languages.none)
        (wanted.trickPlay, wanted.start, wanted.end) = (true, 90, 120.5)
        #expect(made.selection == wanted)
        #expect(try request { $0.video = .all }.selection.allVariants)
        #expect(try request { $0.video = .minimumBitrate(9) }.selection.minimumBitrate == 9)
    }

    @Test("has the access to the origin")
    func access() throws {
        let access = try request {
            $0.headers = ["X-Session": "2", "Authorization": "Bearer 1"]
            $0.cookies = "# Netscape HTTP Cookie File\n"
            $0.userAgent = "Player/1"
            $0.proxy = URL(string: "http://proxy.example:8080")
            $0.certificateAuthorities = URL(filePath: "/etc/my certs/ca.pem")
            $0.maximumBytesPerSecond = 1000
            $0.hostHeaders = [HostHeader(hosts: "*.example", name: "X-Key", value: "3")]
        }.access
        #expect(access.headers == [["Authorization", "Bearer 1"], ["X-Session", "2"]])
        #expect(access.cookies == "# Netscape HTTP Cookie File\n")
        #expect(access.userAgent == "Player/1")
        #expect(access.proxy == "http://proxy.example:8080")
        #expect(access.certificateAuthority == "/etc/my certs/ca.pem")
        #expect(access.rateLimit == 1000)
        #expect(access.hostHeaders == [HostHeader(hosts: "*.example", name: "X-Key", value: "3")])
    }

    @Test("names its times, its license terms, and its subtitle files")
    func terms() throws {
        let made = try request {
            ($0.title, $0.identifier) = ("A film", "film-1")
            ($0.priority, $0.allowsMeteredConnection, $0.startsPaused) = (7, true, true)
            $0.license = .rental(.seconds(3600), playWindow: .seconds(60))
            ($0.allowsMissingKeys, $0.isStrict) = (true, true)
            $0.artwork = URL(filePath: "/tmp/a b.jpg")
            $0.metadata = ["shelf": "3"]
        }
        #expect(made.name == "A film" && made.clientID == "film-1" && made.meta == ["shelf": "3"])
        #expect(made.priority == 7 && made.isMeteredOK && made.isPreload)
        #expect(made.license == LicenseTerms(rental: 3600, playWindow: 60))
        #expect(made.allowsMissingKeys && made.isStrict == true)
        #expect(made.artwork == "/tmp/a b.jpg")
    }

    @Test("has moments that are Foundation's dates, and back")
    func dates() {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        #expect(Timestamp(date).milliseconds == 1_700_000_000_250)
        #expect(Timestamp(milliseconds: 1_700_000_000_250).date == date)
        #expect(LicenseTerms.purchase.kind == .purchase)
    }
}
