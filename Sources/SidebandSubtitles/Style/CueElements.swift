/// The elements of a cue as selectors see them (WebVTT §8.2.1), parents before children. The first is the cue itself.
struct CueElements {
    /// An element with its position, and the properties for selectors.
    struct Element {
        /// The node in `CueText.nodes`; `nil` for the cue itself.
        var node: Int?
        var parent: Int?
        var previousSibling: Int?
        /// The element; `nil` for the cue itself.
        var content: CueText.Element?
        /// The cue's identifier, for the cue itself.
        var identifier = ""
        var language: String
        var isPast = false
        var isFuture = false

        /// The value of an attribute, if it has it.
        func attribute(_ name: String) -> String? {
            switch (name, content?.tag) {
            case ("voice", .voice?): content?.annotation
            case ("lang", .language?): language
            case ("lang", nil): language.isEmpty ? nil : language
            default: nil
            }
        }
    }

    private(set) var all: [Element]

    /// The elements of a cue.
    ///
    /// - Parameters:
    ///   - language: the track's, as a BCP-47 tag; empty when unknown.
    ///   - time: the playback position.
    init(_ content: CueText, identifier: String, language: String, at time: CueTime) {
        all = [Element(identifier: identifier, language: language)]
        let order = TimestampOrder(content, at: time)
        var open = [0]
        var lastChild: [Int?] = [nil]
        for (index, node) in content.nodes.enumerated() {
            while let top = open.last, index >= end(of: top, content) {
                open.removeLast()
                lastChild.removeLast()
            }
            guard case .element(let element) = node.content, let parent = open.last else { continue }
            let isLanguage = element.tag == .language
            all.append(
                Element(
                    node: index, parent: parent, previousSibling: lastChild.last ?? nil, content: element,
                    language: isLanguage ? element.annotation : all[parent].language,
                    isPast: order.hasPassed(after: node.end), isFuture: order.isAhead(before: index)))
            lastChild[lastChild.count - 1] = all.count - 1
            open.append(all.count - 1)
            lastChild.append(nil)
        }
    }

    private func end(of element: Int, _ content: CueText) -> Int {
        all[element].node.map { content.nodes[$0].end } ?? content.nodes.count
    }
}

/// The timestamps before and after a node (WebVTT §8.2.2).
private struct TimestampOrder {
    private var indices: [Int] = []
    /// For each timestamp, the latest up to it.
    private var latest: [CueTime] = []
    /// For each timestamp, the earliest from it on.
    private var earliest: [CueTime] = []
    private let time: CueTime

    init(_ content: CueText, at time: CueTime) {
        self.time = time
        for (index, node) in content.nodes.enumerated() {
            guard case .timestamp(let value) = node.content else { continue }
            indices.append(index)
            latest.append(max(value, latest.last ?? value))
            earliest.append(value)
        }
        for index in earliest.indices.dropLast().reversed() {
            earliest[index] = min(earliest[index], earliest[index + 1])
        }
    }

    /// Whether a timestamp before the playback position is at a node or after it.
    func hasPassed(after node: Int) -> Bool {
        let first = firstIndex(from: node)
        return first < earliest.count && earliest[first] < time
    }

    /// Whether a timestamp after the playback position is before a node.
    func isAhead(before node: Int) -> Bool {
        let first = firstIndex(from: node)
        return first > 0 && latest[first - 1] > time
    }

    private func firstIndex(from node: Int) -> Int {
        var (low, high) = (0, indices.count)
        while low < high {
            let middle = (low + high) / 2
            if indices[middle] < node { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
