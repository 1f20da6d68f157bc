/// The content of one PES packet: a picture, or frames of sound that follow each other.
struct TransportUnit {
    /// The samples, among those of the segment.
    var samples: Range<Int>
    /// The offset of its bytes among those of the track in the segment.
    var offset: Int
    /// Bytes of its payload, at most.
    var size: Int
    /// The times on the timeline of the file, in ticks of 90 kHz.
    var decoding: Int64
    var presentation: Int64
    var isSync: Bool
    /// The number of its form.
    var form: Int
    /// Whether parameter sets come with it.
    var bringsSets: Bool
    /// The time at which sound goes on that follows it.
    fileprivate var end: Int64
}

extension TransportLayout.Track {
    /// Bytes of frames of sound that one PES packet has, and how long they last, in ticks of 90 kHz.
    private static let (groupSize, groupDuration) = (2800, Int64(9000))
    /// The difference to the time that is expected of sound within a PES packet, in ticks of 90 kHz.
    private static let tolerance = UInt64(45)

    /// The units of the samples of a run.
    ///
    /// - Parameters:
    ///   - samples: those of the whole segment.
    ///   - numbers: the forms of its descriptions.
    func units(
        of run: TransportLayout.Run, in samples: [MediaSample], timescale: UInt32, numbers: [Int]
    ) -> [TransportUnit] {
        var units: [TransportUnit] = []
        var (clock, offset, last) = (run.clock, run.offset, run.lastForm)
        for index in Int(run.samples.lowerBound)..<Int(run.samples.upperBound) {
            let source = samples[index]
            defer { offset += Int(source.size) }
            let moved = source.moved(from: timescale, to: output.timescale, by: run.shift)
            guard let sample = clock.place(moved, isSound: isSound) else { continue }
            let form = numbers[Int(source.description)]
            var unit = TransportUnit(
                samples: index..<index + 1, offset: offset, size: 0, decoding: ticks(sample.decodeTime),
                presentation: ticks(sample.decodeTime + Int64(sample.presentationOffset)),
                isSync: sample.isSync, form: form, bringsSets: sample.isSync || form != last,
                end: ticks(sample.decodeTime + Int64(sample.duration)))
            unit.size = forms[form].size(of: Int(source.size), bringsSets: unit.bringsSets)
            last = form
            if isSound, let before = units.last, Self.follows(unit, before) {
                units[units.count - 1].samples = before.samples.lowerBound..<index + 1
                units[units.count - 1].size += unit.size
                units[units.count - 1].end = unit.end
            } else {
                units.append(unit)
            }
        }
        return units
    }

    func ticks(_ time: Int64) -> Int64 { Ticks.scaled(time, from: output.timescale, to: 90_000) }

    private static func follows(_ unit: TransportUnit, _ last: TransportUnit) -> Bool {
        last.samples.upperBound == unit.samples.lowerBound && last.form == unit.form
            && isNear(unit.presentation &- last.presentation, unit.decoding &- last.decoding)
            && isNear(unit.decoding, last.end) && last.size + unit.size <= groupSize
            && unit.end &- last.decoding <= groupDuration
    }

    private static func isNear(_ time: Int64, _ other: Int64) -> Bool {
        (time &- other).magnitude <= tolerance
    }

    /// Packets that a unit takes.
    func packets(of unit: TransportUnit) -> Int {
        let header = isSound ? PESWriter.shortHeader : PESWriter.longHeader
        return PacketWriter.packets(of: header + unit.size, marks(of: unit, clock: 0))
    }

    func marks(of unit: TransportUnit, clock: Int64) -> PacketWriter.Marks {
        PacketWriter.Marks(
            clock: hasClock ? clock : nil, isRandomAccess: unit.isSync && (hasClock || !isSound))
    }
}
