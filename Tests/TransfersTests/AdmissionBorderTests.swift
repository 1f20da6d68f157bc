import Testing

@testable import Transfers

@Suite("The places of an admission queue")
struct AdmissionBorderTests {
    @Test("beyond a host's limit are for high priority, as many as the reserve has")
    func reserveOfHost() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 1, reserve: 1)
        for element in 1...2 { queue.add(element, host: "a", isHigh: false) }
        #expect(queue.begun() == [1])
        for element in 3...4 { queue.add(element, host: "a", isHigh: true) }
        #expect(queue.begun() == [3])
        queue.finished(host: "a")
        #expect(queue.begun() == [4])
        queue.finished(host: "a")
        #expect(queue.begun() == [])
        queue.finished(host: "a")
        #expect(queue.begun() == [2])
    }

    @Test("beyond the limit of all are for high priority, whatever room a host has")
    func reserveOfAll() {
        var queue = AdmissionQueue<Int>(limit: 1, limitPerHost: 5, reserve: 1)
        queue.add(1, host: "a", isHigh: false)
        #expect(queue.begun() == [1])
        queue.add(2, host: "b", isHigh: false)
        queue.add(3, host: "b", isHigh: true)
        queue.add(4, host: "c", isHigh: true)
        #expect(queue.begun() == [3])
        queue.finished(host: "a")
        #expect(queue.begun() == [4])
        queue.finished(host: "b")
        #expect(queue.begun() == [])
        queue.finished(host: "c")
        #expect(queue.begun() == [2])
    }

    @Test("are one at least, and a reserve below zero is none")
    func least() {
        var queue = AdmissionQueue<Int>(limit: 0, limitPerHost: -1, reserve: -5)
        queue.add(1, host: "a", isHigh: false)
        queue.add(2, host: "a", isHigh: true)
        #expect(queue.begun() == [2])
        queue.setLimits(all: 0, perHost: -3)
        queue.finished(host: "a")
        #expect(queue.begun() == [1])
    }

    @Test("are given to elements that wait when the last active one of their host ends")
    func waiting() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 1)
        queue.add(1, host: "a", isHigh: false)
        #expect(queue.begun() == [1])
        queue.add(2, host: "a", isHigh: false)
        queue.add(3, host: "a", isHigh: true)
        queue.finished(host: "a")
        #expect(queue.begun() == [3])
        queue.finished(host: "a")
        #expect(queue.begun() == [2])
        queue.finished(host: "a")
        queue.add(4, host: "a", isHigh: false)
        #expect(queue.begun() == [4])
    }

    @Test("stay taken by the other elements of a host when one ends")
    func others() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 2)
        for element in 1...2 { queue.add(element, host: "a", isHigh: false) }
        #expect(queue.begun() == [1, 2])
        queue.finished(host: "a")
        for element in 3...4 { queue.add(element, host: "a", isHigh: false) }
        #expect(queue.begun() == [3])
    }

    @Test("of a host become more by a higher limit, and not fewer by a lower one")
    func raised() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 3)
        queue.raiseLimit(host: "a", to: 9)
        for element in 1...6 { queue.add(element, host: "a", isHigh: false) }
        queue.raiseLimit(host: "a", to: 2)
        #expect(queue.begun() == [1, 2, 3])
        queue.raiseLimit(host: "a", to: 4)
        #expect(queue.begun() == [4])
        queue.setLimits(all: 10, perHost: 2)
        queue.finished(host: "a")
        #expect(queue.begun() == [5])
    }

    @Test("stay free when everything that waits is taken out, high priority first")
    func takenOut() {
        var queue = AdmissionQueue<Int>(limit: 10, limitPerHost: 10)
        for (element, isHigh) in [(1, false), (2, true), (3, false)] {
            queue.add(element, host: "a", isHigh: isHigh)
        }
        queue.add(4, host: "b", isHigh: false)
        #expect(queue.removeAll() == [2, 1, 3, 4])
        #expect(queue.begun() == [])
    }
}

extension AdmissionQueue {
    /// Takes the elements that may begin now.
    fileprivate mutating func begun() -> [Element] {
        var begun: [Element] = []
        while let element = next() { begun.append(element) }
        return begun
    }
}

@Suite("A queue")
struct FirstInFirstOutTests {
    @Test("is empty before the first element and after the last one")
    func empty() {
        var queue = FirstInFirstOut<Int>()
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
        queue.append(1)
        #expect(!queue.isEmpty)
        #expect(queue.popFirst() == 1)
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }

    @Test("keeps the order of many elements that come and go by turns", arguments: [1, 64, 65, 130])
    func turns(waiting: Int) {
        var queue = FirstInFirstOut<Int>()
        for element in 0..<waiting { queue.append(element) }
        for element in 0..<300 {
            queue.append(waiting + element)
            #expect(queue.popFirst() == element)
            #expect(!queue.isEmpty)
        }
        for element in 300..<300 + waiting { #expect(queue.popFirst() == element) }
        #expect(queue.isEmpty)
    }
}
