import Foundation
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Licensing
@testable import StoreModel

@Suite("A key provider of the settings", .timeLimit(.minutes(1)))
struct ConfiguredKeyProviderTests {
    private static let key = Array("0123456789abcdef".utf8)

    private func provider(
        _ fixture: StoreFixture, _ members: String, environment: [String: String] = [:]
    ) throws -> ConfiguredKeyProvider {
        let settings = try JSONText.decode(KeyProviderSettings.self, #"{"name": "acme", \#(members)}"#)
        return ConfiguredKeyProvider(
            settings: settings, loop: fixture.store.parts.loop, clock: ManualClock(),
            environment: environment)
    }

    private func request(_ uri: String = "skd://acme/film-1?x=1", _ format: String = "identity")
        -> ContentKeyRequest
    {
        ContentKeyRequest(token: nil, uri: uri, keyFormat: format)
    }

    @Test("has a key only if all of its rules hold, in any case of letters; a rule that is not given holds")
    func rules() async throws {
        let cases = [
            (#""formats": ["Com.Acme"]"#, true), (#""formats": ["org.other", "com.acme"]"#, true),
            (#""formats": ["org.other"]"#, false), (#""schemes": ["SKD"]"#, true),
            (#""schemes": ["data"]"#, false), (#""hosts": ["Keys.Acme.Example"]"#, true),
            (#""hosts": ["acme.example"]"#, false), (#""hosts": ["*.Acme.example"]"#, true),
            (#""hosts": ["*.example"]"#, true), (#""hosts": ["*.keys.acme.example"]"#, false),
            (#""hosts": ["*.s.acme.example"]"#, false), (#""method": "GET""#, true),
            (#""formats": ["org.other"], "schemes": ["skd"], "hosts": ["*.acme.example"]"#, false),
            (#""formats": ["com.acme"], "schemes": ["x"], "hosts": ["*.acme.example"]"#, false),
            (#""formats": ["com.acme"], "schemes": ["skd"], "hosts": ["*.x.example"]"#, false),
            (#""formats": ["com.acme"], "schemes": ["skd"], "hosts": ["*.acme.example"]"#, true),
        ]
        try await StoreFixture.run { fixture async throws in
            let asked = request("skd://KEYS.acme.example/film-1", "COM.acme")
            for (members, answers) in cases {
                #expect(try provider(fixture, members).answers(for: asked) == answers, "\(members)")
            }
        }
    }

    @Test("names the content by its template, or else by the key's address without the scheme")
    func contentIdentifier() async throws {
        try await StoreFixture.run { fixture async throws in
            let usual = try provider(fixture, #""url": "https://keys.example""#)
            #expect(usual.contentIdentifier(for: request()) == "acme/film-1?x=1")
            let template = "{scheme}|{host}|{path}|{name}|{format}|{token}|{other}"
            let named = try provider(fixture, #""content_id": "\#(template)""#)
            #expect(
                named.contentIdentifier(for: request("skd://acme//a/b.key?x=1"))
                    == "skd|acme|a/b.key|b.key|identity||{other}")
            #expect(named.contentIdentifier(for: request("skd://acme")) == "skd|acme|||identity||{other}")
        }
    }

    @Test("gives the key that the settings name, before it runs a program or asks a service")
    func fixed() async throws {
        try await StoreFixture.run { fixture async throws in
            let url = fixture.origin.url("/k")
            let members = #""key": {"env": "KEY"}, "command": ["false"], "url": "\#(url)""#
            let text = String(decoding: Self.key, as: UTF8.self)
            let given = try await provider(fixture, members, environment: ["KEY": text])
                .key(for: request(), certificate: nil)
            #expect(given.bytes == Self.key && given.renewAt == nil && given.contentType == nil)
            let short = await failure {
                _ = try await provider(fixture, members, environment: ["KEY": "0123"])
                    .key(for: request(), certificate: nil)
            }
            #expect(short?.text == #"key(.unprovided("acme"))"#)
            let unset = await failure {
                _ = try await provider(fixture, members).key(for: request(), certificate: nil)
            }
            #expect(unset?.text == #"unset("$KEY")"#)
            #expect(fixture.origin.requests.isEmpty)
        }
    }

    @Test("has its keys renewed at the date of the answer, or else after the time of the settings")
    func renewal() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/plain", bytes: Self.key)
            fixture.origin.serve(
                "/dated", text: #"{"key": "\#(Secret.base64(Self.key))", "renewal_date": 50}"#)
            func renewAt(_ path: String, _ more: String) async throws -> Int64? {
                let members = #""url": "\#(fixture.origin.url(path))"\#(more)"#
                return try await provider(fixture, members).key(for: request(), certificate: nil)
                    .renewAt?.milliseconds
            }
            #expect(try await renewAt("/plain", "") == nil)
            #expect(try await renewAt("/plain", #", "renew_after": 100"#) == 1_700_000_100_000)
            #expect(try await renewAt("/dated", #", "renew_after": 100"#) == 1_700_000_050_000)
            #expect(try await renewAt("/dated", "") == 1_700_000_050_000)
        }
    }

    @Test("runs a program with the question on its standard input, and takes its output for the key")
    func command() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
            let (question, name) = (fixture.folder.file("question"), fixture.folder.file("token"))
            let script =
                "cat > \(question); printf %s $OFFLINE_SERVER_TOKEN > \(name); printf 0123456789abcdef"
            let members = #""content_id": "{host}-{name}", "command": ["sh", "-c", "\#(script)"]"#
            var asked = request("skd://acme/film/7.key")
            asked.token = token
            let given = try await provider(fixture, members).key(for: asked, certificate: [1, 2, 3])
            #expect(given.bytes == Self.key)
            #expect(try fixture.folder.read("token") == Array(token.description.utf8))
            let text = String(decoding: try fixture.folder.read("question"), as: UTF8.self)
            let values = try JSONText.decode([String: String].self, text)
            #expect(
                values == [
                    "uri": "skd://acme/film/7.key", "format": "identity", "token": token.description,
                    "scheme": "skd", "host": "acme", "path": "film/7.key", "name": "7.key",
                    "content_id": "acme-7.key", "certificate": "AQID",
                ])
        }
    }

    @Test("tells the status and the last words of a program that fails")
    func failedCommand() async throws {
        try await StoreFixture.run { fixture async throws in
            let members = #""command": ["sh", "-c", "printf 0123456789abcdef; echo no license >&2; exit 3"]"#
            let error = await failure {
                _ = try await provider(fixture, members).key(for: request(), certificate: nil)
            }
            #expect(
                error?.message.hasPrefix(#"the key provider acme answered 3 and said "no license""#) == true)
        }
    }
}
