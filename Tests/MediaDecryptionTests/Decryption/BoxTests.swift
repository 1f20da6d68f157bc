import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

/// A big-endian number of so many bytes.
private func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(type.utf8) + content
}

@Suite("The boxes of a file")
struct MP4BoxTests {
    private func list(_ bytes: [UInt8]) -> [String] {
        MP4Box.list(bytes, in: 0..<bytes.count).map { "\($0.type) \($0.content)" }
    }

    @Test("are listed with their contents, of every way to tell a size")
    func sizes() {
        let long = number(1) + Array("mdat".utf8) + number(18, 8) + [1, 2]
        let open = number(0) + Array("free".utf8) + [9]
        #expect(list(box("moov", [5]) + long + open) == ["moov 8..<9", "mdat 25..<27", "free 35..<36"])
        #expect(list(box("free", [])) == ["free 8..<8"])
    }

    @Test("end where something is no box, or reaches beyond the end")
    func ends() {
        let first = box("free", [])
        #expect(list(first + number(7) + Array("bad ".utf8)) == ["free 8..<8"])
        #expect(list(first + number(9) + Array("bad ".utf8)) == ["free 8..<8"])
        #expect(list(first + number(8) + Array("go".utf8)) == ["free 8..<8"])
        let largest = number(1) + Array("mdat".utf8)
        #expect(list(first + largest + number(17, 8)) == ["free 8..<8"])
        #expect(list(first + largest + number(15, 8)) == ["free 8..<8"])
        #expect(list(first + largest + number(16, 8)) == ["free 8..<8", "mdat 24..<24"])
        #expect(list(first + largest + number(-1, 8)) == ["free 8..<8"])
        #expect(list([]) == [])
    }

    @Test("are found by the path to them, and can be given another type")
    func paths() throws {
        var bytes = box("free", []) + box("moov", box("trak", [1]) + box("trak", [2]))
        let found = try #require(MP4Box.find(["moov", "trak"], bytes, in: 0..<bytes.count))
        #expect(Array(bytes[found.content]) == [1])
        #expect(MP4Box.find(["moov", "mvex"], bytes, in: 0..<bytes.count) == nil)
        #expect(MP4Box.find([], bytes, in: 0..<bytes.count) == nil)
        found.rename(to: "skip", in: &bytes)
        #expect(
            MP4Box.find(["moov", "trak"], bytes, in: 0..<bytes.count).map { Array(bytes[$0.content]) } == [2])
    }
}

@Suite("Numbers one after the other")
struct ByteCursorTests {
    @Test("are read up to the last byte, and then there are none")
    func numbers() {
        var cursor = ByteCursor([0, 1, 2, 3, 4], 1..<4)
        #expect(cursor.number(2) == 0x0102 && cursor.number(1) == 3 && cursor.isValid)
        #expect(cursor.number(1) == 0 && !cursor.isValid)
        #expect([UInt8]([1, 2, 3]).number(at: 1, 2) == 0x0203 && [UInt8]([1, 2]).number(at: 1, 2) == 0)
        #expect([UInt8]([1, 2]).number(at: -1, 1) == 0)
    }

    @Test("may be passed over and taken as bytes, not beyond the end")
    func bytes() {
        var cursor = ByteCursor([0, 1, 2, 3], 0..<4)
        cursor.skip(1)
        #expect(cursor.take(2) == [1, 2] && cursor.isValid)
        cursor.skip(1)
        #expect(cursor.isValid && cursor.take(0) == [] && cursor.isValid)
        #expect(cursor.take(1) == [] && !cursor.isValid)
        var other = ByteCursor([0, 1], 0..<2)
        other.skip(3)
        #expect(!other.isValid && other.offset == 2)
        var odd = ByteCursor([0], 0..<1)
        #expect(odd.take(-1) == [] && !odd.isValid)
    }
}

@Suite("Sample groups that change the key")
struct SampleGroupTests {
    private let key = [UInt8](repeating: 7, count: 16)

    private func boxes(_ bytes: [UInt8]) -> [MP4Box] { MP4Box.list(bytes, in: 0..<bytes.count) }

    private func map(_ bytes: [UInt8]) -> [[Int]]? {
        SampleGroups.map(bytes, boxes(bytes))?.map { [$0.count, $0.index] }
    }

    private func descriptions(_ bytes: [UInt8]) -> [SampleEncryption] {
        SampleGroups.descriptions(bytes, boxes(bytes), scheme: .cbcs)
    }

    @Test("are mapped by runs of samples, of either version; other groups are passed over")
    func runs() {
        let type = Array("seig".utf8)
        let runs = number(2) + number(3) + number(1) + number(4) + number(0)
        #expect(map(box("sbgp", number(0) + type + runs)) == [[3, 1], [4, 0]])
        let roll = box("sbgp", number(0) + Array("roll".utf8) + number(0))
        #expect(map(roll + box("sbgp", [1, 0, 0, 0] + type + number(9) + runs)) == [[3, 1], [4, 0]])
        #expect(map(roll) == nil && map([]) == nil)
        #expect(map(box("sbgp", number(0) + type + number(1000))) == [])
    }

    @Test("are described like a track's key, each length said once or by each of them")
    func described() throws {
        let type = Array("seig".utf8)
        let one = [0, 0x19, 1, 8] + key
        let fixed = box("sgpd", [1, 0, 0, 0] + type + number(20) + number(2) + one + one)
        #expect(descriptions(fixed).count == 2)
        let found = try #require(descriptions(fixed).first)
        #expect(found.scheme == .cbcs && found.isProtected && found.cryptBlocks == 1 && found.skipBlocks == 9)
        #expect(found.ivSize == 8 && found.keyID == key && found.constantIV == [])
        let each = box(
            "sgpd", [1, 0, 0, 0] + type + number(0) + number(2) + number(20) + one + number(20) + one)
        #expect(descriptions(each) == descriptions(fixed))
        let third = box("sgpd", [2, 0, 0, 0] + type + number(20) + number(1) + number(1) + one)
        #expect(descriptions(third) == [found])
        #expect(descriptions(box("sgpd", number(0) + type + number(2) + one + one)) == [found, found])
        // The third one is not taken for the second.
        let wrong: [UInt8] = [0, 0x19, 1, 5] + key
        let list = box("sgpd", [1, 0, 0, 0] + type + number(20) + number(3) + one + wrong + one)
        #expect(descriptions(list) == [found])
    }

    @Test("that are cut off are those that are there; a list that its box can't hold has none")
    func cut() {
        let type = Array("seig".utf8)
        // With 16 bytes before them, and one run.
        func runs(saying count: Int) -> [UInt8] {
            box("sbgp", [1, 0, 0, 0] + type + number(9) + number(count) + number(3) + number(1))
        }
        #expect(map(runs(saying: 3)) == [[3, 1], [0, 0], [0, 0]] && map(runs(saying: 4)) == [])
        // With 12 bytes before them, and one description.
        func list(_ more: Int) -> [UInt8] {
            let one = [0, 0x19, 1, 8] + key
            return box("sgpd", number(0) + type + number(2) + one + one.prefix(more))
        }
        #expect(descriptions(list(8)).map(\.keyID) == [key] && descriptions(list(7)) == [])
        #expect(descriptions(list(20)).map(\.keyID) == [key, key])
    }

    @Test("have vectors of 8 or 16 bytes, or a constant one, and no others")
    func vectors() throws {
        let type = Array("seig".utf8)
        func described(_ size: UInt8, isProtected: UInt8 = 1, _ more: [UInt8] = []) -> SampleEncryption? {
            let one = [0, 0, isProtected, size] + key + more
            return descriptions(box("sgpd", [1, 0, 0, 0] + type + number(one.count) + number(1) + one)).first
        }
        #expect(described(8)?.ivSize == 8 && described(16)?.ivSize == 16)
        for size: UInt8 in [1, 7, 15, 17] { #expect(described(size) == nil) }
        #expect(described(0, isProtected: 1, [2, 5, 6])?.constantIV == [5, 6])
        #expect(described(0, isProtected: 1, [3, 5, 6]) == nil)
        let clear = try #require(described(0, isProtected: 0))
        #expect(!clear.isProtected && clear.constantIV == [])
        let short = box("sgpd", [1, 0, 0, 0] + type + number(20) + number(1) + [0, 0, 1, 8])
        #expect(descriptions(short) == [] && descriptions([]) == [])
    }
}

@Suite("A track's description of its encryption")
struct TrackDescriptionTests {
    private let key = [UInt8](repeating: 7, count: 16)

    private func described(
        _ size: UInt8, version: UInt8 = 1, isProtected: UInt8 = 1, _ more: [UInt8] = []
    ) -> SampleEncryption? {
        let bytes = box("tenc", [version, 0, 0, 0, 0, 0x19, isProtected, size] + key + more)
        return MP4Box.list(bytes, in: 0..<bytes.count).first.flatMap {
            SampleEncryption(bytes, $0, scheme: .cbcs)
        }
    }

    @Test("has a pattern since its version 1")
    func patterns() throws {
        let (old, new) = (try #require(described(8, version: 0)), try #require(described(8)))
        #expect(old.cryptBlocks == 0 && old.skipBlocks == 0 && new.cryptBlocks == 1 && new.skipBlocks == 9)
        #expect(new.scheme == .cbcs && new.isProtected && new.ivSize == 8 && new.keyID == key)
    }

    @Test("has vectors of 8 or 16 bytes, or a constant one, and no others")
    func vectors() throws {
        #expect(described(8)?.ivSize == 8 && described(16)?.ivSize == 16)
        for size: UInt8 in [1, 7, 9, 15, 17] { #expect(described(size) == nil) }
        #expect(described(0, [2, 5, 6])?.constantIV == [5, 6] && described(0, [3, 5, 6]) == nil)
        #expect(described(8, [2, 5, 6])?.constantIV == [])
        let clear = try #require(described(0, isProtected: 0))
        #expect(!clear.isProtected && clear.constantIV == [])
    }
}

@Suite("An encrypted stretch of a sample")
struct ProtectedPartTests {
    private func part(_ scheme: TrackEncryption.Scheme, crypt: Int, skip: Int, _ range: Range<Int>)
        -> ProtectedPart
    {
        ProtectedPart(
            range: range, iv: [1],
            sample: SampleEncryption(
                scheme: scheme, cryptBlocks: crypt, skipBlocks: skip, ivSize: 16, keyID: [], constantIV: []))
    }

    @Test("is decrypted from the beginning of a period on, and up to one or its end")
    func places() {
        let pattern = part(.cbcs, crypt: 1, skip: 9, 100..<500)
        #expect(pattern.start(before: 100) == 100 && pattern.start(before: 259) == 100)
        #expect(pattern.start(before: 260) == 260 && pattern.end(before: 499) == 420)
        #expect(pattern.end(before: 500) == 500 && pattern.end(before: 900) == 500)
        let whole = part(.cbc1, crypt: 0, skip: 0, 100..<500)
        #expect(whole.start(before: 117) == 116 && whole.end(before: 131) == 116)
    }

    @Test("repeats its pattern after all blocks of it, the encrypted and the clear ones")
    func patterns() {
        let several = part(.cbcs, crypt: 2, skip: 8, 100..<500)
        #expect(several.start(before: 259) == 100 && several.start(before: 260) == 260)
        #expect(several.end(before: 419) == 260 && several.end(before: 420) == 420)
        #expect(several.vector(at: 420) == 276)
    }

    /// The first block in the clear, where there are these bytes.
    private func clear(_ part: ProtectedPart, _ bytes: [UInt8], _ cipher: ContentCipher) throws -> [UInt8] {
        var clear = bytes
        try part.decrypt(0..<16, of: bytes, from: 0, into: &clear, cipher: cipher)
        return Array(clear.prefix(16))
    }

    @Test("is refused if the block that is its vector is not there")
    func reach() throws {
        let cipher = try ContentCipher(OriginResource.pattern(16, seed: 83))
        let bytes = OriginResource.pattern(64, seed: 84)
        var next = part(.cbc1, crypt: 0, skip: 0, 40..<56).following
        next.range = 0..<16
        let expected = try cipher.blocks(bytes[..<16], iv: Array(bytes[40..<56]))
        for count in [56, 57, 64] {
            #expect(try clear(next, Array(bytes.prefix(count)), cipher) == expected)
        }
        for count in [16, 40, 55] {
            #expect(throws: StoreError.self) { try clear(next, Array(bytes.prefix(count)), cipher) }
        }
    }

    @Test("has the block before it as its vector where blocks are chained, and else its sample's")
    func vectors() {
        #expect(part(.cenc, crypt: 0, skip: 0, 100..<500).vector(at: 200) == nil)
        let chained = part(.cbc1, crypt: 0, skip: 0, 100..<500)
        #expect(chained.vector(at: 100) == nil && chained.vector(at: 116) == 100)
        #expect(part(.cbcs, crypt: 2, skip: 8, 100..<500).vector(at: 260) == 116)
        var next = chained.following
        next.range = 600..<700
        #expect(next.vector(at: 600) == 484)
        var short = part(.cbc1, crypt: 0, skip: 0, 100..<110).following
        short.range = 600..<700
        #expect(short.vector(at: 600) == nil)
        #expect(part(.cbcs, crypt: 1, skip: 9, 100..<500).following.vector(at: 100) == nil)
    }
}
