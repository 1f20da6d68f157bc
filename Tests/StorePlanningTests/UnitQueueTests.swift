import HLSPlaylist
import ModelTestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Which unit is fetched next, with and without players.
struct UnitQueueTests {
    private static let seconds = 4.0

    /// Video and audio of so many segments of four seconds, and an initialization section of the audio.
    private func queue(_ count: Int) -> UnitQueue {
        let video = rendition("video", id: 1)
        let audio = rendition("audio", id: 2)
        let segments = [video, audio].flatMap { row in
            (0..<count).map { UnitJob(unit: unit(.segment, $0), rendition: row) }
        }
        return UnitQueue(segments + [UnitJob(unit: unit(.initialization, 0), rendition: audio)])
    }

    private func unit(_ kind: UnitKind, _ number: Int) -> UnitRecord {
        UnitRecord(
            kind: kind, number: number, start: Double(number) * Self.seconds, duration: Self.seconds, url: "")
    }

    private func rendition(_ name: String, id: Int64) -> RenditionRecord {
        RenditionRecord(
            id: id, name: name, position: Int(id), kind: .variant, required: true, listings: [],
            hasPlaylist: true, container: .ts, duration: 0, segments: 0)
    }

    private func unit(_ rendition: String, _ number: Int) -> UnitID {
        UnitID(rendition: rendition, kind: .segment, number: number)
    }

    @Test("a unit that is put back is next, and no unit is forgotten for it, however many are done")
    func putBack() throws {
        var queue = queue(4000)
        while let job = queue.next() { queue.finished(job.id) }
        queue.putBack(UnitJob(unit: unit(.segment, 5), rendition: rendition("video", id: 1)))
        #expect(queue.next()?.id == unit("video", 5))
        queue.renew(unit("video", 7))
        #expect(queue.next()?.id == unit("video", 7))
    }

    @Test("a unit in transfer is not given out again when finished units are forgotten")
    func forgotten() {
        var queue = queue(4000)
        for _ in 0..<7999 {
            guard let job = queue.next() else { break }
            queue.finished(job.id)
        }
        let running = queue.next()?.id
        queue.add([])
        let last = queue.next()?.id
        #expect(running != nil && last != nil && last != running && queue.next() == nil)
    }

    /// Players that asked for these segments.
    private func players(_ units: [UnitID]) -> Playheads {
        var playheads = Playheads()
        for unit in units {
            playheads.requested(
                unit.rendition, unit.number, end: Double(unit.number + 1) * Self.seconds, now: 0)
        }
        return playheads
    }

    /// Takes and finishes units.
    private func finish(_ units: some Sequence<UnitID>, in queue: inout UnitQueue) {
        for unit in units where queue.take(unit) != nil { queue.finished(unit) }
    }

    @Test("without players everything comes by presentation time, initialization sections first")
    func order() {
        var queue = queue(2)
        var names: [String] = []
        while let job = queue.next() { names.append("\(job.rendition.name) \(job.fileName)") }
        #expect(names == ["audio init-0.mp4", "video 0.ts", "audio 0.ts", "video 1.ts", "audio 1.ts"])
        #expect(!queue.hasWaiting)
    }

    @Test("a unit that a player waits for comes first, in the order of requests, and once")
    func demand() {
        var queue = queue(100)
        var playheads = players([])
        for unit in [unit("video", 50), unit("audio", 50)] { playheads.hold(unit) }
        let wants = queue.wants(&playheads) { _ in false }
        #expect(wants.demanded == [unit("video", 50), unit("audio", 50)])
        #expect(wants.pressure == .demand)
        #expect(queue.take(unit("video", 50))?.unit.number == 50)
        #expect(queue.take(unit("video", 50)) == nil)
        #expect(queue.wants(&playheads) { _ in false }.demanded.count == 2)
        queue.finished(unit("video", 50))
        #expect(queue.wants(&playheads) { _ in false }.demanded == [unit("audio", 50)])
    }

    @Test("players in several places, and both renditions of one, get their next segments in turn")
    func fairness() {
        var queue = queue(100)
        var playheads = players([unit("video", 0), unit("audio", 0), unit("video", 60)])
        finish([unit("video", 0), unit("video", 1), unit("audio", 0), unit("video", 60)], in: &queue)
        let wants = queue.wants(&playheads) { _ in false }
        #expect(wants.ahead == [unit("audio", 1), unit("video", 61), unit("video", 2)])
        #expect(wants.pressure == .ahead)
    }

    @Test("with thirty seconds ahead a player shares the line until fifteen are left")
    func lead() {
        var queue = queue(100)
        var playheads = players([unit("video", 0)])
        finish((0...8).map { unit("video", $0) }, in: &queue)
        #expect(queue.wants(&playheads) { _ in false } == PlayerWants(pressure: .shared))
        playheads.requested("video", 3, end: 16, now: 1)
        #expect(queue.wants(&playheads) { _ in false }.ahead == [unit("video", 9)])
        #expect(queue.wants(&playheads) { _ in false }.pressure == .shared)
        playheads.requested("video", 5, end: 24, now: 2)
        #expect(queue.wants(&playheads) { _ in false }.pressure == .ahead)
    }

    @Test("a unit whose transfer waits before its next try does not hold up the rest")
    func resting() {
        let queue = queue(100)
        var playheads = Playheads()
        playheads.hold(unit("video", 7))
        #expect(queue.wants(&playheads) { $0 == unit("video", 7) }.pressure == .shared)
    }

    @Test("a lost rendition is taken out of the queue, and failed units may wait again")
    func dropping() {
        var queue = queue(2)
        queue.drop(rendition: 2)
        #expect(queue.next()?.id == unit("video", 0))
        queue.finished(unit("video", 0))
        queue.renew(unit("video", 0))
        #expect(queue.next()?.id == unit("video", 0))
        #expect(queue.next()?.id == unit("video", 1))
        #expect(queue.next() == nil)
    }

    @Test("a new player goes first until thirty seconds are ahead of it")
    func newPlayer() {
        var queue = queue(100)
        var playheads = players([unit("video", 0)])
        finish((0...5).map { unit("video", $0) }, in: &queue)
        let wants = queue.wants(&playheads) { _ in false }
        #expect(wants.ahead == [unit("video", 6)] && wants.pressure == .ahead)
    }

    @Test("a player that had enough goes first again below fifteen seconds, not at fifteen")
    func lowBorder() {
        var queue = queue(100)
        var playheads = players([unit("video", 0)])
        finish((0...8).map { unit("video", $0) }, in: &queue)
        let filled = queue.wants(&playheads) { _ in false }
        #expect(filled.pressure == .shared)
        playheads.requested("video", 3, end: 21, now: 1)
        let border = queue.wants(&playheads) { _ in false }
        #expect(border.ahead == [unit("video", 9)] && border.pressure == .shared)
        playheads.requested("video", 3, end: 21.5, now: 1)
        let low = queue.wants(&playheads) { _ in false }
        #expect(low.pressure == .ahead)
    }

    @Test("the segment that a player asked for is the next one that it wants as long as it is missing")
    func ownSegment() {
        let queue = queue(100)
        var playheads = players([unit("video", 5)])
        let wants = queue.wants(&playheads) { _ in false }
        #expect(wants.ahead == [unit("video", 5)])
    }

    @Test("a player wants the segments that were added to the queue later like those before them")
    func added() {
        var queue = queue(2)
        let video = rendition("video", id: 1)
        let more = [unit(.initialization, 1), unit(.segment, 2), unit(.segment, 3)]
        queue.add(more.map { UnitJob(unit: $0, rendition: video) })
        finish([unit("video", 0), unit("video", 1)], in: &queue)
        var playheads = players([unit("video", 1)])
        let wants = queue.wants(&playheads) { _ in false }
        #expect(wants.ahead == [unit("video", 2)])
    }

    @Test("a forgotten unit that is put back is found by a player before those with higher numbers")
    func putBackBefore() {
        var queue = queue(4000)
        finish((0..<3000).flatMap { [unit("video", $0), unit("audio", $0)] }, in: &queue)
        queue.add([])
        queue.putBack(UnitJob(unit: unit(.segment, 5), rendition: rendition("video", id: 1)))
        var playheads = players([unit("video", 4)])
        let wants = queue.wants(&playheads) { _ in false }
        #expect(wants.ahead == [unit("video", 5)])
    }

    @Test("a player of a rendition that has nothing to fetch shares the line")
    func otherRendition() {
        let queue = queue(100)
        var playheads = players([unit("stored", 0)])
        let wants = queue.wants(&playheads) { _ in false }
        #expect(wants == PlayerWants(pressure: .shared))
    }

    @Test("a queue whose units are all done has something to fetch again when one of them is renewed")
    func renewed() {
        var queue = queue(1)
        while let job = queue.next() { queue.finished(job.id) }
        #expect(!queue.hasWaiting)
        queue.renew(unit("video", 0))
        #expect(queue.hasWaiting)
    }

    @Test("a certain number of finished units stays known, and with more of them all are forgotten")
    func past() {
        /// The next unit when the first one is to be fetched again after so many.
        func next(after count: Int) -> UnitID? {
            var queue = queue(1500)
            for _ in 0..<count {
                guard let job = queue.next() else { return nil }
                queue.finished(job.id)
            }
            queue.add([])
            queue.renew(unit("video", 0))
            return queue.next()?.id
        }
        #expect(next(after: 2049) == unit("video", 0))
        let later = next(after: 2050)
        #expect(later != nil && later != unit("video", 0))
    }
}
