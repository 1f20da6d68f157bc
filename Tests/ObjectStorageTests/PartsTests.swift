import TestSupport
import Testing

@testable import ObjectStorage
@testable import Transfers

@Suite("An upload in parts")
struct PartsTests {
    private let origin: OriginServer
    private let folder: TemporaryDirectory
    private let bytes = OriginResource.pattern(1_500)
    private static let end = "/media/k?uploadId=u"
    /// The requests up to the one that joins the parts.
    private static let usual = [
        "POST uploads=", "PUT partNumber=1&uploadId=u", "PUT partNumber=2&uploadId=u", "POST uploadId=u",
    ]

    init() throws {
        origin = try OriginServer()
        folder = try TemporaryDirectory()
        origin.serve("/media/k?uploads=", text: "<Result><UploadId>u</UploadId></Result>")
        for number in 1...2 {
            origin.serve("/media/k?partNumber=\(number)&uploadId=u", bytes: [UInt8(number)])
        }
        origin.serve(Self.end, text: "<Result><ETag>\"t\"</ETag></Result>")
    }

    /// Why the file can't be sent in parts of 1,000 bytes.
    private func failure(isFileThere: Bool = true) async throws -> S3Error? {
        let client = S3Client(
            try S3Location("s3://media", endpoint: origin.url("")),
            credentials: S3Credentials(accessKey: "a", secretKey: "s"), loop: try S3Client.makeLoop(),
            retries: S3Retries(tries: 2, pause: { _ in true }), partSize: 1_000)
        let path = try isFileThere ? folder.write(bytes, to: "file") : folder.file("none")
        do throws(S3Error) {
            try await client.put(file: path, size: 1_500, sha256: [], to: "k")
            return nil
        } catch {
            return error
        }
    }

    /// The requests by their methods and queries.
    private var requests: [String] { origin.requests.map { "\($0.method) \($0.query ?? "-")" } }

    @Test("has each byte in one part, with its hash, and is joined by the tags in order")
    func whole() async throws {
        #expect(try await failure() == nil)
        #expect(requests == Self.usual)
        let parts = origin.requests[1...2].map(\.body)
        #expect(parts == [Array(bytes[..<1_000]), Array(bytes[1_000...])])
        let hashes = origin.requests[1...2].compactMap { $0.header("x-amz-content-sha256") }
        #expect(hashes == parts.map { SignatureV4.hash($0) })
        let tags = (1...2).compactMap { OriginResource(bytes: [UInt8($0)]).etag }
        let joined = XMLText(origin.requests[3].body).elements.map(\.text)
        #expect(joined == ["1", tags[0], "2", tags[1]])
    }

    @Test("is joined once more when the store fails after it has announced success")
    func failsLate() async throws {
        origin.fault(Self.end, .status(200, body: "<Error><Code>InternalError</Code></Error>"), times: 1)
        #expect(try await failure() == nil)
        #expect(requests == Self.usual + ["POST uploadId=u"])
    }

    @Test(
        "is aborted when the answer to the joining has no tag and no passing reason",
        arguments: [
            ("<Error><Code>AccessDenied</Code></Error>", "may not use the bucket media"),
            ("<Error><Code>NoSuchBucket</Code></Error>", "has no bucket media"),
            ("<Error><Code>Odd</Code></Error>", "with Odd (status 200)"), ("", "with no reason (status 200)"),
        ])
    func refused(document: String, words: String) async throws {
        origin.fault(Self.end, .status(200, body: document), times: 1)
        let error = try await failure()
        #expect(error?.sentence.contains(words) == true)
        #expect(requests == Self.usual + ["DELETE uploadId=u"])
    }

    @Test("is done when the store does not know it any more and has the object", arguments: [200, 404])
    func lostAnswer(status: Int) async throws {
        origin.serve("/media/k", bytes: bytes)
        let document = "<Error><Code>NoSuchUpload</Code></Error>"
        origin.fault(Self.end, .status(status, body: document), times: 1)
        #expect(try await failure() == nil)
        #expect(requests == Self.usual + ["HEAD -"])
    }

    @Test("fails when the store knows neither it nor the object")
    func lost() async throws {
        let document = "<Error><Code>NoSuchUpload</Code></Error>"
        origin.fault(Self.end, .status(404, body: document), times: 1)
        let error = try await failure()
        #expect(error?.isNoSuchKey == true)
        #expect(requests == Self.usual + ["HEAD -", "DELETE uploadId=u"])
    }

    @Test("does not begin without a name", arguments: ["", "<Result><UploadId></UploadId></Result>"])
    func nameless(document: String) async throws {
        origin.serve("/media/k?uploads=", text: document)
        let error = try await failure()
        #expect(error?.sentence.contains("with no upload (status 200)") == true)
        #expect(requests == ["POST uploads="])
    }

    @Test("is aborted when a part has no tag")
    func tagless() async throws {
        origin.fault("/media/k?partNumber=2&uploadId=u", .noValidators)
        let error = try await failure()
        #expect(error?.sentence.contains("with no tag of a part (status 200)") == true)
        #expect(requests == Array(Self.usual.dropLast()) + ["DELETE uploadId=u"])
    }

    @Test("is aborted when the file is gone")
    func gone() async throws {
        let error = try await failure(isFileThere: false)
        guard case .transfer(let reason) = error?.code else {
            Issue.record("the file can't be read")
            return
        }
        #expect(reason.code == .unreadableBody && error?.isTemporary == false)
        #expect(requests == ["POST uploads=", "DELETE uploadId=u"])
    }
}
