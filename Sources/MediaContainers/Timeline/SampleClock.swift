/// Places the samples of a track on the timeline of a file, one after the other: times of decoding grow, and sound has neither
/// small gaps nor overlaps.
struct SampleClock: Sendable, Equatable {
    /// The decode time and the duration of the last sample; `nil` before the first one.
    private(set) var lastTime: Int64?
    private(set) var lastDuration: UInt32 = 0

    /// The end of the last sample by decode time; `nil` before the first one.
    var end: Int64? { lastTime.map { $0 + Int64(lastDuration) } }

    /// Sound follows the sound before it without a gap while its clock differs by less than half a sample.
    private static func isContinuous(_ difference: Int64, _ duration: UInt32) -> Bool {
        abs(difference) <= Int64(duration) / 2
    }

    /// Places the next sample.
    ///
    /// - Parameter isSound: whether its clock is that of its samples, which follow each other without gaps.
    /// - Returns: the sample with its times; `nil` when it overlaps sound before it and is left out.
    mutating func place(_ sample: MediaSample, isSound: Bool) -> MediaSample? {
        var sample = sample
        let shown = sample.decodeTime + Int64(sample.presentationOffset)
        if let lastTime, let end {
            let difference = sample.decodeTime - end
            if isSound, Self.isContinuous(difference, lastDuration) {
                sample.decodeTime = end
            } else if isSound, difference < 0 {
                return nil
            } else if sample.decodeTime <= lastTime {
                sample.decodeTime = lastTime + 1
            }
            if !isSound { sample.presentationOffset = Int32(clamping: shown - sample.decodeTime) }
        }
        (lastTime, lastDuration) = (sample.decodeTime, sample.duration)
        return sample
    }
}

extension SampleClock {
    /// The time before a sample in which nothing is decoded; `nil` without any, and before the first sample.
    func gap(before sample: MediaSample) -> Range<Int64>? {
        guard let end, sample.decodeTime > end else { return nil }
        return end..<sample.decodeTime
    }
}

extension MediaSample {
    /// The sample with its times in another timescale and so many ticks of it later.
    func moved(from: UInt32, to: UInt32, by ticks: Int64) -> MediaSample {
        var moved = self
        if from != to {
            let shown = decodeTime + Int64(presentationOffset)
            moved.decodeTime = Ticks.scaled(decodeTime, from: from, to: to)
            moved.presentationOffset = Int32(
                clamping: Ticks.scaled(shown, from: from, to: to) - moved.decodeTime)
            // From end to end, so that what is rounded does not add up.
            let end = Ticks.scaled(decodeTime + Int64(duration), from: from, to: to)
            moved.duration = UInt32(clamping: end - moved.decodeTime)
        }
        moved.decodeTime = Ticks.limited(moved.decodeTime &+ ticks)
        return moved
    }
}
