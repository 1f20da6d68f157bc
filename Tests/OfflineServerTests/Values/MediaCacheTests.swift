import AssetStore
import HTTPTypes
import TestSupport
import Testing

@testable import APIDocuments
@testable import HTTPDaemon
@testable import OfflineServer

@Suite("The cache of served media")
struct MediaCacheTests {
    private let token: AssetToken

    init() throws { token = try #require(AssetToken("01HZX3T5E8M9K2Q4R6S7V8W9XA")) }

    private func playlist(_ count: Int) -> CachedMedia {
        CachedMedia(
            token: token, representation: Representation(size: UInt64(count)), headers: [:],
            body: .bytes([UInt8](repeating: 0x23, count: count)))
    }

    private func key(_ target: String, _ resource: AssetResource) throws -> String {
        let fields = Array("Host".utf8) + [0] + Array("a".utf8) + [0, 0, 0, 0]
        let head = RawHead(method: "GET", target: Array(target.utf8), minorVersion: 1, fields: fields)
        let request = try RequestGuard(bodyLimit: 100).admit(head, peer: "127.0.0.1")
        return MediaResponder.key(of: request, resource)
    }

    @Test("stays within its memory, and makes use of it")
    func memory() {
        let cache = MediaCache(largestBytes: 100_000)
        for number in 0..<200 {
            cache.store(playlist(5000), under: "\(number)")
            #expect(cache.heldBytes <= 100_000)
        }
        #expect(cache.heldBytes > 80_000)
    }

    @Test("counts the media of one name once, and removed ones not at all")
    func again() {
        let cache = MediaCache(largestBytes: 100_000)
        for _ in 0..<3 { cache.store(playlist(5000), under: "a") }
        #expect(cache.heldBytes == 10_001)
        cache.store(playlist(100), under: "a")
        #expect(cache.heldBytes == 201)
        cache.forget([token])
        #expect(cache.heldBytes == 0 && cache.find("a") == nil)
    }

    @Test("does not keep an entry larger than most others together, nor its predecessor")
    func large() {
        let cache = MediaCache(largestBytes: 100_000)
        cache.store(playlist(5000), under: "a")
        cache.store(playlist(5000), under: "b")
        cache.store(playlist(12_501), under: "b")
        #expect(cache.find("b") == nil)
        #expect(cache.heldBytes == 10_001)
    }

    @Test("keeps entries that fill its memory exactly, each of a quarter of it")
    func full() {
        let cache = MediaCache(largestBytes: 100_000)
        for number in 1...4 {
            cache.store(playlist(12_499), under: "k\(number)")
            #expect(cache.heldBytes == number * 25_000)
        }
        cache.store(playlist(0), under: "k5")
        #expect(cache.heldBytes == 75_002)
    }

    @Test("makes room also by removing the smallest entries")
    func small() {
        let cache = MediaCache(largestBytes: 4)
        for key in ["a", "b", "c", "d", "e"] { cache.store(playlist(0), under: key) }
        #expect(cache.heldBytes == 4)
    }

    @Test("has 1,024 entries, and does not remove one when another one is replaced")
    func count() {
        let cache = MediaCache()
        for number in 1000...2024 { cache.store(playlist(0), under: "\(number)") }
        #expect(cache.heldBytes == 1024 * 4)
        cache.store(playlist(0), under: "2024")
        #expect(cache.heldBytes == 1024 * 4)
    }

    @Test("keeps the media of other assets, and what was used lately, when it is cleaned up")
    func kept() throws {
        let cache = MediaCache()
        cache.store(playlist(5000), under: "a")
        let other = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        cache.forget([other])
        #expect(cache.heldBytes == 10_001)
        cache.sweep()
        #expect(cache.heldBytes == 10_001)
    }

    @Test("takes a file for the current one until that is another one, or the license forbids it")
    func files() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Array("abc".utf8), to: "a.ts")
        let file = try MappedFile(path: path)
        func media(_ isPermitted: Bool) -> CachedMedia {
            CachedMedia(
                token: token, representation: Representation(size: 3), headers: [:], body: .file(file, 0..<3),
                source: .init(path: path, file: file), isPermitted: { isPermitted })
        }
        let (identity, kept) = (FileIdentity(path: path), media(true))
        #expect(identity == FileIdentity(file))
        #expect(kept.isCurrent && kept.heldBytes == 0)
        #expect(!media(false).isCurrent)
        #expect(playlist(3).isCurrent)
        _ = try folder.write(Array("abcd".utf8), to: "a.ts")
        #expect(!kept.isCurrent)
        #expect(FileIdentity(path: folder.file("none")) == nil)
    }

    @Test("has one name for a playlist, with any query items that do not change it")
    func names() throws {
        let path = "/assets/\(token)/video/media.m3u8"
        let media = AssetResource.mediaPlaylist(rendition: "video")
        let plain = try key("\(path)?available=1", media)
        for query in ["available=1&x=1", "x=2&available=1&y", "%61vailable=1", "available=1&available=0"] {
            #expect(try key("\(path)?\(query)", media) == plain, "\(query)")
        }
        for query in ["", "?", "?x=1", "?X=1&cb=2"] { #expect(try key(path + query, media) == path) }
        let others = [
            "available=1&DVR", "available=1&start=5", "available=0", "audio=1", "subtitles=1", "decrypt=1",
            "keys=clearkey", "start=5", "DVR=5", "audio=1%26available=1", "audio=a%26DVR=1:b",
            "audio=a&DVR=b",
        ]
        let names = try others.map { try key("\(path)?\($0)", media) } + [plain, path]
        #expect(Set(names).count == names.count)
        #expect(try key("/assets/\(token)/poster?x=1", .poster) == "/assets/\(token)/poster")
    }
}
