import TestSupport
import Testing

@testable import MediaContainers

@Suite("Parameter sets of a sample entry")
struct ParameterSetTests {
    private func entry(_ name: String, _ configuration: [UInt8]) -> [UInt8] {
        SampleMedia.box("avc1", [UInt8](repeating: 0, count: 78) + SampleMedia.box(name, configuration))
    }

    private func unit(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    /// Sets of H.264 with the numbers 0 and 1: the number of a sequence stands behind three bytes.
    private let sequences: [[UInt8]] = [[0x67, 66, 0, 30, 0x80], [0x67, 66, 0, 30, 0x40]]
    private let pictures: [[UInt8]] = [[0x68, 0x80], [0x68, 0x40, 7]]

    @Test("are those of its configuration, of H.264")
    func avc() throws {
        let content = [1, 66, 0, 30, 0xFF, 0xE2] + sequences.flatMap(unit) + [2] + pictures.flatMap(unit)
        let sets = try #require(ParameterSets(entry: entry("avcC", content)))
        #expect(sets.list(7) == sequences && sets.list(8) == pictures)
        #expect(sets.has(7) && sets.has(8) && !sets.has(9))
    }

    @Test("are as many as are whole, wherever the configuration ends")
    func cut() {
        let content = [1, 66, 0, 30, 0xFF, 0xE2] + sequences.flatMap(unit) + [2] + pictures.flatMap(unit)
        // A set is there from its last byte on.
        let ends = [6 + 7: 1, 6 + 14: 2, 6 + 14 + 1 + 4: 3, 6 + 14 + 1 + 4 + 5: 4]
        for count in 0...content.count {
            let sets = ParameterSets(entry: entry("avcC", Array(content.prefix(count))))
            let whole = ends.filter { $0.key <= count }.values.max() ?? 0
            #expect(sets?.sets.count ?? 0 == whole, "\(count) bytes")
        }
    }

    /// A set of H.265 of video, sequence or picture, with a number that its content tells at once.
    private func hevc(_ type: UInt8, _ bits: [(Int, Int)]) -> [UInt8] {
        var writer = BitWriter()
        for (value, count) in bits { writer.put(value, count) }
        return [type << 1, 1] + writer.bytes + [0x80]
    }

    @Test("are those of its configuration, of H.265, wherever that ends")
    func hevc() {
        let sequence = [(0, 4), (0, 3), (1, 1)] + (0..<12).map { _ in (0x55, 8) } + [(1, 1)]
        let units = [hevc(32, [(3, 4), (0, 4)]), hevc(33, sequence), hevc(34, [(1, 1)]), hevc(34, [(2, 3)])]
        let arrays: [[[UInt8]]] = [[units[0]], [units[1]], [units[2], units[3]]]
        var content = [UInt8](repeating: 0, count: 22) + [3]
        var ends: [Int: Int] = [:]
        for (index, array) in arrays.enumerated() {
            content += [UInt8(32 + index), 0, UInt8(array.count)]
            for set in array {
                content += unit(set)
                ends[content.count] = ends.count + 1
            }
        }
        for count in 0...content.count {
            let sets = ParameterSets(entry: entry("hvcC", Array(content.prefix(count))))
            #expect(
                sets?.sets.count ?? 0 == ends.filter { $0.key <= count }.values.max() ?? 0, "\(count) bytes")
        }
        let sets = ParameterSets(entry: entry("hvcC", content))
        #expect(
            sets?.sets.keys.sorted().map { [Int($0.type), $0.id] } == [
                [32, 3], [33, 0], [34, 0], [34, 1],
            ])
    }

    @Test("are missing without a configuration, or with an empty one")
    func none() {
        #expect(ParameterSets(entry: []) == nil && ParameterSets(entry: entry("free", [1, 2])) == nil)
        #expect(ParameterSets(entry: entry("avcC", [1, 66, 0, 30, 0xFF, 0xE0, 0])) == nil)
        #expect(ParameterSets(entry: entry("hvcC", [UInt8](repeating: 0, count: 23))) == nil)
    }

    @Test("replace the sets of the same number, and nothing else")
    func replaced() {
        var sets = ParameterSets()
        let (first, second) = (ParameterSets.Key(type: 7, id: 0), ParameterSets.Key(type: 8, id: 0))
        func take(_ key: ParameterSets.Key, _ unit: [UInt8]) -> Bool {
            sets.take(key, unit) { other, _ in other.type == 8 }
        }
        #expect(!take(first, [1]) && !take(second, [2]) && sets.sets.count == 2)
        #expect(!take(first, [1]) && sets.sets.count == 2, "the same again")
        #expect(take(first, [3]) && sets.list(7) == [[3]] && !sets.has(8))
    }

    @Test("have numbers up to 31 and 255 in H.264, and are refused without a number")
    func numbers() {
        func key(_ unit: [UInt8]) -> ParameterSets.Key? { AVCCodec.key(of: 0..<unit.count, in: unit) }
        func set(_ type: UInt8, _ number: Int) -> [UInt8] {
            var bits = BitWriter()
            let width = Int.bitWidth - (number + 1).leadingZeroBitCount
            if width > 1 { bits.put(0, width - 1) }
            bits.put(number + 1, width)
            return [type] + (type & 31 == 7 ? [66, 0, 30] : []) + bits.bytes
        }
        for number in [0, 1, 31] { #expect(key(set(0x67, number)) == .init(type: 7, id: number)) }
        for number in [0, 31, 32, 255] { #expect(key(set(0x68, number)) == .init(type: 8, id: number)) }
        #expect(key(set(0x67, 32)) == nil && key(set(0x68, 256)) == nil)
        #expect(
            key([0x67, 66, 0, 30]) == nil && key([0x67]) == nil && key([0x68]) == nil
                && key([0x68, 0]) == nil)
        #expect(key([0x66, 0x80]) == nil && key([0x69, 0x80]) == nil)
    }
}
