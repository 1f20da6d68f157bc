/// The sample table of one track, as it grows (ISO/IEC 14496-12, sections 8.6 and 8.7).
struct SampleTable: Sendable {
    private var durations = RunLengths<UInt32>()
    private var offsets = RunLengths<Int32>()
    private var sizes = BlockList<UInt32>()
    /// Whether decoding can't begin at some sample.
    private var needsSyncs = false
    /// The numbers of the samples at which it can, from 1; empty while it can at all of them.
    private var syncs = BlockList<UInt32>()
    /// The decode time of the first sample, in ticks of the movie's timeline.
    private(set) var firstTime: Int64?
    private(set) var clock = SampleClock()
    /// The times at which samples are presented.
    private(set) var presented: Range<Int64>?
    private(set) var bytes: UInt64 = 0

    var count: Int { sizes.count }
    /// The end of the last sample by decode time; `nil` before the first one.
    var end: Int64? { clock.end }
    /// Ticks that all samples take.
    var duration: UInt64 { UInt64(clamping: (end ?? 0) - (firstTime ?? 0)) }

    /// Adds a sample.
    ///
    /// - Parameter isSound: whether it is audio, whose samples follow each other without gaps.
    /// - Returns: `false` if it overlaps audio before it and is left out.
    mutating func add(_ sample: MediaSample, isSound: Bool) -> Bool {
        let before = clock.lastTime
        guard let sample = clock.place(sample, isSound: isSound) else { return false }
        if let before {
            durations.append(UInt32(clamping: sample.decodeTime - before))
        } else {
            firstTime = sample.decodeTime
        }
        offsets.append(sample.presentationOffset)
        sizes.append(sample.size)
        bytes += UInt64(sample.size)
        addSync(sample.isSync)
        return true
    }

    /// Notes whether decoding can begin at the last sample.
    private mutating func addSync(_ isSync: Bool) {
        let number = UInt32(sizes.count)
        if !isSync, !needsSyncs {
            needsSyncs = true
            for earlier in 1..<number { syncs.append(earlier) }
        }
        if isSync, needsSyncs { syncs.append(number) }
    }

    /// Extends the presentation time of the samples.
    mutating func present(_ range: Range<Int64>) {
        guard let presented else { return self.presented = range }
        self.presented =
            min(presented.lowerBound, range.lowerBound)..<max(presented.upperBound, range.upperBound)
    }

    /// The largest possible size of its boxes, in bytes, without box headers.
    var mostBytes: Int { 4 * (sizes.count + syncs.count) + 8 * (durations.count + offsets.count + 1) }

    /// Writes `stts`, `ctts`, `stss` and `stsz`.
    func write(_ writer: inout ByteWriter) {
        var durations = durations
        if clock.lastTime != nil { durations.append(clock.lastDuration) }
        durations.write(&writer, as: "stts", version: 0)
        if !offsets.allSatisfy({ $0 == 0 }) {
            offsets.write(&writer, as: "ctts", version: offsets.allSatisfy { $0 >= 0 } ? 0 : 1)
        }
        if needsSyncs {
            writer.box("stss", version: 0) { writer in
                writer.u32(syncs.count)
                for block in syncs.blocks { writer.append(block) }
            }
        }
        writer.box("stsz", version: 0) { writer in
            let size = sizes.blocks[0].first ?? 0
            let isEven = sizes.allSatisfy { $0 == size }
            writer.u32(isEven ? size : 0)
            writer.u32(sizes.count)
            if !isEven { for block in sizes.blocks { writer.append(block) } }
        }
    }
}

/// A list of values that stores equal neighbors as one value and a count.
private struct RunLengths<Value: FixedWidthInteger & Sendable>: Sendable {
    /// Consecutive equal values.
    private struct Run: Sendable {
        var count: UInt32
        var value: Value
    }

    private var ended = BlockList<Run>()
    /// The last run, which may grow; it has no values before the first one.
    private var last = Run(count: 0, value: 0)

    var count: Int { ended.count + (last.count > 0 ? 1 : 0) }

    mutating func append(_ value: Value) {
        if value == last.value || last.count == 0 {
            last = Run(count: last.count + 1, value: value)
        } else {
            ended.append(last)
            last = Run(count: 1, value: value)
        }
    }

    func allSatisfy(_ isWanted: (Value) -> Bool) -> Bool {
        (last.count == 0 || isWanted(last.value)) && ended.allSatisfy { isWanted($0.value) }
    }

    /// Writes the runs as a full box.
    func write(_ writer: inout ByteWriter, as type: String, version: Int) {
        writer.box(type, version: version) { writer in
            writer.u32(count)
            for block in ended.blocks + (last.count > 0 ? [[last]] : []) {
                var numbers: [UInt32] = []
                numbers.reserveCapacity(2 * block.count)
                for run in block {
                    numbers.append(run.count)
                    numbers.append(UInt32(truncatingIfNeeded: run.value))
                }
                writer.append(numbers)
            }
        }
    }
}
