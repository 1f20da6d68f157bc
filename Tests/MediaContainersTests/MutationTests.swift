import MediaContainers
import TestSupport
import Testing

/// What holds for any bytes.
struct MutationTests {
    /// Numbers that look random, the same in each run.
    private struct Chance {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, limit)
        }
    }

    private static func damaged(_ bytes: [UInt8], _ chance: inout Chance) -> [UInt8] {
        var bytes = bytes
        for _ in 0...chance.next(below: 4) {
            let place = chance.next(below: bytes.count)
            switch chance.next(below: 5) {
            case 0: bytes = Array(bytes.prefix(place))
            case 1: bytes = Array(bytes.dropFirst(place))
            case 2: bytes.insert(contentsOf: bytes.prefix(chance.next(below: 60)), at: place)
            case 3:
                let end = min(bytes.count, place + 4)
                bytes.replaceSubrange(place..<end, with: [0xFF, 0xFF, 0xFF, 0xFF].prefix(end - place))
            default: if !bytes.isEmpty { bytes[place] ^= UInt8(1 << chance.next(below: 8)) }
            }
        }
        return bytes
    }

    @Test("damaged media are judged without a trap, twice the same, in every role", arguments: Sample.all)
    func mutated(_ sample: Sample) {
        var chance = Chance(state: UInt64(sample.bytes.count))
        for _ in 0..<400 {
            let bytes = Self.damaged(sample.bytes, &chance)
            for role in [MediaExpectation.Role.segment, .initialization, .subtitles, .picture] {
                for mayEndInBox in [false, true] {
                    let verdict = look(bytes, role, mayEndInBox: mayEndInBox)
                    #expect(look(bytes, role, mayEndInBox: mayEndInBox) == verdict)
                }
            }
        }
    }

    @Test(
        "media behind a disguise are recognized, even if the disguise is damaged",
        arguments: SampleWrapping.all)
    func disguised(_ wrapping: SampleWrapping) {
        var chance = Chance(state: 7)
        let expectation = MediaExpectation(.segment)
        for _ in 0..<150 {
            let bytes = Self.damaged(wrapping.bytes + SampleMedia.transportStream(12), &chance)
            guard let found = Disguise.find(in: ArrayBytes(bytes), expecting: expectation) else { continue }
            let rest = look(Array(bytes.dropFirst(found.length)))
            guard case .media = rest else {
                Issue.record("\(rest)")
                return
            }
        }
    }
}
