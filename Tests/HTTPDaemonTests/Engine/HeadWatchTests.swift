import Locking
import Testing

@testable import HTTPDaemon

@Suite("The watch over slow requests")
struct HeadWatchTests {
    private static func watch(_ change: (inout HeadWatch) -> Void = { _ in }) -> HeadWatch {
        var watch = HeadWatch(acceptedAt: MonotonicTime(nanoseconds: 0))
        change(&watch)
        return watch
    }

    /// Looks at the watch at each of these seconds, when so many bytes had come.
    private func verdicts(_ watch: HeadWatch, _ looks: [(seconds: Int64, bytes: UInt64)]) -> [HeadWatch
        .Verdict]
    {
        var watch = watch
        return looks.map {
            watch.check(
                at: MonotonicTime(nanoseconds: $0.seconds * 1_000_000_000), bytesReceived: $0.bytes,
                headTimeout: .seconds(10), bodyTimeout: .seconds(30))
        }
    }

    @Test("ends a new connection that sends nothing, or too little")
    func first() {
        #expect(verdicts(Self.watch(), [(9, 0), (10, 0)]) == [.fine, .silent])
        #expect(verdicts(Self.watch(), [(3, 1), (9, 5), (10, 9)]) == [.fine, .fine, .tooSlow])
    }

    @Test("lets a connection rest between requests, and counts from the first byte of the next")
    func between() {
        let watch = Self.watch {
            $0.headEnded()
            $0.bodyEnded()
            $0.requestEnded()
        }
        let looks: [(Int64, UInt64)] = [(20, 100), (900, 100), (901, 101), (910, 102), (911, 103)]
        #expect(verdicts(watch, looks) == [.fine, .fine, .fine, .fine, .tooSlow])
    }

    @Test("limits the time of a content")
    func content() {
        let watch = Self.watch { $0.headEnded() }
        #expect(verdicts(watch, [(100, 100), (129, 200), (130, 300)]) == [.fine, .fine, .tooSlow])
    }

    /// Looks once a second at a watch whose client has closed its side.
    private func closing(_ watch: HeadWatch, looks: Int) -> [HeadWatch.Verdict] {
        var watch = watch
        return (1...looks).map {
            watch.check(
                at: MonotonicTime(nanoseconds: Int64($0) * 1_000_000_000), bytesReceived: 5,
                isPeerClosed: true, headTimeout: .seconds(10), bodyTimeout: .seconds(30))
        }
    }

    @Test(
        "closes the connection of a client that has closed its side, after the answers to its earlier requests"
    )
    func closed() {
        let resting = Self.watch { $0.requestEnded() }
        let sending = Self.watch { $0.headEnded() }
        let answering = Self.watch { $0.bodyEnded() }
        #expect(closing(Self.watch(), looks: 2) == [.fine, .silent])
        #expect(closing(resting, looks: 2) == [.fine, .silent])
        #expect(closing(sending, looks: 2) == [.fine, .silent])
        #expect(closing(answering, looks: 3) == [.fine, .fine, .fine])
    }

    @Test("lets pipelined requests go on after their client has closed its side")
    func pipelined() {
        var watch = Self.watch()
        for _ in 0..<5 {
            #expect(closing(watch, looks: 1) == [.fine])
            _ = watch.check(
                at: MonotonicTime(nanoseconds: 1), bytesReceived: 5, isPeerClosed: true,
                headTimeout: .seconds(10), bodyTimeout: .seconds(30))
            watch.headEnded()
            watch.bodyEnded()
            watch.requestEnded()
        }
    }

    @Test("does not limit the time of an answer")
    func answer() {
        let watch = Self.watch {
            $0.headEnded()
            $0.bodyEnded()
        }
        #expect(watch.isAnswering)
        #expect(verdicts(watch, [(9999, 300)]) == [.fine])
    }
}
