/// The head of a frame of AC-3 or E-AC-3 (ETSI TS 102 366, section 4.4 and annex E).
struct DolbyHeader {
    /// Whether it is a frame of E-AC-3.
    let isEnhanced: Bool
    /// Bytes of the frame.
    let length: Int
    /// Samples per second.
    private(set) var rate = 48_000
    private(set) var rateCode = 0
    /// Blocks of 256 samples.
    private(set) var blocks = 6
    /// 0 and 2: independent, 1: goes with the independent one before it.
    private(set) var streamType = 0
    private(set) var substream = 0
    private(set) var identification = 8
    private(set) var mode = 0
    private(set) var sizeCode = 0
    private(set) var lowFrequency = 0
    private(set) var channelMode = 2

    /// Words of 16 bits at 48 kHz and 32 kHz are in proportion, at 44.1 kHz they are not (table 4.13).
    private static let bitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]
    private static let rates = [48_000, 44_100, 32_000]

    /// Reads a header of 6 bytes or more; `nil` for other bytes. The number of channels needs 7 bytes.
    init?(_ head: ArraySlice<UInt8>) {
        let at = head.startIndex
        guard head.count >= 6, head[at] == 0x0B, head[at + 1] == 0x77 else { return nil }
        let identification = Int(head[at + 5] >> 3)
        isEnhanced = identification > 10
        if isEnhanced {
            length = 2 * ((Int(head[at + 2] & 7) << 8 | Int(head[at + 3])) + 1)
            guard identification <= 16, readEnhanced(head) else { return nil }
        } else {
            let (rate, code) = (Int(head[at + 4] >> 6), Int(head[at + 4] & 0x3F))
            guard let length = Self.length(rate: rate, code: code) else { return nil }
            self.length = length
            (rateCode, sizeCode) = (rate, code)
            self.rate = Self.rates[rate] >> max(0, identification - 8)
            readChannels(head)
        }
        self.identification = identification
    }

    private static func length(rate: Int, code: Int) -> Int? {
        guard rate < 3, code / 2 < bitRates.count else { return nil }
        let kilobits = bitRates[code / 2]
        return switch rate {
        case 0: kilobits * 4
        case 1: 2 * (kilobits * 1000 * 1536 / 44_100 / 16 + code % 2)
        default: kilobits * 6
        }
    }

    private mutating func readEnhanced(_ head: ArraySlice<UInt8>) -> Bool {
        let at = head.startIndex
        (streamType, substream) = (Int(head[at + 2] >> 6), Int(head[at + 2] >> 3 & 7))
        let (code, second) = (Int(head[at + 4] >> 6), Int(head[at + 4] >> 4 & 3))
        rateCode = code
        if code == 3 {
            guard second < 3 else { return false }
            rate = Self.rates[second] / 2
        } else {
            rate = Self.rates[code]
            blocks = [1, 2, 3, 6][second]
        }
        channelMode = Int(head[at + 4] >> 1 & 7)
        lowFrequency = Int(head[at + 4] & 1)
        return streamType < 3 && length >= 6
    }

    /// Reads the channels of AC-3, whose place depends on them.
    private mutating func readChannels(_ head: ArraySlice<UInt8>) {
        var reader = BitReader(head.dropFirst(5).prefix(3))
        reader.skip(5)
        mode = reader.bits(3)
        channelMode = reader.bits(3)
        if channelMode & 1 == 1, channelMode != 1 { reader.skip(2) }
        if channelMode & 4 != 0 { reader.skip(2) }
        if channelMode == 2 { reader.skip(2) }
        lowFrequency = reader.bits(1)
    }

    /// The number of full channels, plus the low-frequency channel.
    var channels: Int { [2, 1, 2, 3, 3, 4, 4, 5][channelMode] + lowFrequency }

    /// Whether it begins a new group of frames.
    var isIndependent: Bool { streamType != 1 && substream == 0 }
}

/// The information of a frame of E-AC-3 that its sample entry repeats (annex E.1.2.2).
struct DolbyInformation {
    let header: DolbyHeader
    private(set) var mode = 0
    /// The places of the channels of a dependent substream.
    private(set) var channelMap: Int?
    /// The complexity of joint object coding (ETSI TS 103 420, section 8.3); `nil` without it.
    private(set) var objectComplexity: Int?

    /// Reads a whole frame; fields that can't be read to their end count as missing.
    init?(_ frame: ArraySlice<UInt8>) {
        guard let header = DolbyHeader(frame) else { return nil }
        self.header = header
        guard header.isEnhanced else { return }
        var reader = BitReader(frame)
        reader.skip(40 + 5 + 5)
        if reader.flag() { reader.skip(8) }
        if header.channelMode == 0 {
            reader.skip(5)
            if reader.flag() { reader.skip(8) }
        }
        if header.streamType == 1, reader.flag() { channelMap = reader.bits(16) }
        if reader.flag() { skipMixing(&reader) }
        if reader.flag() { readMode(&reader) }
        if header.streamType == 0, header.blocks != 6 { reader.skip(1) }
        if header.streamType == 2, header.blocks == 6 || reader.flag() { reader.skip(6) }
        readAdditions(&reader)
    }

    private func skipMixing(_ reader: inout BitReader) {
        let code = header.channelMode
        if code > 2 { reader.skip(2) }
        if code & 1 == 1, code > 2 { reader.skip(6) }
        if code & 4 != 0 { reader.skip(6) }
        if header.lowFrequency == 1, reader.flag() { reader.skip(5) }
        guard header.streamType == 0 else { return }
        for _ in 0..<(code == 0 ? 3 : 2) where reader.flag() { reader.skip(6) }
        switch reader.bits(2) {
        case 1: reader.skip(5)
        case 2: reader.skip(12)
        case 3: reader.skip(8 * (reader.bits(5) + 2))
        default: break
        }
        if code < 2 {
            for _ in 0..<(code == 0 ? 2 : 1) where reader.flag() { reader.skip(14) }
        }
        guard reader.flag() else { return }
        if header.blocks == 1 {
            reader.skip(5)
        } else {
            for _ in 0..<header.blocks where reader.flag() { reader.skip(5) }
        }
    }

    private mutating func readMode(_ reader: inout BitReader) {
        mode = reader.bits(3)
        reader.skip(2)
        if header.channelMode == 2 { reader.skip(4) }
        if header.channelMode >= 6 { reader.skip(2) }
        for _ in 0..<(header.channelMode == 0 ? 2 : 1) where reader.flag() { reader.skip(8) }
        if header.rateCode < 3 { reader.skip(1) }
    }

    private mutating func readAdditions(_ reader: inout BitReader) {
        guard reader.flag() else { return }
        let length = reader.bits(6) + 1
        guard length >= 2 else { return }
        reader.skip(7)
        let hasObjects = reader.flag()
        let complexity = reader.bits(8)
        if hasObjects, !reader.isOverrun { objectComplexity = complexity }
    }
}
