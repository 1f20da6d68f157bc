import ModelTestSupport
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("How tracks say that they are encrypted")
struct SchemeTests {
    private static let keys = [[UInt8](0..<16), [UInt8](50..<66)]
    private static let identifiers = keys.map { $0.map { $0 ^ 0x55 } }

    private func protection(_ scheme: String, _ key: Int = 0) -> [UInt8] {
        ProtectedMovie.protection(scheme, Self.identifiers[key])
    }

    private func reader(_ movie: [UInt8], knowing keys: Range<Int> = 0..<2) throws -> FragmentReader {
        let tracks = try TrackEncryption.tracks(ofInitialization: movie)
        return FragmentReader(tracks: tracks) { identifier throws(StoreError) in
            guard let number = Self.identifiers.firstIndex(of: identifier), keys.contains(number) else {
                throw StoreError(.key(.missing))
            }
            return try ContentCipher(Self.keys[number])
        }
    }

    @Test(
        "media of an unknown scheme are refused with the name of the scheme",
        arguments: ["piff", "c\u{1}\"x"])
    func unknown(scheme: String) async {
        let movie = ProtectedMovie.initialization([[ProtectedMovie.entry(protection(scheme))]])
        let error = await failure { _ = try TrackEncryption.tracks(ofInitialization: movie) }
        let name = scheme.replacing("\u{1}", with: "?")
        #expect(error?.message.contains("encrypted by \(name), which can't be decrypted here") == true)
        #expect(error?.isRetryable == false)
    }

    @Test("encrypted media without a scheme are refused, too")
    func unsaid() async {
        for entry in [ProtectedMovie.entry(), ProtectedMovie.box("enct", ProtectedMovie.number(0, 8))] {
            let movie = ProtectedMovie.initialization([[entry]])
            let error = await failure { _ = try TrackEncryption.tracks(ofInitialization: movie) }
            #expect(error?.text == "integrity(.scheme(\"\"))")
        }
    }

    @Test("of several descriptions of the same samples, the known one is used")
    func alternatives() throws {
        let entry = ProtectedMovie.entry(protection("piff"), protection("cbcs", 1))
        let movie = ProtectedMovie.initialization([[entry]])
        let track = try #require(try TrackEncryption.tracks(ofInitialization: movie)[1])
        #expect(track.scheme == .cbcs && track.keyIDs == [Self.identifiers[1]])
        let clear = TrackEncryption.clear(initialization: movie)
        let text = String(decoding: clear, as: UTF8.self)
        #expect(clear.count == movie.count && !text.contains("sinf") && !text.contains("encv"))
        #expect(try TrackEncryption.tracks(ofInitialization: clear).isEmpty)
    }

    @Test("each track is decrypted by its own scheme and key")
    func tracks() throws {
        let movie = ProtectedMovie.initialization([
            [ProtectedMovie.entry(protection("cenc"))], [ProtectedMovie.entry(protection("cbcs", 1))],
        ])
        let first = FragmentMaker(scheme: .cenc, skip: 0, ciphers: [try ContentCipher(Self.keys[0])])
        var second = FragmentMaker(scheme: .cbcs, skip: 0, ciphers: [try ContentCipher(Self.keys[1])])
        second.track = 2
        let parts = try [first.fragment(), second.fragment()]
        var reader = try reader(movie)
        try reader.prepare()
        #expect(try reader.all(of: parts.flatMap(\.encrypted)) == parts.flatMap(\.clear))
    }

    @Test("a fragment's samples are decrypted as the sample entry says that it names")
    func entries() throws {
        let movie = ProtectedMovie.initialization([
            [ProtectedMovie.entry(protection("cbcs")), ProtectedMovie.entry(protection("cenc", 1))]
        ])
        var maker = FragmentMaker(scheme: .cenc, skip: 0, ciphers: [try ContentCipher(Self.keys[1])])
        maker.entry = 2
        let (encrypted, clear) = try maker.fragment()
        var second = try reader(movie)
        #expect(try second.all(of: encrypted) == clear)
        maker.entry = 3
        let stray = try maker.fragment().encrypted
        #expect(throws: StoreError.self) { try second.all(of: stray) }
    }

    @Test("a track without any of its keys is known before its first byte goes out")
    func missingKey() async throws {
        let movie = ProtectedMovie.initialization([
            [ProtectedMovie.entry(protection("cenc"))], [ProtectedMovie.entry(protection("cenc", 1))],
        ])
        var reader = try reader(movie, knowing: 0..<1)
        #expect(await failure { try reader.prepare() }?.text == "key(.missing)")
    }
}
