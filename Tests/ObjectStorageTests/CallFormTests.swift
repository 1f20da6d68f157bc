import HTTPTypes
import TestSupport
import Testing

@testable import ObjectStorage
@testable import Transfers

@Suite("A call of an S3 store")
struct CallFormTests {
    private func request(_ call: S3Call, token: String? = nil) throws -> TransferRequest {
        call.request(
            to: try S3Location("s3://media/store", endpoint: "http://h:9000"),
            S3Credentials(accessKey: "a", secretKey: "s", sessionToken: token), authority: "/ca.pem",
            at: SigningDate(seconds: 0))
    }

    private func field(_ name: String, of request: TransferRequest) -> String? {
        HTTPField.Name(name).flatMap { request.headerFields[$0] }
    }

    @Test("takes precedence only if it says so")
    func urgency() throws {
        #expect(try request(S3Call(method: .get, key: "k")).priority == .normal)
        #expect(try request(S3Call(method: .get, key: "k", isUrgent: true)).priority == .high)
    }

    @Test("goes to the place's own server, and nowhere else by a redirect")
    func place() throws {
        let range = TransferRange(offset: 5, length: 2)
        let object = try request(S3Call(method: .get, key: "a b", range: range))
        #expect(object.url == "http://h:9000/media/store/a%20b" && object.range == range)
        #expect(object.maximumRedirects == 0 && object.allowsPrivateAddresses)
        #expect(object.certificateAuthorityFile == "/ca.pem")
        let bucket = try request(S3Call(method: .post, query: [("delete", "")]))
        #expect(bucket.url == "http://h:9000/media/?delete=" && bucket.range == nil)
    }

    @Test("is signed with its time, the hash of its body and the token, if there is one")
    func signed() throws {
        let plain = try request(S3Call(method: .get, key: "k"))
        #expect(field("x-amz-date", of: plain) == "19700101T000000Z")
        #expect(field("x-amz-content-sha256", of: plain) == SignatureV4.emptyHash)
        #expect(field("x-amz-security-token", of: plain) == nil)
        let names = "SignedHeaders=host;x-amz-content-sha256;x-amz-date"
        #expect(field("authorization", of: plain)?.contains("\(names),") == true)
        let hash = SignatureV4.hash([1])
        let temporary = try request(S3Call(method: .put, key: "k", payloadHash: hash), token: "t")
        #expect(field("x-amz-security-token", of: temporary) == "t")
        #expect(field("x-amz-content-sha256", of: temporary) == hash)
        #expect(field("authorization", of: temporary)?.contains("\(names);x-amz-security-token,") == true)
    }

    @Test(
        "is sent with its method and body",
        arguments: [
            (.get, .bytes([1]), .get), (.head, .bytes([1]), .head), (.delete, .bytes([1]), .delete),
            (.put, .bytes([1]), .put(.bytes([1]))), (.post, .bytes([1]), .post(body: [1])),
            (.put, .file(path: "/f", range: 1..<2), .put(.file(path: "/f", range: 1..<2))),
        ] as [(S3Call.Method, UploadBody, TransferRequest.Method)])
    func methods(_ method: S3Call.Method, _ body: UploadBody, _ sent: TransferRequest.Method) throws {
        #expect(try request(S3Call(method: method, key: "k", body: body)).method == sent)
    }
}

@Suite("Reads of an S3 store")
struct ReadOrderTests {
    @Test("wait for their turn, but the urgent ones do not")
    func turns() async throws {
        var configuration = TransferLoopConfiguration()
        (configuration.maximumTransfersPerHost, configuration.urgentReserve) = (1, 1)
        let origin = try OriginServer()
        for key in ["first", "second", "urgent"] { origin.serve("/media/\(key)", bytes: [1, 2, 3]) }
        origin.fault("/media/first", .holdHeader)
        let client = S3Client(
            try S3Location("s3://media", endpoint: origin.url("")),
            credentials: S3Credentials(accessKey: "a", secretKey: "s"),
            loop: try TransferLoop(configuration: configuration), retries: S3Retries(tries: 1))
        let first = Task { await Self.isRead("first", by: client) }
        #expect(await origin.waitForRequests(1))
        let second = Task.immediate { await Self.isRead("second", by: client) }
        try await client.get("urgent", 0..<3, isUrgent: true) { _ in }
        #expect(origin.requests.map(\.path) == ["/media/first", "/media/urgent"])
        origin.release()
        #expect(await first.value)
        #expect(await second.value)
        #expect(origin.requests.count == 3)
    }

    private static func isRead(_ key: String, by client: S3Client) async -> Bool {
        do {
            try await client.get(key, 0..<3) { _ in }
            return true
        } catch {
            return false
        }
    }
}

@Suite("What an error of an S3 store is about")
struct ErrorSubjectTests {
    @Test(
        "is the bucket, its account or this machine where each request would fail in this way",
        arguments: [
            (.noSuchBucket, true), (.accessDenied, true), (.unknownAccessKey, true), (.wrongSecret, true),
            (.expiredCredentials, true), (.clockSkew(seconds: nil), true), (.noSpace, true),
            (.noSuchKey, false), (.slowDown, false), (.unavailable(status: 500), false),
            (.changedOnTheWay, false), (.tooShort, false), (.wrongLength(expected: 2, received: 1), false),
            (.transfer(TransferError(.resolve, url: "")), false), (.unexpected("Odd", status: 400), false),
            (.cancelled, false),
        ] as [(S3Error.Code, Bool)])
    func bucket(code: S3Error.Code, isOfBucket: Bool) {
        #expect(S3Error(code: code, endpoint: "", bucket: "").isOfBucket == isOfBucket)
    }

    @Test("is passing or not by the transfer that failed")
    func transfers() {
        for (code, isTemporary) in [(.resolve, true), (.addressRefused, false)]
            as [(TransferError.Code, Bool)]
        {
            let error = S3Error(code: .transfer(TransferError(code, url: "")), endpoint: "", bucket: "")
            #expect(error.isTemporary == isTemporary)
        }
    }
}
