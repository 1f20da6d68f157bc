import Foundation
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Licensing
@testable import StoreFiles
@testable import StoreModel

@Suite("A key provider of the settings that is a service", .timeLimit(.minutes(1)))
struct ConfiguredKeyProviderServiceTests {
    private static let key = Array("0123456789abcdef".utf8)

    private func provider(
        _ fixture: StoreFixture, _ members: String, environment: [String: String] = [:]
    ) throws -> ConfiguredKeyProvider {
        let settings = try JSONText.decode(
            KeyProviderSettings.self,
            #"{"name": "acme", "url": "\#(fixture.origin.url("/k"))?id={content_id}"\#(members)}"#)
        return ConfiguredKeyProvider(
            settings: settings, loop: fixture.store.parts.loop, clock: ManualClock(),
            environment: environment)
    }

    private let request = ContentKeyRequest(token: nil, uri: "skd://acme/\"1\"")

    /// The request that the service gets.
    private func asked(
        _ fixture: StoreFixture, _ members: String, environment: [String: String] = [:]
    ) async throws -> OriginRequest {
        fixture.origin.serve("/k", bytes: Self.key)
        fixture.origin.forgetRequests()
        let given = try await provider(fixture, members, environment: environment)
            .key(for: request, certificate: nil)
        #expect(given.bytes == Self.key)
        return try #require(fixture.origin.requests.first)
    }

    @Test("is asked by GET, and by POST if there is a body or the settings say so")
    func method() async throws {
        try await StoreFixture.run { fixture async throws in
            let get = try await asked(fixture, "")
            #expect(get.method == "GET" && get.body.isEmpty && get.header("Content-Type") == nil)
            #expect(get.query == "id=acme%2F%221%22")
            let other = try await asked(fixture, #", "method": "GET""#)
            #expect(other.method == "GET")
            let empty = try await asked(fixture, #", "method": "POST""#)
            #expect(empty.method == "POST" && empty.body.isEmpty)
            #expect(empty.header("Content-Type") == "application/json")
            let full = try await asked(fixture, #", "body": "{name}""#)
            #expect(full.method == "POST")
        }
    }

    @Test("gets values escaped for JSON if the body is JSON, otherwise as they are, or all of it in base 64")
    func body() async throws {
        try await StoreFixture.run { fixture async throws in
            func text(_ members: String) async throws -> String {
                String(decoding: try await asked(fixture, members).body, as: UTF8.self)
            }
            #expect(try await text(#", "body": "[{name}]""#) == #"[\"1\"]"#)
            #expect(
                try await text(#", "body": "[{name}]", "body_type": "application/vnd.acme+json""#)
                    == #"[\"1\"]"#)
            #expect(try await text(#", "body": "[{name}]", "body_type": "text/plain""#) == #"["1"]"#)
            // The base 64 of `[x]`.
            #expect(try await text(#", "body": "[x]", "body_base64": true"#) == "W3hd")
            #expect(try await text(#", "body": "[x]", "body_base64": false"#) == "[x]")
            let typed = try await asked(fixture, #", "body": "x", "body_type": "text/plain""#)
            #expect(typed.header("Content-Type") == "text/plain")
        }
    }

    @Test("gets the header fields of the settings, without spaces and lines around their values")
    func headers() async throws {
        try await StoreFixture.run { fixture async throws in
            let members = #", "headers": {"X-Account": {"env": "ACCOUNT"}, "bad name": "x", "X-Plain": "y"}"#
            let asked = try await asked(fixture, members, environment: ["ACCOUNT": " seven\n"])
            #expect(asked.header("X-Account") == "seven" && asked.header("X-Plain") == "y")
        }
    }

    @Test("has declined with any status but success", arguments: [200, 299, 400, 403, 500])
    func status(_ status: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k", bytes: Self.key)
            let body = String(decoding: Self.key, as: UTF8.self)
            if status != 200 { fixture.origin.fault("/k", .status(status, body: body)) }
            let provider = try provider(fixture, "")
            let error = await failure { _ = try await provider.key(for: request, certificate: nil) }
            let declined = #"key(.declined(provider: "acme", status: \#(status)))"#
            #expect(error?.text == (status < 300 ? nil : declined))
        }
    }

    @Test("may answer with 1 MiB, but with no byte more")
    func limit() async throws {
        try await StoreFixture.run { fixture async throws in
            let provider = try provider(fixture, #", "answer": {"content_type": "application/octet-stream"}"#)
            fixture.origin.serve("/k", bytes: [UInt8](repeating: 7, count: 1 << 20))
            let given = try await provider.key(for: request, certificate: nil)
            #expect(given.bytes.count == 1 << 20 && given.contentType == "application/octet-stream")
            fixture.origin.serve("/k", bytes: [UInt8](repeating: 7, count: 1 << 20 + 1))
            #expect(await failure { _ = try await provider.key(for: request, certificate: nil) } != nil)
        }
    }

    @Test("has a certificate at an address or in a file, or none")
    func certificate() async throws {
        try await StoreFixture.run { fixture async throws in
            func certificate(_ source: String?) async throws -> [UInt8]? {
                let members = source.map { #", "certificate": "\#($0)""# } ?? ""
                let provider = try provider(fixture, members)
                #expect(provider.certificateSource == source)
                return try await provider.certificate()
            }
            fixture.origin.serve("/app.cer", bytes: [1, 2, 3])
            #expect(try await certificate(nil) == nil)
            #expect(try await certificate(fixture.origin.url("/app.cer")) == [1, 2, 3])
            let file = try fixture.folder.write([4, 5], to: "app.cer")
            #expect(try await certificate(file) == [4, 5])
            let gone = await failure { _ = try await certificate(fixture.folder.file("none.cer")) }
            #expect(gone?.errorClass == .disk)
        }
    }

    @Test("has its certificate loaded into the folder of the store when it is named, if it has one")
    func loaded() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write([4, 5, 6], to: "app.cer")
        let one = #"{"name": "one", "hosts": ["a"], "url": "https://k/", "certificate": "\#(file)"}"#
        let two = #"{"name": "two", "hosts": ["b"], "url": "https://k/"}"#
        try folder.write(Array(#"{"key_providers": [\#(one), \#(two)]}"#.utf8), to: "store/config.json")
        let root = FilePath(folder.file("store"))
        let certificates = StorePaths(root: root).certificates
        for name in ["two", "three"] {
            let count = try await ProviderCertificate.load(of: name, in: root)
            #expect(count == nil, "\(name)")
        }
        #expect(FileSystem.isAbsent(certificates))
        let count = try await ProviderCertificate.load(of: "one", in: root)
        #expect(count == 3 && FileSystem.names(in: certificates).count == 1)
    }
}
