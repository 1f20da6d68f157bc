import HLSPlaylist
import Locking
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import Licensing
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The content keys of a stream", .timeLimit(.minutes(1)))
struct KeyFetchTests {
    /// A source of keys that answers each request in the same way.
    private struct Source: StreamSource {
        static let schemes: Set<String> = ["https"]
        let answer: Result<[UInt8], StoreError>
        let calls = Lock(0)

        func key(_ url: String) async throws(StoreError) -> [UInt8] {
            calls.withLock { $0 += 1 }
            return try answer.get()
        }

        func playlist(_ url: String) async throws(StoreError) -> (bytes: [UInt8], url: String) { ([], url) }

        func beginning(
            of url: String, range: ClosedOffsetRange?, count: UInt64, isNeeded: Bool
        ) async throws(StoreError) -> [UInt8] { [] }
    }

    private let folder: TemporaryDirectory
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws { folder = try TemporaryDirectory() }

    private func fetcher(_ source: Source) throws -> KeyFetcher {
        KeyFetcher(
            origin: source, vault: try KeyVault(FilePath(folder.file("vault")), environment: [:]),
            token: token, pause: RetryPause { _ in })
    }

    private func bytes(_ count: Int) -> Source { Source(answer: .success(OriginResource.pattern(count))) }

    private let usual = KeySource(address: "https://h/k?t=1", uri: "k?t=1")

    @Test(
        "have the length that their method needs",
        arguments: [
            (EncryptionKey.Method.aes128, 16, true), (.aes128, 32, false), (.aes256, 32, true),
            (.aes256, 16, false),
        ])
    func length(_ method: EncryptionKey.Method, _ count: Int, _ isTaken: Bool) async throws {
        let fetcher = try fetcher(bytes(count))
        let source = KeySource(address: "https://h/k?t=1", uri: "k?t=1", method: method)
        let error = await failure { _ = try await fetcher.fetch([source]) }
        #expect(error?.text == (isTaken ? nil : "key(.length(\(count)))"))
        #expect(error?.url == (isTaken ? nil : "https://h/k"))
    }

    @Test(
        "are asked for three times if their origin may have them later, and once if not",
        arguments: [503, 403])
    func tries(_ status: Int) async throws {
        let source = Source(
            answer: .failure(StoreError(.status(status, retryAfter: nil), url: "https://h/k")))
        let fetcher = try fetcher(source)
        let error = await failure { _ = try await fetcher.fetch([usual]) }
        let calls = source.calls.withLock(\.self)
        #expect(calls == (status == 503 ? 3 : 1))
        #expect(error?.errorClass == (status == 503 ? .http : .key) && error?.url == "https://h/k")
    }

    @Test("can't be had by another scheme, or without an address")
    func schemes() async throws {
        let source = bytes(16)
        let fetcher = try fetcher(source)
        for (address, url) in [("ftp://h/k", "ftp://h/k"), ("", nil)] as [(String, String?)] {
            let error = await failure {
                _ = try await fetcher.fetch([KeySource(address: address, uri: address)])
            }
            #expect(error?.text == "key(.unreachable)" && error?.url == url)
        }
        let calls = source.calls.withLock(\.self)
        #expect(calls == 0)
    }

    @Test("in the playlist itself are named by no address if they are wrong")
    func inline() async throws {
        let source = bytes(16)
        let fetcher = try fetcher(source)
        let wrong = KeySource(address: "data", uri: "data:,0123")
        let error = await failure { _ = try await fetcher.fetch([wrong]) }
        #expect(error?.text == "key(.length(4))" && error?.url == nil)
        let right = KeySource(address: "data", uri: "data:,0123456789abcdef")
        let found = try await fetcher.fetch([right])
        let calls = source.calls.withLock(\.self)
        #expect(found.map { $0.sealed != nil } == [true] && calls == 0)
    }

    @Test("are recorded as missing where that is allowed, with numbers from the first one on")
    func missing() async throws {
        let refusal = StoreError(.status(404, retryAfter: nil))
        let fetcher = try fetcher(Source(answer: .failure(refusal)))
        let inline = KeySource(address: "data", uri: "data:,0123456789abcdef")
        let found = try await fetcher.fetch([usual, inline], allowsMissing: true, first: 5)
        #expect(found.map(\.id) == ["k5", "k6"] && found.map { $0.sealed != nil } == [false, true])
        let first = try await fetcher.fetch([inline])
        #expect(first.map(\.id) == ["k0"])
    }

    @Test("are no longer asked for when the work is stopped, also where they may be missing")
    func stopped() async throws {
        let fetcher = try fetcher(Source(answer: .failure(StoreError(.stopped(.closing)))))
        let error = await failure { _ = try await fetcher.fetch([usual], allowsMissing: true) }
        #expect(error?.isStopped == true)
    }
}
