/// The tags between braces in a line of ASS, such as `\an8\pos(10,20)`.
struct ASSOverrides {
    /// The name and the rest of each tag.
    private(set) var tags: [(name: String, value: Substring)] = []

    private static let names = [
        "alpha", "blur", "bord", "clip", "fade", "fscx", "fscy", "iclip", "move", "shad", "an", "be", "fad",
        "fn", "fr", "fs", "kf", "ko", "org", "pbo", "pos", "1c", "2c", "3c", "4c", "a", "b", "c", "i", "k",
        "K", "p", "q", "r", "s", "t", "u",
    ]

    /// Reads the text between the braces.
    init(_ block: Substring) {
        for part in block.split(separator: "\\", omittingEmptySubsequences: true).prefix(200) {
            // Among several names that fit, the longest is first in the list or the only one with its letters.
            guard
                let name = ASSOverrides.names.filter({ part.hasPrefix($0) }).max(by: { $0.count < $1.count })
            else {
                continue
            }
            tags.append((name, part.dropFirst(name.count)))
        }
    }

    /// Applies the alignment alone, as people write it in SubRip.
    func place(_ settings: inout CueSettings) {
        guard let alignment else { return }
        settings = ASSPlacement(alignment: alignment, position: nil).settings
    }

    /// The alignment, if one is set.
    var alignment: Int? {
        for (name, value) in tags {
            if name == "an", let number = Int(value), (1...9).contains(number) { return number }
            if name == "a", let number = Int(value), (1...11).contains(number) {
                return ASSStyle.alignment(old: number)
            }
        }
        return nil
    }

    /// The position, if one is set; for a movement, its beginning.
    var position: (x: Double, y: Double)? {
        for (name, value) in tags where name == "pos" || name == "move" {
            let numbers = value.dropFirst().split { $0 == "," || $0 == ")" }.prefix(2).compactMap {
                Double($0.filter { $0 != " " })
            }
            if numbers.count == 2 { return (numbers[0], numbers[1]) }
        }
        return nil
    }
}

/// The place that ASS gives a text, as cue settings.
struct ASSPlacement {
    let alignment: Int
    /// The point of the alignment, as parts of the picture.
    let position: (x: Double, y: Double)?

    var settings: CueSettings {
        var settings = CueSettings()
        let column = (alignment - 1) % 3
        let row = (alignment - 1) / 3
        settings.textAlignment = [.left, .center, .right][column]
        guard let position else {
            if row == 2 { settings.line = 0 }
            if row == 1 {
                (settings.line, settings.snapsToLines, settings.lineAlignment) = (50, false, .center)
            }
            return settings
        }
        settings.snapsToLines = false
        settings.line = ASSPlacement.percent(position.y)
        settings.lineAlignment = [.end, .center, .start][row]
        settings.position = ASSPlacement.percent(position.x)
        settings.positionAlignment = [.lineLeft, .center, .lineRight][column]
        return settings
    }

    private static func percent(_ part: Double) -> Double {
        part.isFinite ? min(max((part * 10_000).rounded() / 100, 0), 100) : 0
    }
}
