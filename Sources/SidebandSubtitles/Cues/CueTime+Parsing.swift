internal import ASCII

extension CueTime {
    /// Reads a WebVTT timestamp such as `01:02.500` or `100:01:02.500` (WebVTT §6.3, "collect a WebVTT timestamp").
    /// After a failure, the reader's position is undefined.
    init?(_ reader: inout ByteReader) {
        guard let first = reader.digits(), reader.skip(.colon), let second = reader.twoDigits() else {
            return nil
        }
        var (hours, minutes, seconds) = (0, first.value, second)
        if first.count != 2 || first.value > 59 || reader.next == .colon {
            guard reader.skip(.colon), let third = reader.twoDigits() else { return nil }
            (hours, minutes, seconds) = (first.value, second, third)
        }
        guard reader.skip(.dot), let fraction = reader.digits(), fraction.count == 3 else { return nil }
        guard minutes <= 59, seconds <= 59 else { return nil }
        hours = min(hours, CueTime.largest.milliseconds / 3_600_000)
        milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction.value
    }

    /// Reads bytes that consist of a timestamp only.
    init?(_ text: ArraySlice<UInt8>) {
        var reader = ByteReader(text)
        self.init(&reader)
        guard reader.isAtEnd else { return nil }
    }
}

extension ByteReader {
    fileprivate mutating func twoDigits() -> Int? {
        guard let digits = digits(), digits.count == 2 else { return nil }
        return digits.value
    }
}
