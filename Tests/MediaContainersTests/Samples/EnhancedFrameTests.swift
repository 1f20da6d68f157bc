import Testing

@testable import MediaContainers

/// The information of a frame of E-AC-3 with every field that may stand in it (ETSI TS 102 366, annex E.1.2).
private struct EnhancedFrame {
    var type = 0
    /// 0 to 3: blocks of 1, 2, 3 and 6.
    var blocks = 3
    var channels = 2
    var hasLowFrequency = false
    var map: Int?
    /// 0 to 3 in the bits that say how it is mixed; `nil` without mixing.
    var mixing: Int?
    var hasInformation = false
    /// Whether each field that may be there is.
    var hasAll = false
    var complexity: Int?

    /// The frame, of 512 bytes.
    var bytes: [UInt8] {
        var bits = BitWriter()
        func put(_ fields: (Int, Int)...) { for (value, count) in fields { bits.put(value, count) } }
        func option(_ count: Int) { if hasAll { put((1, 1), (0x155, count)) } else { put((0, 1)) } }
        put((0x0B77, 16), (type, 2), (0, 3), (255, 11), (0, 2), (blocks, 2))
        put((channels, 3), (hasLowFrequency ? 1 : 0, 1), (16, 5), (31, 5))
        option(8)
        if channels == 0 {
            put((31, 5))
            option(8)
        }
        if type == 1 {
            put((map == nil ? 0 : 1, 1))
            if let map { put((map, 16)) }
        }
        put((mixing == nil ? 0 : 1, 1))
        if let mixing { putMixing(mixing, put: { put(($0, $1)) }, option: option) }
        put((hasInformation ? 1 : 0, 1))
        if hasInformation {
            put((5, 3), (3, 2))
            if channels == 2 { put((0, 4)) }
            if channels >= 6 { put((0, 2)) }
            option(8)
            if channels == 0 { option(8) }
            put((0, 1))
        }
        if type == 0, blocks != 3 { put((1, 1)) }
        if type == 2 {
            if blocks != 3 { put((1, 1)) }
            put((0, 6))
        }
        put((complexity == nil ? 0 : 1, 1))
        if let complexity { put((1, 6), (0, 7), (1, 1), (complexity, 8)) }
        bits.align()
        return bits.bytes + [UInt8](repeating: 0, count: 512 - bits.bytes.count)
    }

    private func putMixing(_ mixing: Int, put: (Int, Int) -> Void, option: (Int) -> Void) {
        if channels > 2 { put(1, 2) }
        if channels > 2, channels % 2 == 1 { put(9, 6) }
        if channels >= 4 { put(9, 6) }
        if hasLowFrequency { option(5) }
        guard type == 0 else { return }
        for _ in 0..<(channels == 0 ? 3 : 2) { option(6) }
        put(mixing, 2)
        switch mixing {
        case 1: put(9, 5)
        case 2: put(9, 12)
        case 3:
            put(4, 5)
            for _ in 0..<6 { put(0x55, 8) }
        default: break
        }
        if channels < 2 { for _ in 0..<(channels == 0 ? 2 : 1) { option(14) } }
        if hasAll {
            put(1, 1)
            for _ in 0..<(blocks == 0 ? 0 : [1, 2, 3, 6][blocks]) { option(5) }
            if blocks == 0 { put(9, 5) }
        } else {
            put(0, 1)
        }
    }
}

@Suite("The information of a frame of E-AC-3")
struct EnhancedFrameTests {
    @Test("is found behind any optional fields", arguments: 0..<8, [nil, 0, 1, 2, 3] as [Int?])
    func fields(channels: Int, mixing: Int?) {
        for number in 0..<96 {
            var frame = EnhancedFrame(channels: channels, mixing: mixing)
            (frame.hasLowFrequency, frame.hasInformation, frame.hasAll) = (
                number & 1 > 0, number & 2 > 0, number & 4 > 0
            )
            (frame.type, frame.blocks) = (number >> 3 & 3, number >> 5)
            guard frame.type < 3 else { continue }
            if frame.type == 1, frame.hasAll { frame.map = 0x8421 }
            for complexity in [nil, 16] as [Int?] {
                frame.complexity = complexity
                let found = DolbyInformation(frame.bytes[...])
                #expect(found?.objectComplexity == complexity, "\(frame)")
                #expect(found?.mode == (frame.hasInformation ? 5 : 0) && found?.channelMap == frame.map)
            }
        }
    }

    @Test("counts its channels and blocks")
    func counts() throws {
        for (channels, count) in [2, 1, 2, 3, 3, 4, 4, 5].enumerated() {
            for low in [false, true] {
                let frame = EnhancedFrame(channels: channels, hasLowFrequency: low)
                #expect(DolbyHeader(frame.bytes[...])?.channels == count + (low ? 1 : 0))
            }
        }
        for (code, blocks) in [1, 2, 3, 6].enumerated() {
            let header = try #require(DolbyHeader(EnhancedFrame(blocks: code).bytes[...]))
            #expect(
                header.blocks == blocks && header.rate == 48_000 && header.length == 512 && header.isEnhanced)
        }
    }

    @Test("is that of an independent frame or of a dependent one")
    func dependence() {
        let found = (0..<4).map { DolbyHeader(EnhancedFrame(type: $0).bytes[...])?.isIndependent }
        #expect(found == [true, false, true, nil])
    }
}
