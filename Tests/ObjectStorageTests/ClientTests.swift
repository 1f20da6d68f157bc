import HTTPTypes
import TestSupport
import Testing

@testable import ObjectStorage
@testable import Transfers

@Suite("A client of an S3 store", .serialized)
struct ClientTests {
    static let engines = ObjectServer.Engine.allCases.filter(\.runs)

    @Test("writes objects and reads them back, whole and in parts", arguments: engines)
    func roundTrip(_ engine: ObjectServer.Engine) async throws {
        let fixture = try Fixture(try ObjectServer(engine))
        let bytes = Fixture.bytes(300_000, seed: 1)
        for key in ["AB12/v0/7.ts.a-1", "with space & <sign> é+%/k"] {
            try await fixture.put(bytes, to: key)
            #expect(try await fixture.get(key, 0..<300_000) == bytes)
            #expect(try await fixture.get(key, 299_999..<300_000) == [bytes[299_999]])
            #expect(try await fixture.get(key, 1000..<2000) == Array(bytes[1000..<2000]))
            #expect(try await fixture.client.head(key) == 300_000)
        }
        try await fixture.client.put([], to: "empty")
        #expect(try await fixture.client.head("empty") == 0)
    }

    @Test(
        "says that an object is shorter than the part that is wanted, and gives none of it",
        arguments: engines)
    func short(_ engine: ObjectServer.Engine) async throws {
        let fixture = try Fixture(try ObjectServer(engine))
        try await fixture.put([1, 2, 3], to: "short")
        try await fixture.client.put([], to: "empty")
        for (key, range) in [("short", 0..<4), ("short", 3..<4), ("short", 9..<12), ("empty", 0..<4)] {
            let failure = await fixture.failure { client in
                try await client.get(key, UInt64(range.lowerBound)..<UInt64(range.upperBound)) { _ in
                    Issue.record("bytes of \(key) \(range)")
                }
            }
            #expect(failure?.isOfLength == true && failure?.isTemporary == false, "\(key) \(range)")
        }
        #expect(try await fixture.get("short", 1..<3) == [2, 3])
    }

    @Test("lists objects page by page, in the order of their keys", arguments: engines)
    func lists(_ engine: ObjectServer.Engine) async throws {
        let server = try ObjectServer(engine)
        let (fixture, other) = (try Fixture(server), try Fixture(server, prefix: "other"))
        let keys = (0..<7).map { "a/\($0)&.ts" } + ["b/1"]
        for key in keys { try await fixture.client.put([1, 2, 3], to: key) }
        try await other.client.put([1], to: "a/other")
        var (found, after, pages): ([S3Object], String?, Int) = ([], nil, 0)
        repeat {
            let page = try await fixture.client.list("a/", after: after, limit: 3)
            (found, after, pages) = (found + page.objects, page.next, pages + 1)
            let time = try #require(page.time)
            #expect(page.objects.allSatisfy { abs($0.modified - time) < 60 && $0.size == 3 })
        } while after != nil
        #expect(found.map(\.key) == Array(keys.prefix(7)) && pages == 3)
        #expect(try await fixture.client.list().objects.map(\.key) == keys)
        #expect(try await fixture.client.list("none/").objects.isEmpty)
    }

    @Test("deletes objects, also those that are gone already", arguments: engines)
    func deletes(_ engine: ObjectServer.Engine) async throws {
        let fixture = try Fixture(try ObjectServer(engine))
        let keys = (0..<5).map { "a/\($0) & <b>" }
        for key in keys { try await fixture.client.put([1], to: key) }
        try await fixture.client.delete(keys[0])
        try await fixture.client.delete(keys[0])
        try await fixture.client.delete(Array(keys[0...3]))
        try await fixture.client.delete([])
        #expect(try await fixture.client.list().objects.map(\.key) == [keys[4]])
    }

    @Test("sends large objects in parts, and aborts an upload that fails", arguments: engines)
    func parts(_ engine: ObjectServer.Engine) async throws {
        let fixture = try Fixture(try ObjectServer(engine), partSize: 5 << 20)
        let bytes = Fixture.bytes(11 << 20, seed: 2)
        try await fixture.put(bytes, to: "large")
        #expect(try await fixture.get("large", 0..<11 << 20) == bytes)
        try await fixture.client.answer(S3Call(method: .post, key: "begun", query: [("uploads", "")]))
        #expect(try await fixture.uploads() == 1)
        // moto says of all uploads that they began long ago.
        if engine != .moto {
            try await fixture.client.abortUploads(begunBefore: SigningDate.secondsNow - 3600)
            #expect(try await fixture.uploads() == 1)
        }
        try await fixture.client.abortUploads(begunBefore: SigningDate.secondsNow + 3600)
        #expect(try await fixture.uploads() == 0)
        #expect(try await fixture.client.list().objects.map(\.key) == ["large"])
    }

    @Test("reports errors of the bucket's address and of the credentials", arguments: engines)
    func refusals(_ engine: ObjectServer.Engine) async throws {
        let server = try ObjectServer(engine)
        let fixture = try Fixture(server)
        #expect(await fixture.failure { _ = try await $0.head("none") }?.isNoSuchKey == true)
        let get = await fixture.failure { try await $0.get("none", 0..<1) { _ in } }
        #expect(get?.isNoSuchKey == true && get?.isTemporary == false)
        let bucket = try await Fixture(server, bucket: "nobody").failure { try await $0.check() }
        #expect(bucket?.sentence.contains("has no bucket nobody; create it") == true)
        let secret = try await Fixture(server, change: { $0.secretKey = "wrong" }).failure {
            try await $0.check()
        }
        #expect(secret?.sentence.hasPrefix("the secret does not belong to the access key") == true)
        let key = try await Fixture(server, change: { $0.accessKey = "wrong" }).failure {
            try await $0.check()
        }
        #expect(key?.sentence.contains("check the S3 credentials") == true)
        let failures: [S3Error?] = [bucket, secret, key]
        #expect(failures.allSatisfy { $0?.isTemporary == false })
    }

    @Test("says that a server is away, after some tries")
    func away() async throws {
        let server = try ObjectServer(.moto, faults: (0, 0))
        try server.setFaults("away", share: 1)
        let fixture = try Fixture(server, tries: 3)
        let failure = await fixture.failure { try await $0.check() }
        guard case .slowDown = failure?.code else { Issue.record("\(String(describing: failure))"); return }
        #expect(failure?.isTemporary == true)
    }

    @Test("trusts the authority that it is given, and no other")
    func authority() async throws {
        let folder = try TemporaryDirectory()
        let files = (folder.file("certificate.pem"), folder.file("key.pem"))
        try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2",
                "-keyout", files.1, "-out", files.0, "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1",
            ]
        ).wait()
        let server = try ObjectServer(.moto, certificate: files)
        let fixture = try Fixture(server, authority: files.0)
        try await fixture.put(Fixture.bytes(1 << 20, seed: 3), to: "a")
        #expect(try await fixture.get("a", 0..<1 << 20) == Fixture.bytes(1 << 20, seed: 3))
        let failure = try await Fixture(server).failure { try await $0.check() }
        #expect(failure?.sentence.contains("--s3-ca") == true && failure?.isTemporary == false)
    }

    @Test("says how far the clock is wrong")
    func skew() async throws {
        let origin = try OriginServer()
        let location = try S3Location("s3://media", endpoint: origin.url(""))
        let document = "<Error><Code>RequestTimeTooSkewed</Code></Error>"
        let response = TransferResponse(
            status: 403, version: .http1Dot1, headerFields: [.date: "Sun, 06 Nov 1994 08:49:37 GMT"],
            finalURL: "",
            lengthIsKnown: true)
        let code = S3Answer.code(response, body: Array(document.utf8), isAboutKey: true)
        let sentence = S3Error(code: code, endpoint: location.endpoint, bucket: "media").sentence
        #expect(sentence.contains("min ahead of that of \(location.endpoint); set it"))
    }
}

extension Fixture {
    /// Uploads in parts that have begun and not ended.
    fileprivate func uploads() async throws -> Int {
        let (_, body) = try await client.answer(
            S3Call(method: .get, query: [("uploads", ""), ("prefix", client.location.prefix)]))
        return XMLText(body).elements.filter { $0.name == "UploadId" }.count
    }
}
