import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("The secrets of an address")
struct AddressSealerTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func sealer(_ name: String = "store.key") throws -> AddressSealer {
        AddressSealer(try KeyVault(FilePath(folder.file(name)), environment: [:]))
    }

    @Test("are sealed with the same text each time, and opened again by the store's key alone")
    func roundTrip() throws {
        let sealer = try sealer()
        let address = "https://user:pass@h.example/a/b.ts?sig=1#f"
        let sealed = sealer.seal(address)
        #expect(sealed.hasPrefix("https://~sealed.") && sealed.hasSuffix("#f"))
        #expect(!sealed.contains("pass") && !sealed.contains("sig=1"))
        #expect(sealer.seal(address) == sealed && sealer.seal(sealed) == sealed)
        #expect(sealer.open(sealed) == address && sealer.open(sealed) == address)
        #expect(try self.sealer().open(sealed) == address)
        #expect(try self.sealer("other.key").open(sealed) == sealed)
    }

    @Test("are none in an address without user and query, which stays as it is")
    func none() throws {
        let sealer = try sealer()
        for address in ["https://h/a~b.ts", "", "s0.ts", "https://h/a@b?", "~", "~sealed.", "x~sealed.AAAA~"]
        {
            #expect(sealer.seal(address) == address)
            #expect(sealer.open(address) == address)
        }
    }

    @Test("are opened beside tildes, and beside text that another store has sealed")
    func beside() throws {
        let sealer = try sealer()
        let foreign = try self.sealer("other.key").seal("https://h/a?sig=2")
        let own = sealer.seal("https://h/b?sig=1")
        #expect(sealer.open("~ \(foreign) ~~ \(own) ~") == "~ \(foreign) ~~ https://h/b?sig=1 ~")
        // An end that fits no whole number of bytes, and one that was cut off.
        #expect(sealer.open(String(own.dropLast())) == String(own.dropLast()))
    }

    @Test("of every length are opened again, however many have been sealed since")
    func lengths() throws {
        let sealer = try sealer()
        let addresses = (1...200).map { "https://h/a?" + String(repeating: "s", count: $0) }
        let sealed = addresses.map { sealer.seal($0) }
        #expect(Set(sealed).count == 200)
        #expect(sealed.map { sealer.open($0) } == addresses)
        #expect(addresses.map { sealer.seal($0) } == sealed)
    }

    @Test("in a playlist and in attributes are sealed, and nothing else there")
    func playlists() throws {
        let sealer = try sealer()
        let plain =
            "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k?sig=1\"\n#EXTINF:4,\nhttps://h/s.ts?sig=2\ns1.ts\n"
        let sealed = sealer.seal(playlist: Array(plain.utf8))
        let text = String(decoding: sealed, as: UTF8.self)
        #expect(
            !text.contains("sig=") && text.hasPrefix("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k?~sealed."))
        #expect(text.hasSuffix("\ns1.ts\n"))
        #expect(sealer.open(playlist: sealed) == Array(plain.utf8))
        let clear = Array("#EXTM3U\n#EXTINF:4,\na~b.ts\n".utf8)
        #expect(sealer.seal(playlist: clear) == clear && sealer.open(playlist: clear) == clear)
        let attributes = sealer.seal(attributes: "METHOD=AES-128,URI=\"k?sig=1\"")
        #expect(attributes.hasPrefix("METHOD=AES-128,URI=\"k?~sealed.") && attributes.hasSuffix("\""))
        #expect(sealer.seal(attributes: "METHOD=NONE") == "METHOD=NONE")
    }
}
