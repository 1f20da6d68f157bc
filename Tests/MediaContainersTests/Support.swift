import Locking
import MediaContainers
import TestSupport
import Testing

/// Judges bytes in memory.
func look(
    _ bytes: [UInt8], _ role: MediaExpectation.Role = .segment, mayEndInBox: Bool = false
) -> MediaVerdict {
    MediaLook(expecting: MediaExpectation(role, mayEndInBox: mayEndInBox)).judge(ArrayBytes(bytes))
}

/// Media that are whole, with the format that they are to be recognized as.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let format: MediaFormat
    let bytes: [UInt8]
    var role = MediaExpectation.Role.segment

    var testDescription: String { name }

    /// Samples of every format; each can be followed by another one of its format.
    static let all: [Sample] = {
        let stream = SampleMedia.transportStream(20)
        let wide = SampleMedia.transportStream(7)
        return [
            Sample(name: "a transport stream", format: .transportStream, bytes: stream),
            Sample(
                name: "packets with time stamps", format: .transportStream,
                bytes: SampleMedia.withTimes(stream)),
            Sample(
                name: "packets with checksums", format: .transportStream,
                bytes: SampleMedia.withChecksums(wide)),
            Sample(name: "an initialization section", format: .mp4, bytes: start, role: .initialization),
            Sample(name: "a fragment", format: .mp4, bytes: SampleMedia.fragment(samples: [300, 20, 700])),
            Sample(name: "ADTS frames", format: .adts, bytes: SampleMedia.adts([300, 40, 7, 411])),
            Sample(name: "MP3 frames", format: .mpegAudio, bytes: SampleMedia.mp3(6)),
            Sample(name: "AC-3 frames", format: .ac3, bytes: SampleMedia.ac3(5)),
            Sample(name: "E-AC-3 frames", format: .eac3, bytes: SampleMedia.eac3(5)),
            Sample(
                name: "ADTS frames behind a tag", format: .adts,
                bytes: SampleMedia.id3(73) + SampleMedia.adts([300, 40, 411])),
            Sample(name: "WebVTT", format: .webVTT, bytes: Array("WEBVTT\n\n".utf8), role: .subtitles),
        ]
    }()

    private static let start = SampleMedia.initialization()
}

/// Bytes that are made as they are read, of any length; the largest read is remembered.
final class EndlessBytes: MediaBytes, Sendable {
    let head: [UInt8]
    let count: Int
    private let largest = Lock(0)

    init(_ head: [UInt8], count: Int) { (self.head, self.count) = (head, count) }

    var largestRead: Int { largest.withLock { $0 } }

    func read(at offset: Int, count: Int) -> [UInt8] {
        guard offset < self.count else { return [] }
        let length = min(count, self.count - offset)
        largest.withLock { $0 = max($0, length) }
        let known = offset < head.count ? Array(head[offset..<min(head.count, offset + length)]) : []
        return known + [UInt8](repeating: 0x55, count: length - known.count)
    }
}
