import Testing

@testable import MediaContainers

@Suite("Numbers of any width")
struct BitTests {
    @Test("are read up to the last bit, and read as zero beyond it")
    func borders() {
        for width in 0...16 {
            var reader = BitReader([0xA5, 0xC3])
            #expect(reader.bits(width) == 0xA5C3 >> (16 - width) && !reader.isOverrun)
            #expect(reader.bitsLeft == 16 - width)
            #expect(reader.bits(16 - width) == 0xA5C3 & (1 << (16 - width) - 1) && !reader.isOverrun)
            #expect(reader.bits(0) == 0 && !reader.isOverrun)
            #expect(reader.bits(1) == 0 && reader.isOverrun)
        }
        var wide = BitReader([1, 2, 3, 4, 5])
        #expect(wide.bits(32) == 0x0102_0304 && wide.bits(9) == 0 && wide.isOverrun && wide.bitsLeft == 0)
    }

    @Test("are passed over up to the last bit, and to the next whole byte")
    func skipping() {
        var reader = BitReader([0xFF, 0x81])
        reader.align()
        #expect(reader.position == 0)
        reader.skip(1)
        reader.align()
        #expect(reader.position == 8)
        reader.skip(7)
        #expect(reader.flag() && !reader.isOverrun)
        reader.align()
        reader.skip(0)
        #expect(!reader.isOverrun)
        reader.skip(1)
        #expect(reader.isOverrun)
        var back = BitReader([0xFF])
        back.skip(-1)
        #expect(back.isOverrun)
    }

    /// A number in the code of Exponential-Golomb.
    private func code(_ number: Int) -> [UInt8] {
        var bits = BitWriter()
        let width = Int.bitWidth - (number + 1).leadingZeroBitCount
        for _ in 1..<width { bits.put(0, 1) }
        bits.put(number + 1, width)
        return bits.bytes
    }

    @Test(
        "are Exponential-Golomb codes of up to 32 zeros",
        arguments: [0, 1, 2, 3, 6, 7, 254, 255, 65_535, 1 << 32 - 2])
    func golomb(number: Int) {
        var reader = BitReader(code(number))
        #expect(reader.ue() == number && !reader.isOverrun)
        var signed = BitReader(code(number))
        #expect(signed.se() == (number % 2 == 1 ? (number + 1) / 2 : -number / 2))
    }

    @Test("are refused if a code is cut or has too many zeros")
    func broken() {
        for bytes in [[], [0], [0, 1], [UInt8](repeating: 0, count: 20)] {
            var reader = BitReader(bytes)
            _ = reader.ue()
            #expect(reader.isOverrun)
        }
        var long = BitReader([0, 0, 0, 0, 0x40] + [UInt8](repeating: 0xFF, count: 9))
        #expect(long.ue() == 0 && long.isOverrun)
    }
}

@Suite("Slices that follow one another")
struct SliceRelationTests {
    private func slice(_ change: (inout Slice) -> Void = { _ in }) -> Slice {
        var slice = Slice()
        (slice.address, slice.frame, slice.parameters) = (5, 3, 1)
        change(&slice)
        return slice
    }

    @Test("are of one picture when only the place in it is another, and that is further on")
    func pictures() {
        let last = slice()
        #expect(slice { $0.address = 6 }.relation(to: last) == .samePicture)
        #expect(slice().relation(to: last) == .newPicture)
        #expect(slice { $0.address = 4 }.relation(to: last) == .newPicture)
        for change: (inout Slice) -> Void in [
            { $0.frame = 4 }, { $0.frame = nil }, { $0.parameters = 2 }, { $0.isField = true },
            { $0.isBottom = true },
        ] {
            var other = slice { $0.address = 6 }
            change(&other)
            #expect(other.relation(to: last) == .newPicture)
        }
    }

    @Test("are of the other field when both are fields of one frame")
    func fields() {
        let top = slice { $0.isField = true }
        let bottom = slice { ($0.isField, $0.isBottom) = (true, true) }
        #expect(bottom.relation(to: top) == .secondField && top.relation(to: bottom) == .secondField)
        #expect(top.relation(to: top) == .newPicture)
        var other = bottom
        other.frame = 4
        #expect(other.relation(to: top) == .newPicture)
        #expect(slice { $0.isBottom = true }.relation(to: top) == .newPicture)
        #expect(bottom.relation(to: slice()) == .newPicture)
    }

    @Test("say themselves whether they are the first, in H.265")
    func told() {
        #expect(slice { $0.isFirst = true }.relation(to: slice { $0.address = 0 }) == .newPicture)
        #expect(slice { ($0.isFirst, $0.frame) = (false, 9) }.relation(to: slice()) == .samePicture)
    }
}
