/// Moves the clock of a transport stream: its clock references and the time stamps of its PES packets, in place.
public struct TransportClock: Sendable {
    /// Ticks of 90 kHz that are added; times of 33 bits begin anew behind the last.
    public let shift: Int64

    private static let mask = UInt64(1 << 33) - 1
    /// Bytes of a PES header up to the end of its time stamps.
    private static let headerLength = 19

    /// Makes a clock that is later by so many ticks of 90 kHz.
    public init(shift: Int64) { self.shift = shift }

    /// Shifts the clock of whole packets; other bytes stay unchanged.
    public func move(_ bytes: inout [UInt8]) {
        guard shift != 0, var walk = PacketWalk(bytes) else { return }
        var places: [Int] = []
        while let place = walk.next() { places.append(place) }
        // The positions of the bytes of begun headers, by stream: a header may continue in the next packet.
        var headers: [Int: [Int]] = [:]
        for place in places {
            let packet = TransportPacket(bytes, at: place)
            moveReferences(&bytes, place)
            guard let payload = packet.payload, !packet.isScrambled else { continue }
            if packet.begins {
                moveStamps(&bytes, headers[packet.stream] ?? [])
                headers[packet.stream] = []
            }
            guard var header = headers[packet.stream] else { continue }
            header += payload.prefix(Self.headerLength - header.count)
            headers[packet.stream] = header.count < Self.headerLength ? header : nil
            if header.count == Self.headerLength { moveStamps(&bytes, header) }
        }
        // PES packets that are shorter than the longest header, and the last ones.
        for header in headers.values { moveStamps(&bytes, header) }
    }

    /// The program clock reference, and the original one, in an adaptation field (ISO/IEC 13818-1, section 2.4.3.4).
    private func moveReferences(_ bytes: inout [UInt8], _ place: Int) {
        guard bytes[place + 3] & 0x20 != 0, bytes[place + 4] >= 7 else { return }
        let (flags, end) = (bytes[place + 5], place + 5 + Int(bytes[place + 4]))
        var next = place + 6
        for flag in [0x10, 0x08] as [UInt8] where flags & flag != 0 && next + 6 <= end {
            let base = bytes[next..<next + 4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } << 1
            let time = moved(base | UInt64(bytes[next + 4] >> 7))
            for index in 0..<4 {
                bytes[next + index] = UInt8(truncatingIfNeeded: time >> UInt64(25 - 8 * index))
            }
            bytes[next + 4] = bytes[next + 4] & 0x7F | UInt8(truncatingIfNeeded: time << 7)
            next += 6
        }
    }

    /// Shifts the time stamps of a PES packet whose first bytes are at these positions.
    private func moveStamps(_ bytes: inout [UInt8], _ header: [Int]) {
        guard
            case .whole(let head) = PESHeader.read(
                (header.map { bytes[$0] } + [UInt8](repeating: 0, count: 260))[...])
        else { return }
        if head.presentation != nil, header.count >= 14 { move(&bytes, header[9..<14]) }
        if head.decoding != nil, header.count >= 19 { move(&bytes, header[14..<19]) }
    }

    private func move(_ bytes: inout [UInt8], _ places: ArraySlice<Int>) {
        let places = Array(places)
        let parts = places.map { UInt64(bytes[$0]) }
        let high = (parts[0] >> 1 & 7) << 30 | parts[1] << 22
        let time = moved(high | (parts[2] >> 1) << 15 | parts[3] << 7 | parts[4] >> 1)
        let next: [UInt64] = [
            parts[0] & 0xF1 | (time >> 30 & 7) << 1, time >> 22, parts[2] & 1 | time >> 14 & 0xFE, time >> 7,
            parts[4] & 1 | time << 1,
        ]
        for (place, value) in zip(places, next) { bytes[place] = UInt8(truncatingIfNeeded: value) }
    }

    private func moved(_ time: UInt64) -> UInt64 { (time &+ UInt64(bitPattern: shift)) & Self.mask }
}
