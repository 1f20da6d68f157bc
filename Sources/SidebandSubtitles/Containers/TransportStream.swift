/// Reads presentation timestamps from an MPEG-2 transport stream (ISO/IEC 13818-1 §2.4.3).
enum TransportStream {
    private static let packetLength = 188

    /// The earliest timestamp of pictures and of sound. A stream of another packet length has none.
    static func firstTimestamps(_ bytes: [UInt8]) -> (video: Int?, audio: Int?) {
        var video: Int?
        var audio: Int?
        guard var position = start(bytes) else { return (nil, nil) }
        while position + packetLength <= bytes.count, bytes[position] == 0x47 {
            if let (stream, time) = timestamp(bytes, position) {
                // Pictures come in the order of decoding: an earlier one may follow.
                if (0xE0...0xEF).contains(stream) { video = earlier(video, time) }
                if (0xC0...0xDF).contains(stream) || stream == 0xBD { audio = audio ?? time }
            }
            position += packetLength
        }
        return (video, audio)
    }

    /// Where the first of three packets in a row begins.
    private static func start(_ bytes: [UInt8]) -> Int? {
        (0..<min(packetLength, bytes.count)).first { offset in
            [0, 1, 2].allSatisfy { index in
                let place = offset + index * packetLength
                return place >= bytes.count ? index > 0 : bytes[place] == 0x47
            }
        }
    }

    /// The timestamp of the PES packet that begins in a transport packet.
    private static func timestamp(_ bytes: [UInt8], _ packet: Int) -> (stream: UInt8, time: Int)? {
        guard bytes[packet + 1] & 0x40 != 0, bytes[packet + 3] & 0x10 != 0 else { return nil }
        let hasAdaptation = bytes[packet + 3] & 0x20 != 0
        let start = packet + 4 + (hasAdaptation ? 1 + Int(bytes[packet + 4]) : 0)
        guard start + 14 <= packet + packetLength, bytes[start] == 0, bytes[start + 1] == 0,
            bytes[start + 2] == 1, bytes[start + 7] & 0x80 != 0
        else { return nil }
        let field = bytes[start + 9..<start + 14].map { Int($0) }
        let high = (field[0] >> 1 & 0x7) << 30
        let middle = (field[1] << 7 | field[2] >> 1) << 15
        return (bytes[start + 3], high | middle | field[3] << 7 | field[4] >> 1)
    }

    /// The earlier of two times that start again at 0 after 2³³.
    private static func earlier(_ known: Int?, _ time: Int) -> Int {
        guard let known else { return time }
        let distance = (time - known + MediaTicks.wrap) % MediaTicks.wrap
        return distance > MediaTicks.wrap / 2 ? time : known
    }
}
