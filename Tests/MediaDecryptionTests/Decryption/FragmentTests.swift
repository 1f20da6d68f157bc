import StoreTestSupport
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("Fragments of Common Encryption")
struct FragmentTests {
    private static let keys = [[UInt8](0..<16), [UInt8](50..<66)]
    private static let identifiers = keys.map { $0.map { $0 ^ 0x55 } }

    private func reader(_ scheme: TrackEncryption.Scheme, skip: Int = 0) -> FragmentReader {
        let sample = FragmentMaker.encryption(scheme, skip: skip, Self.identifiers[0])
        return FragmentReader(tracks: [1: TrackEncryption(entries: [sample])]) {
            identifier throws(StoreError) in
            guard let number = Self.identifiers.firstIndex(of: identifier) else {
                throw StoreError(.key(.missing))
            }
            return try ContentCipher(Self.keys[number])
        }
    }

    private func maker(_ scheme: TrackEncryption.Scheme, skip: Int = 0) throws -> FragmentMaker {
        FragmentMaker(scheme: scheme, skip: skip, ciphers: try Self.keys.map { try ContentCipher($0) })
    }

    @Test(
        "are decrypted from any byte on, by every scheme",
        arguments: [.cenc, .cens, .cbc1, .cbcs] as [TrackEncryption.Scheme])
    func schemes(scheme: TrackEncryption.Scheme) throws {
        let skip = scheme == .cens || scheme == .cbcs ? 9 : 0
        let (encrypted, clear) = try maker(scheme, skip: skip).fragment()
        var reader = reader(scheme, skip: skip)
        #expect(try reader.all(of: encrypted) == clear)
        for start in stride(from: 0, to: encrypted.count, by: 61) {
            #expect(
                try reader.all(of: encrypted, from: start, in: 333) == Array(clear.dropFirst(start)),
                "\(start)")
        }
    }

    @Test("come while they arrive", arguments: [.cenc, .cbcs] as [TrackEncryption.Scheme])
    func arriving(scheme: TrackEncryption.Scheme) throws {
        let skip = scheme == .cbcs ? 1 : 0
        let one = try maker(scheme, skip: skip).fragment()
        let source = EncryptedBytes(one.encrypted + one.encrypted, there: 0, isLengthKnown: false)
        var reader = reader(scheme, skip: skip)
        #expect(try reader.all(of: source, step: 13) == one.clear + one.clear)
    }

    @Test("have their vectors at the offsets of saio, without senc")
    func auxiliary() throws {
        var maker = try maker(.cenc)
        maker.usesAuxiliaryBoxes = true
        let (encrypted, clear) = try maker.fragment()
        var reader = reader(.cenc)
        #expect(try reader.all(of: encrypted) == clear)
    }

    @Test("begin at the end of the track before if the track has no base for its offsets")
    func bases() throws {
        var maker = try maker(.cenc)
        maker.bytesOfTrackBefore = 77
        let (encrypted, clear) = try maker.fragment()
        #expect(encrypted != clear)
        var reader = reader(.cenc)
        #expect(try reader.all(of: encrypted) == clear)
    }

    @Test("change their key in the middle, by sample groups")
    func rotation() throws {
        var maker = try maker(.cenc)
        maker.secondKey = Self.identifiers[1]
        let (encrypted, clear) = try maker.fragment()
        var reader = reader(.cenc)
        #expect(try reader.all(of: encrypted) == clear)
    }

    @Test("give an error instead of encrypted bytes if their initialization vectors are missing")
    func noVectors() throws {
        var maker = try maker(.cenc)
        maker.tellsVectors = false
        let encrypted = try maker.fragment().encrypted
        var reader = reader(.cenc)
        #expect(throws: StoreError.self) { try reader.all(of: encrypted) }
    }
}

/// Makes a fragment of one track, in the clear and encrypted.
struct FragmentMaker {
    var scheme: TrackEncryption.Scheme
    var skip: Int
    var ciphers: [ContentCipher]
    /// The identifier of the key of the second half.
    var secondKey: [UInt8]?
    var usesAuxiliaryBoxes = false
    var tellsVectors = true
    var track = 1
    /// Bytes of the one sample of a track before it, which is not encrypted; then neither says what its offsets count from.
    var bytesOfTrackBefore = 0
    /// The number of the sample entry that is named.
    var entry: Int?
    /// In each sample: clear and encrypted bytes of its two subsamples.
    private static let subsamples = [(5, 320), (9, 201)]
    private static let count = 6
    private static var size: Int { subsamples.reduce(0) { $0 + $1.0 + $1.1 } }

    static func encryption(
        _ scheme: TrackEncryption.Scheme, skip: Int, _ identifier: [UInt8]
    ) -> SampleEncryption {
        SampleEncryption(
            scheme: scheme, cryptBlocks: skip == 0 ? 0 : 1, skipBlocks: skip, ivSize: 16, keyID: identifier,
            constantIV: [])
    }

    func fragment() throws -> (encrypted: [UInt8], clear: [UInt8]) {
        let samples = (0..<Self.count).map { OriginResource.pattern(Self.size, seed: UInt64($0)) }
        let hidden = try samples.enumerated().map { try encrypted($1, number: $0) }
        let head = moof(names: auxiliaryNames)
        let free = moof(names: auxiliaryNames.map { $0 == "skip" ? $0 : "free" })
        let before = [UInt8](repeating: 0xBB, count: bytesOfTrackBefore)
        let media = Self.box("mdat", before + samples.flatMap(\.self))
        let start = Self.box("styp", [1, 2, 3, 4])
        return (start + head + Self.box("mdat", before + hidden.flatMap(\.self)), start + free + media)
    }

    private var auxiliaryNames: [String] {
        tellsVectors
            ? usesAuxiliaryBoxes ? ["skip", "saiz", "saio"] : ["senc", "skip", "skip"]
            : ["skip", "skip", "skip"]
    }

    private func iv(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number + 1), count: 16) }

    private func encrypted(_ sample: [UInt8], number: Int) throws -> [UInt8] {
        let cipher = ciphers[secondKey != nil && number >= Self.count / 2 ? 1 : 0]
        var (bytes, start, stream) = (sample, 0, [Range<Int>]())
        var groups: [[Range<Int>]] = []
        for (clear, hidden) in Self.subsamples {
            let range = start + clear..<start + clear + hidden
            let places = scheme == .cenc ? [range] : BlockPattern.places(range, crypt: 1, skip: skip)
            if scheme == .cbcs { groups.append(places) } else { stream += places }
            start = range.upperBound
        }
        for places in scheme == .cbcs ? groups : [stream] {
            let joined = BlockPattern.joined(sample, places)
            let hidden =
                try scheme.isChained
                ? cipher.chained(joined, iv: iv(number)) : cipher.stream(joined[...], iv: iv(number))
            BlockPattern.scatter(hidden, over: places, in: &bytes)
        }
        return bytes
    }

    private func moof(names: [String]) -> [UInt8] {
        let vectors = { number in
            iv(number) + Self.number(2, 2)
                + Self.subsamples.flatMap { Self.number($0.0, 2) + Self.number($0.1, 4) }
        }
        let entries = (0..<Self.count).flatMap(vectors)
        let groups = secondKey.map { key in
            Self.box(
                "sgpd",
                [1, 0, 0, 0] + Array("seig".utf8) + Self.number(20, 4) + Self.number(1, 4) + [0, 0, 1, 16]
                    + key)
                + Self.box(
                    "sbgp",
                    Self.number(0, 4) + Array("seig".utf8) + Self.number(2, 4)
                        + Self.number(3, 4) + Self.number(0, 4) + Self.number(3, 4) + Self.number(0x10001, 4))
        }
        let named = entry.map { Self.number($0, 4) } ?? []
        let flags = (named.isEmpty ? 0 : 2) | (bytesOfTrackBefore > 0 ? 0 : 0x20000)
        let table = Self.box("tfhd", Self.number(flags, 4) + Self.number(track, 4) + named)
        let rest = Self.box(names[0], Self.number(2, 4) + Self.number(Self.count, 4) + entries)
        let sizes = Self.box(
            names[1], Self.number(0, 4) + [UInt8(vectors(0).count)] + Self.number(Self.count, 4))
        func box(_ offset: Int, _ place: Int) -> [UInt8] {
            let run = Self.box(
                "trun",
                Self.number(0x201, 4) + Self.number(Self.count, 4)
                    + Self.number(bytesOfTrackBefore > 0 ? 0 : offset, 4)
                    + (0..<Self.count).flatMap { _ in Self.number(Self.size, 4) })
            let places = Self.box(names[2], Self.number(0, 4) + Self.number(1, 4) + Self.number(place, 4))
            let own = Self.box("traf", table + run + rest + sizes + places + (groups ?? []))
            return Self.box("moof", trackBefore(offset) + own)
        }
        let length = box(0, 0).count
        // The entries lie behind the headers of moof, traf, tfhd, trun and senc.
        return box(length + 8, 8 + 8 + table.count + 20 + 4 * Self.count + 16)
    }

    private func trackBefore(_ offset: Int) -> [UInt8] {
        guard bytesOfTrackBefore > 0 else { return [] }
        let run = [1, offset, bytesOfTrackBefore].flatMap { Self.number($0, 4) }
        return Self.box(
            "traf",
            Self.box("tfhd", Self.number(0, 4) + Self.number(9, 4))
                + Self.box("trun", Self.number(0x201, 4) + run))
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] { ProtectedMovie.number(value, count) }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        ProtectedMovie.box(type, content)
    }
}
