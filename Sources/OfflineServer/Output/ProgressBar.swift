internal import AssetStore

/// One line on a terminal that is drawn again and again.
struct ProgressBar {
    private let isLive: Bool
    private var isDrawn = false

    init(isLive: Bool) { self.isLive = isLive }

    mutating func draw(_ document: AssetDocument) {
        guard isLive else { return }
        Console.status("\r\u{1B}[K\(Self.line(document, width: Console.width))")
        isDrawn = true
    }

    /// The line for a terminal of so many columns; the bar takes what the facts leave.
    static func line(_ document: AssetDocument, width: Int) -> String {
        let asset = document.asset
        var facts = "\(HumanUnits.percent(asset.progress))  \(HumanUnits.bytes(asset.storedBytes))"
        if let expected = asset.expectedBytes {
            facts += " of \(asset.isSizeExact ? "" : "~")\(HumanUnits.bytes(expected))"
        }
        if let speed = document.speed { facts += "  \(HumanUnits.bytes(Int64(speed)))/s" }
        if let eta = document.eta { facts += "  \(HumanUnits.duration(eta)) left" }
        if asset.state != .downloading || asset.wait != nil { facts += "  \(document.state)" }
        let room = max(0, min(40, width - facts.count - 4))
        let filled = Int(Double(room) * asset.progress)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        return String("\(bar)  \(facts)".prefix(max(1, width - 1)))
    }

    mutating func clear() {
        guard isDrawn else { return }
        Console.status("\r\u{1B}[K")
        isDrawn = false
    }
}
