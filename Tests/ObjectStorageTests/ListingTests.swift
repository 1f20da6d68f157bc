import TestSupport
import Testing

@testable import ObjectStorage
@testable import Transfers

@Suite("A listing of an S3 store")
struct ListingTests {
    private let origin: OriginServer
    private let client: S3Client
    private static let first = "/media/?list-type=2&max-keys=1000&prefix=store%2Fa%2F"

    init() throws {
        origin = try OriginServer()
        client = S3Client(
            try S3Location("s3://media/store", endpoint: origin.url("")),
            credentials: S3Credentials(accessKey: "a", secretKey: "s"), loop: try S3Client.makeLoop(),
            retries: S3Retries(tries: 1))
    }

    private func page(_ objects: [(key: String, size: Int)], isTruncated: Bool) -> String {
        let contents = objects.map { "<Contents><Key>\($0.key)</Key><Size>\($0.size)</Size></Contents>" }
        return """
            <ListBucketResult><IsTruncated>\(isTruncated)</IsTruncated>\(contents.joined())</ListBucketResult>
            """
    }

    @Test("has the objects of all pages, each page after the last key of the one before")
    func pages() async throws {
        origin.serve(
            Self.first, text: page([("store/a/1", 10), ("store/a/2", 20)], isTruncated: true))
        origin.serve(
            "\(Self.first)&start-after=store%2Fa%2F2", text: page([("store/a/3", 30)], isTruncated: true))
        origin.serve(
            "\(Self.first)&start-after=store%2Fa%2F3", text: page([("store/a/4", 40)], isTruncated: false))
        #expect(try await client.sizes(below: "a/") == ["a/1": 10, "a/2": 20, "a/3": 30, "a/4": 40])
        #expect(origin.requests.count == 3)
    }

    @Test("has no objects where there are none, and no key of another place")
    func empty() async throws {
        origin.serve(Self.first, text: page([], isTruncated: false))
        #expect(try await client.sizes(below: "a/").isEmpty)
        origin.serve(
            Self.first,
            text: page([("other/a/1", 10), ("store/a/2", 20), ("other/a/3", 30)], isTruncated: false))
        #expect(try await client.sizes(below: "a/") == ["a/2": 20])
    }

    @Test(
        "is no shorter one when its document was cut or is another one",
        arguments: [
            "", "<ListBucketResult><IsTruncated>false</IsTruncated>", "<Error><Code>Odd</Code></Error>",
            "<Other><ListBucketResult><Name>media</Name></ListBucketResult></Other>",
        ])
    func cut(document: String) async throws {
        origin.serve(Self.first, text: document)
        let error = await #expect(throws: S3Error.self) { try await client.sizes(below: "a/") }
        #expect(error?.sentence.contains("with no listing (status 200)") == true)
    }

    @Test("of uploads has those aborted that were begun before a time", arguments: [false, true])
    func uploads(isReversed: Bool) async throws {
        let uploads = [
            ("store/old", "1", "00:01:39"), ("store/new", "2", "00:01:40"), ("other/old", "3", "00:00:00"),
            ("store/a b", "4", "00:00:00"),
        ].map { key, name, clock in
            let facts = [
                "<Key>\(key)</Key>", "<UploadId>\(name)</UploadId>",
                "<Initiated>1970-01-01T\(clock).000Z</Initiated>",
            ]
            return "<Upload>\((isReversed ? facts.reversed() : facts).joined())</Upload>"
        }
        origin.serve(
            "/media/?prefix=store%2F&uploads=", text: "<Result>\(uploads.joined())</Result>")
        // One is gone by now, which is no error.
        origin.serve("/media/store/old?uploadId=1", bytes: [])
        try await client.abortUploads(begunBefore: 100)
        let deleted = origin.requests.filter { $0.method == "DELETE" }
        #expect(deleted.map(\.path) == ["/media/store/old", "/media/store/a%20b"])
        #expect(deleted.map(\.query) == ["uploadId=1", "uploadId=4"] && deleted.map(\.status) == [200, 404])
        #expect(origin.requests.count == 3)
    }
}
