import Testing

@testable import Transfers

@Suite("Admission queue")
struct AdmissionQueueTests {
    @Test("elements begin in order of arrival within the host's limit")
    func order() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 2)
        for element in 1...4 { queue.add(element, host: "a", isHigh: false) }
        #expect(queue.next() == 1)
        #expect(queue.next() == 2)
        #expect(queue.next() == nil)
        queue.finished(host: "a")
        #expect(queue.next() == 3)
    }

    @Test("high priority goes first")
    func priority() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 10)
        queue.add(1, host: "a", isHigh: false)
        queue.add(2, host: "a", isHigh: true)
        #expect(queue.next() == 2)
        #expect(queue.next() == 1)
    }

    @Test("a full host does not hold up another, and hosts take turns")
    func hosts() {
        var queue = AdmissionQueue<String>(limit: 3, limitPerHost: 2)
        for index in 1...3 {
            queue.add("a\(index)", host: "a", isHigh: false)
            queue.add("b\(index)", host: "b", isHigh: false)
        }
        #expect([queue.next(), queue.next(), queue.next()] == ["a1", "b1", "a2"])
        #expect(queue.next() == nil)
        queue.finished(host: "a")
        #expect(queue.next() == "b2")
    }

    @Test("a raised limit holds as long as the queue lives")
    func raised() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 1)
        queue.add(1, host: "a", isHigh: false)
        #expect(queue.next() == 1)
        queue.raiseLimit(host: "a", to: 3)
        queue.finished(host: "a")
        for element in 2...5 { queue.add(element, host: "a", isHigh: false) }
        #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [2, 3, 4, nil])
    }

    @Test("ten thousand elements come out as they went in")
    func many() {
        var queue = AdmissionQueue<Int>(limit: 1, limitPerHost: 1)
        for element in 0..<10_000 { queue.add(element, host: "a", isHigh: false) }
        for element in 0..<10_000 {
            #expect(queue.next() == element)
            queue.finished(host: "a")
        }
        #expect(queue.removeAll().isEmpty)
    }

    @Test("other limits hold from then on, also for hosts that are known, and end nothing")
    func otherLimits() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 2)
        for number in 0..<6 { queue.add(number, host: "a", isHigh: false) }
        #expect(queue.next() == 0 && queue.next() == 1 && queue.next() == nil)
        queue.setLimits(all: 10, perHost: 3)
        #expect(queue.next() == 2 && queue.next() == nil)
        queue.setLimits(all: 10, perHost: 1)
        queue.finished(host: "a")
        queue.finished(host: "a")
        #expect(queue.next() == nil)
        queue.finished(host: "a")
        #expect(queue.next() == 3 && queue.next() == nil)
    }
}
