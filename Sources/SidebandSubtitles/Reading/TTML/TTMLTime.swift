/// How a TTML document counts time (TTML2 §12.3).
struct TTMLClock {
    private var framesPerSecond = 30.0
    private var subFrames = 1.0
    private var ticksPerSecond: Double?

    init() {}

    /// The clock that the root element's attributes set.
    init(_ attributes: [String: String]) {
        func rate(_ name: String) -> Double? {
            attributes[name].flatMap { Double($0) }.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
        framesPerSecond = rate("frameRate") ?? framesPerSecond
        subFrames = rate("subFrameRate") ?? subFrames
        let factor = (attributes["frameRateMultiplier"] ?? "").split { $0 == " " || $0 == ":" }
            .compactMap { Double($0) }
        if factor.count == 2, factor[0] > 0, factor[1] > 0 { framesPerSecond *= factor[0] / factor[1] }
        let isCounted = attributes["frameRate"] != nil
        ticksPerSecond = rate("tickRate") ?? (isCounted ? framesPerSecond * subFrames : nil)
    }

    /// The seconds of a time expression: `01:02:03.5`, `01:02:03:12` or `3723.5s`; `nil` for other texts.
    func seconds(_ expression: String) -> Double? {
        let text = expression.filter { !$0.isWhitespace }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        let value: Double
        if parts.count >= 3 {
            guard parts.count <= 4, !parts.contains(nil) else { return nil }
            let numbers = parts.compactMap(\.self)
            value =
                numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
                + (numbers.count == 4 ? numbers[3] / framesPerSecond : 0)
        } else {
            let metric = String(text.reversed().prefix { $0.isLetter }.reversed())
            guard let number = Double(text.dropLast(metric.count)), let unit = unit(metric) else {
                return nil
            }
            value = number * unit
        }
        return value.isFinite && value >= 0 ? min(value, 1e10) : nil
    }

    /// Seconds of a metric.
    private func unit(_ metric: String) -> Double? {
        switch metric {
        case "h": 3600
        case "m": 60
        case "s": 1
        case "ms": 0.001
        case "f": 1 / framesPerSecond
        case "t": 1 / (ticksPerSecond ?? 1)
        default: nil
        }
    }
}
