import Foundation
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

@Suite("Key providers", .timeLimit(.minutes(2)))
struct KeyProviderTests {
    private static let system = """
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://acme/film-1?x=1",KEYFORMAT="com.apple.streamingkeydelivery"

        """
    private static let key = Secret.key(OriginResource.pattern(16, seed: 99))

    /// A store whose settings are `providers`, and a stream that is encrypted for a key system.
    private func run(
        _ providers: (OriginServer) -> String, clock: ManualClock = ManualClock(),
        _ body: (StoreFixture) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        origin.serveStream("/drm", tags: Self.system)
        try FileSystem.makeDirectory(FilePath(folder.file("store")))
        let text = "{\"key_providers\": [\(providers(origin))]}"
        try Data(text.utf8).write(to: URL(filePath: folder.file("store/config.json")))
        let fixture = try StoreFixture(in: folder, origin: origin) { $0.clock = clock }
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        await fixture.store.stop()
        fixture.expectNoKeys()
        try result.get()
    }

    private static func post(_ origin: OriginServer, _ more: String = "") -> String {
        """
        {"name": "acme", "schemes": ["skd"], "formats": ["com.apple.streamingkeydelivery"],
         "content_id": "{host}/{path}", "url": "\(origin.url("/keys"))?id={content_id}", "method": "POST",
         "headers": {"X-Account": "seven"}, "body": "{\\"id\\": \\"{content_id}\\", \\"c\\": \\"{certificate}\\"}",
         "answer": {"key": "keys.0.k", "renewal_date": "until"}\(more)}
        """
    }

    private static func answer(_ more: String = "") -> String {
        "{\"keys\": [{\"k\": \"\(Secret.base64(key))\"}]\(more)}"
    }

    @Test("a service is asked by POST with a template, and its answer taken apart")
    func post() async throws {
        try await run({ Self.post($0, ", \"certificate\": \"\($0.url("/app.cer"))\"") }) {
            fixture async throws in
            fixture.origin.serve("/app.cer", bytes: [1, 2, 3])
            fixture.origin.serve("/keys", text: Self.answer())
            let asset = try await fixture.download("/drm/index.m3u8")
            #expect(asset.state == .complete && asset.license.state == .valid)
            #expect(try fixture.contentKey(asset.token, "k0") == Self.key)
            let asked = try #require(fixture.origin.requests(for: "/keys").first)
            #expect(asked.method == "POST" && asked.query == "id=acme%2Ffilm-1")
            #expect(asked.header("X-Account") == "seven")
            #expect(String(decoding: asked.body, as: UTF8.self) == #"{"id": "acme/film-1", "c": "AQID"}"#)
            _ = try await fixture.add("/drm/index.m3u8")
            #expect(fixture.origin.requests(for: "/app.cer").count == 1)
            let served = String(
                decoding: try fixture.stored(asset.token, "video/media.m3u8") ?? [], as: UTF8.self)
            #expect(served.contains("URI=\"../keys/k0.key\"") && !served.contains("KEYFORMAT"))
        }
    }

    @Test("subtitle files take their times from media whose key came from a provider, for any key format")
    func subtitleClock() async throws {
        try await run({ Self.post($0) }) { fixture async throws in
            fixture.origin.serve("/keys", text: Self.answer())
            fixture.origin.serve("/film.srt", text: "1\n00:00:01,000 --> 00:00:02,000\nHallo\n")
            let cipher = try ContentCipher(Self.key)
            for number in 0..<2 {
                let clear = Media.timedPacket(900_000 + number * 360_000) + Media.ts(9)
                let iv = [UInt8](repeating: 0, count: 15) + [UInt8(number)]
                fixture.origin.serve("/film/s\(number).ts", bytes: try cipher.segment(clear, iv: iv))
            }
            let tags = Self.system.replacing("SAMPLE-AES", with: "AES-128")
            fixture.origin.serve("/film/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"], tags: tags))
            let asset = try await fixture.download("/film/index.m3u8") {
                $0.subtitleFiles = [SubtitleSource(source: fixture.origin.url("/film.srt"), language: "de")]
            }
            let token = asset.token
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "de"))
            #expect(found.firstTicks == 900_000)
        }
    }

    @Test("a look at a stream names the providers of its keys, and no provider is asked")
    func looking() async throws {
        try await run({ Self.post($0) }) { fixture async throws in
            let inspector = try fixture.store.inspector(
                url: fixture.origin.url("/drm/index.m3u8"), access: OriginAccess())
            let offer = try await inspector.offer()
            #expect(offer.isEligible && offer.keyProviders == ["acme"])
            #expect(try await inspector.preview(Selection()).keyProviders == ["acme"])
            #expect(fixture.origin.requests(for: "/keys").isEmpty)
        }
    }

    @Test("keys are asked for again ahead of their date, and terms go on")
    func renewal() async throws {
        let clock = ManualClock()
        try await run({ Self.post($0) }, clock: clock) { fixture async throws in
            fixture.origin.serve("/keys", text: Self.answer(", \"until\": 7200"))
            let asset = try await fixture.download("/drm/index.m3u8") {
                $0.license = LicenseTerms(rental: 100_000)
            }
            clock.pass(.seconds(6470))
            await fixture.store.roles.renewals.renewDue()
            #expect(fixture.origin.requests(for: "/keys").count == 1)
            clock.pass(.seconds(11))
            await fixture.store.roles.renewals.renewDue()
            #expect(fixture.origin.requests(for: "/keys").count == 2)
            await fixture.store.roles.renewals.renewDue()
            #expect(fixture.origin.requests(for: "/keys").count == 2)
            let events = try fixture.store.reader.licenseEvents(of: asset.token)
            #expect(events.map(\.kind) == [.keysRenewed, .requested])
            #expect(try fixture.store.reader.requireAsset(asset.token).license.expiry == asset.license.expiry)
            fixture.origin.fault("/keys", .status(500))
            clock.pass(.seconds(7200))
            await fixture.store.roles.renewals.renewDue()
            await fixture.store.roles.renewals.renewDue()
            #expect(fixture.origin.requests(for: "/keys").count == 3)
            #expect(try fixture.contentKey(asset.token, "k0") == Self.key)
        }
    }

    @Test("a provider that fails rests for a while also when the catalog does not take that")
    func unwrittenFailure() async throws {
        let clock = ManualClock()
        try await run({ Self.post($0) }, clock: clock) { fixture async throws in
            fixture.origin.serve("/keys", text: Self.answer(", \"until\": 7200"))
            _ = try await fixture.add("/drm/index.m3u8")
            fixture.origin.fault("/keys", .status(500))
            clock.pass(.seconds(7200))
            try fixture.store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE UPDATE OF renew_at ON content_key
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            #expect(fixture.store.roles.renewals.timer.rest == 0)
            await fixture.store.roles.renewals.renewDue()
            #expect(fixture.origin.requests(for: "/keys").count == 2)
            #expect(fixture.store.roles.renewals.timer.rest > 0)
        }
    }

    @Test("a provider whose dates are always over is asked once a minute, not all the time")
    func pastDates() async throws {
        let clock = ManualClock()
        try await run({ Self.post($0) }, clock: clock) { fixture async throws in
            fixture.origin.serve("/keys", text: Self.answer(", \"until\": \"2001-01-01T00:00:00Z\""))
            _ = try await fixture.add("/drm/index.m3u8")
            for _ in 0..<3 {
                clock.pass(.seconds(59))
                await fixture.store.roles.renewals.renewDue()
            }
            #expect(fixture.origin.requests(for: "/keys").count == 2)
        }
    }

    @Test("a blob comes with its type and is handed back as it came")
    func blob() async throws {
        let blob = OriginResource.pattern(500, seed: 3)
        let rule = { (origin: OriginServer) in
            """
            {"name": "blobs", "schemes": ["skd"], "url": "\(origin.url("/ckc/"))?{content_id}", "answer": {"content_type": "application/x-ckc"}}
            """
        }
        try await run(rule) { fixture async throws in
            fixture.origin.serve("/ckc/", bytes: blob)
            let token = try await fixture.add("/drm/index.m3u8")
            guard case .key(blob, "application/x-ckc") = try fixture.store.keys.key(token, "k0") else {
                Issue.record("no blob")
                return
            }
            let served = String(decoding: try fixture.stored(token, "video/media.m3u8") ?? [], as: UTF8.self)
            #expect(served.contains("skd://acme/film-1") && served.contains("KEYFORMAT"))
        }
    }

    @Test("a program or a file gives the key; keys without a matching rule are not requested")
    func commandAndFile() async throws {
        let digits = Self.key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let script = try TemporaryDirectory()
        try Data(Self.key).write(to: URL(filePath: script.file("key")))
        let rules = [
            #""hosts": ["*.example"], "command": ["false"]"#,
            #""schemes": ["skd"], "command": ["sh", "-c", "grep -q acme/film && cat \#(script.file("key"))"]"#,
        ]
        for rule in [
            rules[0] + "}, {\"name\": \"b\", " + rules[1],
            #""hosts": ["acme"], "key": {"file": "\#(script.file("hex"))"}"#,
        ] {
            try Data(digits.utf8).write(to: URL(filePath: script.file("hex")))
            try await run({ _ in "{\"name\": \"a\", \(rule)}" }) { fixture async throws in
                let token = try await fixture.add("/drm/index.m3u8")
                #expect(try fixture.contentKey(token, "k0") == Self.key)
            }
        }
    }

    @Test("secrets of the settings come from files, credentials and variables, and missing ones are named")
    func secretPlaces() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("from a credential".utf8), to: "acme")
        let environment = ["CREDENTIALS_DIRECTORY": folder.path, "ACME": "from a variable"]
        func text(_ json: String) throws -> String {
            let place = try JSONDecoder().decode(SettingsText.self, from: Data(json.utf8))
            return String(decoding: try place.bytes(environment), as: UTF8.self)
        }
        #expect(try text(#"{"credential": "acme"}"#) == "from a credential")
        #expect(try text(#"{"env": "ACME"}"#) == "from a variable")
        #expect(try text(#"{"file": "\#(folder.file("acme"))"}"#) == "from a credential")
        #expect(try text(#""plain""#) == "plain")
        for json in [#"{"env": "NONE"}"#, #"{"credential": "../acme"}"#] {
            #expect(await failure { _ = try text(json) }?.text.hasPrefix("unset(") == true)
        }
        #expect(throws: DecodingError.self) { try text(#"{"env": "ACME", "file": "x"}"#) }
    }

    @Test("the checkup names a settings file with secrets that others may read, with an advice")
    func exposure() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("config.json")
        let cases: [(String, Int, Bool)] = [
            (#""secret""#, 0o644, false), (#""secret""#, 0o600, true), (#"{"env": "ACME"}"#, 0o644, true),
        ]
        for (value, mode, isFine) in cases {
            let provider =
                #"{"name": "a", "schemes": ["skd"], "url": "https://a/x", "headers": {"Authorization": \#(value)}}"#
            try folder.write(Array(#"{"key_providers": [\#(provider)]}"#.utf8), to: "config.json")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let finding = StoreCheckup.run(FilePath(folder.path)).first { $0.check == "settings" }
            #expect(finding?.isFine == isFine)
            #expect(isFine || finding?.detail.contains("chmod 600") == true)
            #expect(finding?.detail.contains("secret\"") == false)
        }
    }

    @Test(
        "a provider that refuses, or answers without a key, stops the download",
        arguments: ["{}", "<html>", "short"])
    func refusal(answer: String) async throws {
        try await run({ Self.post($0) }) { fixture async throws in
            fixture.origin.serve("/keys", text: answer)
            #expect(await fixture.refusal("/drm/index.m3u8")?.text == "key(.unprovided(\"acme\"))")
            fixture.origin.fault("/keys", .status(403))
            #expect(
                await fixture.refusal("/drm/index.m3u8")?.text
                    == #"key(.declined(provider: "acme", status: 403))"#)
            #expect(try fixture.isEmpty)
        }
    }

    @Test(
        "settings with a key in the text, a template in the host, or no rule are refused",
        arguments: [
            #""schemes": ["skd"], "key": "00112233445566778899aabbccddeeff""#,
            #""schemes": ["skd"], "url": "https://{host}/x""#, #""url": "https://a/x""#,
            #""schemes": ["skd"]"#, #""schemes": ["skd"], "url": "file:///x""#,
        ])
    func wrongSettings(text: String) throws {
        let folder = try TemporaryDirectory()
        try FileSystem.makeDirectory(FilePath(folder.file("store")))
        let settings = "{\"key_providers\": [{\"name\": \"a\", \(text)}]}"
        try Data(settings.utf8).write(to: URL(filePath: folder.file("store/config.json")))
        #expect(throws: StoreError.self) { try StoreFixture(in: folder) }
    }
}
