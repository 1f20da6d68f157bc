/// The first presentation time stamps of a transport stream, by the kinds of its PES packets.
package enum TransportStamps {
    /// The earliest time stamp of pictures and the first of sound, in ticks of 90 kHz modulo 2³³.
    package static func first(in bytes: [UInt8]) -> (video: Int?, audio: Int?) {
        var (video, audio) = (Int64?.none, Int64?.none)
        guard var walk = PacketWalk(bytes) else { return (nil, nil) }
        while let place = walk.next() {
            let packet = TransportPacket(bytes, at: place)
            guard packet.begins, let payload = packet.payload, payload.count > 3,
                case .whole(let header) = PESHeader.read(bytes[payload]), let time = header.presentation
            else { continue }
            switch bytes[payload.lowerBound + 3] {
            // Pictures come in the order of decoding: an earlier one may follow.
            case 0xE0...0xEF: video = video.map { min($0, StampClock.nearest(time, to: $0)) } ?? time
            case 0xC0...0xDF, 0xBD: audio = audio ?? time
            default: break
            }
        }
        return (video.map { Int($0 & (1 << 33 - 1)) }, audio.map(Int.init))
    }
}
