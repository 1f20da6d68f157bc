import Testing

@testable import MediaContainers

@Suite("Sections of a table in packets")
struct SectionAssemblerTests {
    /// A section of the long form with some bytes of content, in force or not yet.
    private func section(_ content: [UInt8], isCurrent: Bool = true) -> [UInt8] {
        let length = 5 + content.count + 4
        let head: [UInt8] = [
            2, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF), 0, 1, isCurrent ? 0xC1 : 0xC0, 0, 0,
        ]
        let sum = CRC32.mpeg(head + content)
        return head + content + [
            UInt8(sum >> 24), UInt8(sum >> 16 & 0xFF), UInt8(sum >> 8 & 0xFF), UInt8(sum & 0xFF),
        ]
    }

    private let stuffing = [UInt8](repeating: 0xFF, count: 9)

    @Test("are taken whole, each once as long as it is only repeated")
    func whole() {
        var assembler = SectionAssembler()
        let (one, two) = (section([1, 2, 3, 4]), section([5]))
        #expect(assembler.take(([0] + one + stuffing)[...], begins: true) == [one])
        #expect(assembler.take(([0] + one + stuffing)[...], begins: true) == [])
        #expect(assembler.take(([0] + two + one + stuffing)[...], begins: true) == [two, one])
        #expect(assembler.take(one[...], begins: false) == [] && assembler.take([], begins: true) == [])
    }

    @Test("continue in the next packets, and end where another section begins")
    func parts() {
        var assembler = SectionAssembler()
        let (one, two) = (section([UInt8](repeating: 7, count: 300)), section([8, 9]))
        #expect(assembler.take(([0] + one.prefix(100))[...], begins: true) == [])
        #expect(assembler.take(one[100..<200], begins: false) == [])
        let rest = Array(one[200...])
        #expect(assembler.take(([UInt8(rest.count)] + rest + two.prefix(5))[...], begins: true) == [one])
        #expect(assembler.take((two.dropFirst(5) + stuffing)[...], begins: false) == [two])
    }

    @Test("without their beginning are skipped to the next section")
    func tornOff() {
        var assembler = SectionAssembler()
        let one = section([1])
        #expect(assembler.take(one[4...], begins: false) == [])
        #expect(assembler.take(([3, 9, 9, 9] + one + stuffing)[...], begins: true) == [one])
        var cut = SectionAssembler()
        #expect(cut.take(([0] + section([2]).prefix(6))[...], begins: true) == [])
        // The rest of it got lost: another one begins at once.
        #expect(cut.take(([0] + one + stuffing)[...], begins: true) == [one])
    }

    @Test("that are damaged or not yet valid are ignored")
    func unfit() {
        var assembler = SectionAssembler()
        var broken = section([1, 2, 3])
        broken[9] ^= 1
        #expect(assembler.take(([0] + broken + stuffing)[...], begins: true) == [])
        #expect(assembler.take(([0] + section([1], isCurrent: false) + stuffing)[...], begins: true) == [])
        let short: [UInt8] = [2, 0xB0, 4, 0, 0, 0xC1, 0]
        #expect(assembler.take(([0] + short + section([1]) + stuffing)[...], begins: true) == [section([1])])
    }
}
