internal import APIDocuments
internal import AssetStore
internal import OfflineServer

/// A progress bar on one line of a terminal.
struct ProgressBar {
    private let isLive: Bool
    private var isDrawn = false

    init(isLive: Bool) { self.isLive = isLive }

    mutating func draw(_ document: AssetDocument) {
        guard isLive else { return }
        Console.draw(Self.line(document, width: Console.width))
        isDrawn = true
    }

    /// The line for a terminal of this width: an error, if there is one, otherwise a bar in the space beside the
    /// facts.
    static func line(
        _ document: AssetDocument, width: Int, now: Timestamp = SystemWallClock().now
    ) -> String {
        let asset = document.asset
        if let trouble = ActivityLine.text(document.activity, now: now) {
            let share = asset.isRecording ? "recording" : HumanUnits.percent(asset.progress)
            return String("\(share)  \(trouble)".prefix(max(1, width - 1)))
        }
        guard !asset.isRecording else { return recording(document, width: width) }
        // Bytes of segments that are not whole yet count, too: on a slow line, many come at the same time.
        let received = asset.storedBytes + document.inFlight
        var (bytes, share) = (HumanUnits.bytes(received), asset.progress)
        if let expected = asset.expectedBytes {
            bytes += " of \(asset.isSizeExact ? "" : "~")\(HumanUnits.bytes(expected))"
            let more = Double(document.inFlight) / Double(max(1, expected))
            share = max(share, min(0.99, share + more))
        }
        // In a narrow terminal, facts with the highest rank are left out first.
        var all = [(HumanUnits.percent(share), rank: 0), (bytes, rank: 4)]
        if let speed = document.speed { all.append(("\(HumanUnits.bytes(Int64(speed)))/s", rank: 3)) }
        if let eta = document.eta { all.append(("\(HumanUnits.duration(eta)) left", rank: 2)) }
        if asset.state != .downloading || asset.wait != nil { all.append((document.state, rank: 1)) }
        let facts = fitting(all, in: width - 3)
        let room = max(0, min(40, width - facts.count - 4))
        let filled = Int(Double(room) * share)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        return String("\(bar)  \(facts)".prefix(max(1, width - 1)))
    }

    /// The line about a recording: a live stream has no whole of which a bar could show a share.
    private static func recording(_ document: AssetDocument, width: Int) -> String {
        let asset = document.asset
        var all = [("recording \(HumanUnits.duration(asset.duration))", rank: 0)]
        all.append((HumanUnits.bytes(asset.storedBytes), rank: 2))
        if let speed = document.speed { all.append(("\(HumanUnits.bytes(Int64(speed)))/s", rank: 3)) }
        if asset.wait != nil { all.append((document.state, rank: 1)) }
        return String(fitting(all, in: width - 3).prefix(max(1, width - 1)))
    }

    /// The facts that fit side by side; those of the lowest rank always stay.
    static func fitting(_ facts: [(text: String, rank: Int)], in width: Int) -> String {
        var left = facts
        while true {
            let line = left.map(\.text).joined(separator: "  ")
            guard line.count > width, left.count > 1, let most = left.map(\.rank).max() else { return line }
            left.removeAll { $0.rank == most }
        }
    }

    mutating func clear() {
        guard isDrawn else { return }
        Console.clear()
        isDrawn = false
    }
}
