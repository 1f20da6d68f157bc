import SidebandSubtitles
import Testing

@Suite("Times and timestamp maps")
struct TimeTests {
    @Test("are written with hours, also beyond 99 of them")
    func description() {
        #expect(CueTime(milliseconds: 3_723_004).description == "01:02:03.004")
        #expect(CueTime(milliseconds: 360_000_000_000).description == "100000:00:00.000")
        #expect(CueTime(milliseconds: -1500).description == "-00:00:01.500")
        #expect(CueTime(milliseconds: 359_999_999).description == "99:59:59.999")
        #expect(CueTime(milliseconds: 360_000_000).description == "100:00:00.000")
    }

    @Test("of seconds are rounded to the nearest millisecond, and nonsense is bounded")
    func seconds() {
        #expect(CueTime(seconds: 1.0006).milliseconds == 1001)
        #expect(CueTime(seconds: .nan).milliseconds == 0)
        #expect(CueTime(seconds: .infinity) > CueTime(seconds: 1e9))
        #expect(CueTime(seconds: -.infinity) < CueTime(seconds: -1e9))
    }

    @Test("of a cue move with the timestamps in its text")
    func moving() {
        var moved = cue(1, 4, "a<00:02.000>b")
        moved.move(by: 10_000)
        #expect(summary([moved]) == ["11.0 14.0 a<00:00:12.000>b"])
    }

    @Test("with any number of hours are read, and too many do not overflow")
    func manyHours() throws {
        let found = try cues("999999999999999999999:00:00.000 --> 999999999999999999999:00:00.001\nx")
        #expect(found.first.map { $0.start < $0.end } == true)
        #expect(try cues("1000:00:00.000 --> 1000:00:00.001\nx").first?.start.seconds == 3_600_000)
    }

    @Test("have up to 59 minutes and seconds; more in the first number are hours, which need both after them")
    func borders() throws {
        let found = try cues("59:59.999 --> 60:59:59.000\nx")
        #expect(found.map { [$0.start.milliseconds, $0.end.milliseconds] } == [[3_599_999, 219_599_000]])
        for start in ["60:00.000", "00:60.000", "00:60:00.000", "00:00:60.000"] {
            #expect(try cues("\(start) --> 70:00:00.000\nx").isEmpty, "\(start)")
        }
    }

    @Test(
        "are found in every form of the header line",
        arguments: [
            "X-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:90000", "X-TIMESTAMP-MAP=MPEGTS:90000,LOCAL:00:01.000",
            "X-TIMESTAMP-MAP = MPEGTS: 90000 , LOCAL: 00:01.000 ",
            "X-TIMESTAMP-MAP=MPEGTS:90000,LOCAL:00:00:01.000\r",
            "Kind: x\nX-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:90000,OTHER:1",
        ])
    func maps(line: String) throws {
        let map = try file("WEBVTT\n\(line)\n\n").timestampMap
        #expect(map == TimestampMap(local: CueTime(milliseconds: 1000), mpegTicks: 90_000))
    }

    @Test(
        "that cannot be read count as absent",
        arguments: [
            "X-TIMESTAMP-MAP=MPEGTS:abc,LOCAL:xx", "X-TIMESTAMP-MAP", "X-TIMESTAMP-MAP=",
            "X-TIMESTAMP-MAP=LOCAL:00:01.000",
            "X-TIMESTAMP-MAP=MPEGTS:99999999999999999999999,LOCAL:00:00.000",
            "X-TIMESTAMP-MAP=MPEGTS:1,LOCAL:1", "X-TIMESTAMP-MAP=MPEGTS:4611686018427387904",
            "X-TIMESTAMP-MAP=MPEGTS:-4611686018427387904",
        ])
    func unreadableMaps(line: String) throws {
        let file = try file("WEBVTT\n\(line)\n\n")
        #expect(file.timestampMap == nil)
        #expect(file.warnings.map(\.code) == [.unreadableTimestampMap])
    }

    @Test("in a map have fewer than 2^62 ticks")
    func largest() throws {
        for ticks in [4_611_686_018_427_387_903, -4_611_686_018_427_387_903] {
            #expect(try file("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(ticks)\n").timestampMap?.mpegTicks == ticks)
        }
    }

    @Test("in a map without LOCAL start at 0")
    func missingLocal() throws {
        let map = try file("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:-6000\n").timestampMap
        #expect(map == TimestampMap(mpegTicks: -6000))
        #expect(map?.description == "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:-6000")
    }
}
