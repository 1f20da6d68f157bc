import Locking
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreFiles
@testable import StoreModel

/// Bytes of a file, and units that are encrypted as a whole.
private struct Ciphertext {
    static let iv = OriginResource.pattern(16, seed: 152)
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    func cipher() throws -> WholeSegmentCipher {
        WholeSegmentCipher(
            cipher: try ContentCipher(OriginResource.pattern(16, seed: 151)), iv: Self.iv)
    }

    func file(_ bytes: [UInt8]) throws -> FileBytes {
        FileBytes(file: try OpenedFile(FilePath(try folder.write(bytes, to: "unit"))))
    }

    /// Bytes as METHOD=AES-128 encrypts them, with their padding.
    func sealed(_ bytes: [UInt8]) throws -> [UInt8] { try cipher().cipher.segment(bytes, iv: Self.iv) }

    /// Whole blocks without more padding.
    func blocks(_ bytes: [UInt8]) throws -> [UInt8] { try cipher().cipher.chained(bytes, iv: Self.iv) }
}

@Suite("A unit by its bytes")
struct UnitVerdictTests {
    private let ciphertext: Ciphertext

    init() throws { ciphertext = try Ciphertext() }

    private func inspector(
        _ encryption: UnitEncryption, _ kind: UnitKind = .segment, hasKey: Bool = false
    ) throws -> UnitInspector {
        let rendition = RenditionRecord(
            id: 5, name: "v0", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .ts, duration: 8, segments: 2)
        let unit = UnitRecord(
            kind: kind, number: 0, start: 0, duration: 4, url: "s.ts", encryption: encryption)
        let cipher = try hasKey ? ciphertext.cipher() : nil
        return UnitInspector(UnitJob(unit: unit, rendition: rendition), cipher: cipher)
    }

    private func word(_ verdict: UnitInspector.Verdict) -> String {
        switch verdict {
        case .sound(let finding): "sound \(finding)"
        case .doubtful(let problem, let finding): "doubtful \(problem) \(finding)"
        case .bad(.undecodable): "undecodable"
        case .bad(let problem): "bad \(problem)"
        }
    }

    @Test(
        "is judged by its length without a key; a message in place of it has a block at least",
        arguments: [
            // Nothing came.
            (.none, [], "undecodable"), (.blocks, [], "undecodable"), (.other, [], "undecodable"),
            // 15 bytes, 16 and 17.
            (.blocks, Array("Forbidden by la".utf8), "bad text"),
            (.blocks, OriginResource.pattern(15, seed: 153), "bad cutOff"),
            (.blocks, OriginResource.pattern(16, seed: 153), "sound sealed"),
            (.blocks, OriginResource.pattern(17, seed: 153), "doubtful cutOff sealed"),
            (.other, Array("Forbidden by la".utf8), "sound sealed"),
            (.other, Array("Forbidden by law".utf8), "bad text"),
            (.other, OriginResource.pattern(1, seed: 153), "sound sealed"),
            (.other, OriginResource.pattern(17, seed: 153), "sound sealed"),
        ] as [(UnitEncryption, [UInt8], String)])
    func lengths(encryption: UnitEncryption, bytes: [UInt8], verdict: String) throws {
        let found = try inspector(encryption).verdict(of: try ciphertext.file(bytes))
        #expect(word(found) == verdict)
    }

    @Test("gives an outline for the units after it, in the clear if its key is there")
    func outlines() throws {
        let section = SampleMedia.movie([(1, "vide", SampleMedia.avcEntry())])
        let sealed = try ciphertext.sealed(section)
        let cases =
            [
                (.none, false, section, true), (.none, false, sealed, false), (.blocks, true, sealed, true),
                (.blocks, true, section, false), (.blocks, false, sealed, false),
                (.blocks, false, section, false), (.blocks, true, Array(sealed.prefix(15)), false),
                (.blocks, true, Array(sealed.prefix(16)), false), (.blocks, true, [], false),
            ] as [(UnitEncryption, Bool, [UInt8], Bool)]
        for (number, (encryption, hasKey, bytes, hasOutline)) in cases.enumerated() {
            let inspector = try inspector(encryption, .initialization, hasKey: hasKey)
            let outline = try inspector.outline(of: try ciphertext.file(bytes))
            #expect((outline != nil) == hasOutline, "\(number)")
        }
    }

    @Test("is noted for the units after it if it is an initialization section")
    func notes() throws {
        let section = SampleMedia.movie([(1, "vide", SampleMedia.avcEntry())])
        let cases =
            [
                (.initialization, section, "sound mp4", 1),
                (.segment, Media.ts(10), "sound transportStream", 0),
            ] as [(UnitKind, [UInt8], String, Int)]
        for (kind, bytes, verdict, count) in cases {
            for encryption in [UnitEncryption.none, .blocks] {
                let noted = Lock(0)
                var inspector = try inspector(encryption, kind, hasKey: true)
                inspector.noteOutline = { _ in noted.withLock { $0 += 1 } }
                let stored = encryption == .none ? bytes : try ciphertext.sealed(bytes)
                let found = try inspector.verdict(of: try ciphertext.file(stored))
                #expect(word(found) == verdict && noted.withLock(\.self) == count)
            }
        }
    }
}

@Suite("The clear bytes of a unit that is encrypted as a whole")
struct ClearBytesTests {
    private let ciphertext: Ciphertext

    init() throws { ciphertext = try Ciphertext() }

    private func clear(_ bytes: [UInt8]) throws -> ClearBytes<FileBytes> {
        try ClearBytes(try ciphertext.file(bytes), try ciphertext.cipher())
    }

    @Test("end before its padding", arguments: [0, 1, 15, 16, 17, 100])
    func whole(count: Int) throws {
        let bytes = OriginResource.pattern(count, seed: 154)
        let clear = try clear(try ciphertext.sealed(bytes))
        #expect(clear.isPadded && clear.count == count)
        for offset in [0, 1, 15, 16, 17, 99, 100] {
            #expect(try clear.read(at: offset, count: 1000) == Array(bytes.dropFirst(offset)))
            #expect(try clear.read(at: offset, count: 3) == Array(bytes.dropFirst(offset).prefix(3)))
        }
        #expect(try clear.read(at: -1, count: 3).isEmpty)
    }

    @Test(
        "have all blocks where the padding makes no sense",
        arguments: [[0], [1, 0], [17], [2, 3, 3], [1, 2], [3, 2, 3], [9, 4, 4, 4], [255]] as [[UInt8]])
    func malformed(end: [UInt8]) throws {
        let bytes = OriginResource.pattern(47 - end.count, seed: 155) + [200] + end
        let clear = try clear(try ciphertext.blocks(bytes))
        #expect(!clear.isPadded && clear.count == 48)
        #expect(try clear.read(at: 0, count: 99) == bytes)
        let filled = OriginResource.pattern(32, seed: 156) + [UInt8](repeating: 17, count: 16)
        let other = try self.clear(try ciphertext.blocks(filled))
        #expect(!other.isPadded && other.count == 48)
    }

    @Test("are those of whole blocks: what was cut off has no padding", arguments: [1, 15])
    func cut(count: Int) throws {
        let bytes = OriginResource.pattern(40, seed: 157)
        let sealed = try ciphertext.sealed(bytes)
        let clear = try clear(sealed + OriginResource.pattern(count, seed: 158))
        #expect(!clear.isPadded && clear.count == 48)
        #expect(try clear.read(at: 0, count: 99) == bytes + [UInt8](repeating: 8, count: 8))
    }
}
