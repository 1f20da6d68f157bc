import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("The keys that players get")
struct ServedKeysTests {
    private static let system = "com.apple.streamingkeydelivery"
    private let ofSection = EncryptionKey(method: .sampleAESCTR, uri: "of-section")
    private let ofSystem = EncryptionKey(
        method: .sampleAES, uri: "skd://x", keyFormat: ServedKeysTests.system)

    /// The keys of an asset that has one key of its playlist, and one of an initialization section.
    private var keys: ServedKeys {
        var keys = ServedKeys(
            [KeyRecord(id: "k0", url: "https://h/one.key", sealed: [1])],
            base: URIReference("https://h/p.m3u8"))
        keys.ofSections = [0: ofSection]
        return keys
    }

    @Test("are the playlist's, unless those of sections are to come first and the samples are encrypted")
    func precedence() {
        let ofSamples = EncryptionKey(method: .sampleAES, uri: "one.key")
        let ofBlocks = EncryptionKey(method: .aes128, uri: "one.key")
        let usual = keys
        #expect(
            usual.served([ofSamples], folder: "keys", section: 0)
                == [ofSamples.replacing(uri: "keys/k0.key")])
        var turned = keys
        turned.prefersSections = true
        #expect(turned.served([ofSamples], folder: "keys", section: 0) == [ofSection])
        #expect(
            turned.served([ofSamples], folder: "keys", section: 1)
                == [ofSamples.replacing(uri: "keys/k0.key")])
        #expect(
            turned.served([ofBlocks], folder: "keys", section: 0)
                == [ofBlocks.replacing(uri: "keys/k0.key")])
    }

    @Test("are those of the section where the playlist names none, or none that can be used")
    func sections() {
        #expect(keys.served([], folder: "keys", section: 0) == [ofSection])
        #expect(keys.served([ofSystem], folder: "keys", section: 0) == [ofSection])
        #expect(keys.served([], folder: "keys").isEmpty)
        #expect(keys.served([ofSystem], folder: "keys").isEmpty)
        let end = EncryptionKey(method: .none)
        #expect(keys.served([end], folder: "keys", section: 0).isEmpty)
    }

    @Test("have no name of a key system if a provider gave the key itself")
    func provided() {
        let keys = ServedKeys(
            [KeyRecord(id: "k0", url: "skd://x", sealed: [1])], base: URIReference("https://h/p.m3u8"))
        #expect(keys.usable([ofSystem]) == ofSystem)
        let served = keys.served([ofSystem], folder: "keys")
        #expect(served.map(\.attributes.verbatim) == [#"METHOD=SAMPLE-AES,URI="keys/k0.key""#])
        let end = EncryptionKey(method: .none, uri: "skd://x", keyFormat: Self.system)
        #expect(keys.usable([end]) == nil)
    }

    @Test("are hidden in a stored playlist where it holds them itself; the data of key systems stay")
    func hiding() {
        func body(_ uri: String) -> [UInt8] {
            Array("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n#EXTINF:4,\na.ts".utf8)
        }
        let source = SourcePlaylist(rendition: "video", url: "", body: body("data:,key"))
        let own = KeySource(address: "data:hash", uri: "data:,key")
        let foreign = KeySource(address: "data:hash", uri: "data:,key", keyFormat: Self.system)
        #expect(source.hiding([own]).body == body("data:hash"))
        #expect(source.hiding([foreign]).body == source.body)
    }

    @Test("are named early if their method is known, and the asset has the key itself")
    func sessionKeys() {
        func early(_ change: (inout KeyRecord) -> Void = { _ in }) -> String? {
            var key = KeyRecord(id: "k0", url: "https://h/one.key", sealed: [1], method: "AES-128")
            change(&key)
            return key.sessionKey?.attributes.verbatim
        }
        let named = #"METHOD=AES-128,URI="keys/k0.key""#
        #expect(early() == named)
        #expect(early { $0.identifier = Array("k0".utf8) } == named)
        #expect(early { $0.sealed = nil } == nil)
        #expect(early { $0.method = nil } == nil)
        #expect(early { $0.format = Self.system } == nil)
        #expect(early { $0.identifier = [9] } == nil)
    }
}

@Suite("The keys of two playlists")
struct KeyAgreementTests {
    /// Two segments, with a key unless there are no attributes.
    private func playlist(_ attributes: String?) throws -> MediaPlaylist {
        let tag = attributes.map { "#EXT-X-KEY:\($0)\n" } ?? ""
        return try Playlists.parsedMedia(Playlists.media(["a.ts", "b.ts"], tags: tag))
    }

    /// Whether the keys of two playlists on different hosts agree.
    private func agree(_ one: String?, _ other: String?) throws -> Bool {
        let (left, right) = (try playlist(one), try playlist(other))
        return ServedKeys.agree(
            left, at: "https://a.example/v/index.m3u8", right, at: "https://b.example/v/index.m3u8")
    }

    private func key(_ uri: String) -> String { "METHOD=AES-128,URI=\"\(uri)\"" }

    @Test("agree if their URIs are equal as written, or lead to the same place")
    func addresses() throws {
        #expect(try agree(key("one.key"), key("one.key")))
        #expect(try agree(key("one.key"), key("https://a.example/v/one.key")))
        #expect(try agree(key("https://b.example/v/one.key"), key("one.key")))
        #expect(try !agree(key("one.key"), key("https://b.example/v/one.key")))
        #expect(try !agree(key("one.key"), key("two.key")))
    }

    @Test("agree only with the same method and vector, or where neither has a key")
    func methods() throws {
        #expect(try agree(nil, nil))
        #expect(try !agree(key("k"), nil))
        #expect(try !agree(nil, key("k")))
        #expect(try !agree(key("k"), "METHOD=SAMPLE-AES,URI=\"k\""))
        #expect(try !agree(key("k") + ",IV=0x01", key("k") + ",IV=0x02"))
        #expect(try agree(key("k") + ",IV=0x01", key("k") + ",IV=0x01"))
    }

    @Test("are alike if they have the same names, on whatever host and with whatever token")
    func names() throws {
        func isAlike(_ one: String, _ other: String) throws -> Bool {
            let (left, right) = (try playlist(key(one)), try playlist(key(other)))
            return ServedKeys.isAlike(left, right)
        }
        #expect(try isAlike("https://a.example/x/one.key?t=1", "https://b.example/y/one.key?t=2"))
        #expect(try !isAlike("https://a.example/x/one.key", "https://a.example/x/two.key"))
    }
}
