extension TransportLayout {
    /// A unit of a block with the place of its bytes.
    private struct Placed {
        var unit: TransportUnit
        var track: Int
        var source: Int
    }

    /// The bytes of a block.
    ///
    /// - Parameters:
    ///   - number: its place among the blocks, from 0.
    ///   - samples: reads the samples of a run's track in its segment; runs of one segment come one after the other.
    /// - Returns: `nil` when the samples are not those of which the file was laid out.
    public func bytes<Failure: Error>(
        ofBlock number: Int, _ samples: (Run) throws(Failure) -> TrackSamples?
    ) throws(Failure) -> [UInt8]? {
        let block = blocks[number]
        var sources: [TrackSamples] = []
        var placed: [Placed] = []
        for run in runs[block.runs].sorted(by: { ($0.segment, $0.track) < ($1.segment, $1.track) }) {
            let known = if run.silence != nil { silence(run) } else { try samples(run) }
            guard let source = known, let units = units(of: run, in: source) else { return nil }
            placed += units.map { Placed(unit: $0, track: run.track, source: sources.count) }
            sources.append(source)
        }
        // In the order in which they are decoded; within a moment as tracks come.
        placed.sort { ($0.unit.decoding, $0.track) < ($1.unit.decoding, $1.track) }
        var counters = [UInt8](repeating: 0, count: trackList.count)
        for run in runs[block.runs].reversed() { counters[run.track] = run.counter }
        var writer = PacketWriter(reserving: block.length)
        writer.append(table: ProgramWriter.association, stream: 0, counter: number)
        writer.append(
            table: map, stream: ProgramWriter.mapStream, counter: number * PacketWriter.packets(ofTable: map))
        var packet: [UInt8] = []
        for next in placed {
            packet.removeAll(keepingCapacity: true)
            write(next, sources[next.source], to: &packet)
            let track = trackList[next.track]
            let clock = stamp(next.unit.decoding &- track.lead) &- Self.delay
            writer.append(
                packet, stream: track.stream, counter: &counters[next.track],
                packets: track.packets(of: next.unit), marks: track.marks(of: next.unit, clock: clock))
        }
        return writer.bytes.count == block.length ? writer.bytes : nil
    }

    /// The samples of silence.
    private func silence(_ run: Run) -> TrackSamples? {
        let track = trackList[run.track]
        guard let silence = run.silence else { return nil }
        let description = track.output.descriptions[silence.form]
        guard let frame = SilentFrame(description) else { return nil }
        let samples = frame.samples(
            run.samples.count, in: silence.range, timescale: track.output.timescale)
        return TrackSamples(
            number: 0, timescale: track.output.timescale, descriptions: [description], samples: samples,
            bytes: samples.flatMap { _ in frame.bytes })
    }

    /// The units of a run; `nil` when the samples are others.
    private func units(of run: Run, in source: TrackSamples) -> [TransportUnit]? {
        let track = trackList[run.track]
        let numbers = source.descriptions.map { own in
            track.output.descriptions.firstIndex { $0.entry == own.entry }
        }
        guard Int(run.samples.upperBound) <= source.samples.count else { return nil }
        let samples = source.samples[Int(run.samples.lowerBound)..<Int(run.samples.upperBound)]
        let isKnown = samples.allSatisfy { sample in
            Int(sample.description) < numbers.count && numbers[Int(sample.description)] != nil
        }
        guard isKnown, samples.reduce(0, { $0 + Int($1.size) }) == run.size,
            run.offset + run.size <= source.bytes.count
        else { return nil }
        return track.units(
            of: run, in: source.samples, timescale: source.timescale, numbers: numbers.map { $0 ?? 0 })
    }

    private func stamp(_ time: Int64) -> Int64 { time &- origin &+ Self.firstStamp }

    private func write(_ placed: Placed, _ source: TrackSamples, to packet: inout [UInt8]) {
        let (unit, track) = (placed.unit, trackList[placed.track])
        PESWriter.begin(
            &packet, kind: track.packetKind, presentation: stamp(unit.presentation),
            decoding: track.isSound ? nil : stamp(unit.decoding &- track.lead))
        var offset = unit.offset
        for index in unit.samples {
            let end = offset + Int(source.samples[index].size)
            track.forms[unit.form].write(
                source.bytes, offset..<end, bringsSets: unit.bringsSets, to: &packet)
            offset = end
        }
        // A picture can be shorter than was reckoned. Each packet has a byte of it at least: zeros may follow the last unit
        // (ISO/IEC 14496-10, annex B).
        let lacking = track.packets(of: unit) - packet.count
        if lacking > 0 { packet.append(contentsOf: repeatElement(0, count: lacking)) }
        PESWriter.end(&packet)
    }
}
