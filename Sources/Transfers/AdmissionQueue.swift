/// Decides which waiting element begins next: high priority first, then in order of arrival, within a limit for each
/// host and one for all. A reserve beyond the limit is for high priority only. Hosts take turns, so that a slow one
/// does not delay the others.
struct AdmissionQueue<Element> {
    private struct Host {
        var high = FirstInFirstOut<Element>()
        var normal = FirstInFirstOut<Element>()
        var active = 0
        var limit: Int
        let reserve: Int

        mutating func popFirst(isOverLimit: Bool) -> Element? {
            if active < limit + reserve, let element = high.popFirst() { return element }
            return active < limit && !isOverLimit ? normal.popFirst() : nil
        }
    }

    private var hosts: [String: Host] = [:]
    private var turns: [String] = []
    private var active = 0
    private var limit: Int
    private var limitPerHost: Int
    private let reserve: Int

    init(limit: Int, limitPerHost: Int, reserve: Int = 0) {
        self.reserve = max(0, reserve)
        self.limit = max(1, limit)
        self.limitPerHost = max(1, limitPerHost)
    }

    mutating func add(_ element: Element, host: String, isHigh: Bool) {
        if hosts[host] == nil {
            hosts[host] = Host(limit: limitPerHost, reserve: reserve)
            turns.append(host)
        }
        if isHigh {
            hosts[host]?.high.append(element)
        } else {
            hosts[host]?.normal.append(element)
        }
    }

    /// Takes the next element that may begin; it counts as active until `finished(host:)`.
    mutating func next() -> Element? {
        guard active < limit + reserve else { return nil }
        for (index, name) in turns.enumerated() {
            guard let element = hosts[name]?.popFirst(isOverLimit: active >= limit) else { continue }
            turns.remove(at: index)
            turns.append(name)
            active += 1
            hosts[name]?.active += 1
            return element
        }
        return nil
    }

    /// Gives back the place of an active element.
    mutating func finished(host: String) {
        active -= 1
        hosts[host]?.active -= 1
        guard let left = hosts[host], left.active == 0, left.high.isEmpty, left.normal.isEmpty,
            left.limit == limitPerHost
        else { return }
        hosts[host] = nil
        turns.removeAll { $0 == host }
    }

    /// Raises the limit of a host whose transfers share a connection.
    mutating func raiseLimit(host: String, to newLimit: Int) {
        if let old = hosts[host]?.limit { hosts[host]?.limit = max(old, newLimit) }
    }

    /// Changes the limits. Active elements beyond them continue.
    mutating func setLimits(all newLimit: Int, perHost newLimitPerHost: Int) {
        for name in turns where hosts[name]?.limit == limitPerHost {
            hosts[name]?.limit = max(1, newLimitPerHost)
        }
        (limit, limitPerHost) = (max(1, newLimit), max(1, newLimitPerHost))
    }

    /// Takes everything that waits.
    mutating func removeAll() -> [Element] {
        var rest: [Element] = []
        for name in turns {
            while let element = hosts[name]?.high.popFirst() ?? hosts[name]?.normal.popFirst() {
                rest.append(element)
            }
        }
        return rest
    }
}

/// A queue: the element that was appended first is removed first.
struct FirstInFirstOut<Element> {
    private var elements: [Element?] = []
    private var front = 0

    var isEmpty: Bool { front == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard front < elements.count else { return nil }
        defer {
            elements[front] = nil
            front += 1
            if front * 2 > elements.count {
                elements.removeFirst(front)
                front = 0
            }
        }
        return elements[front]
    }
}
