internal import ASCII

/// The lines of a playlist being written.
struct PlaylistOutput {
    var bytes: [UInt8] = []

    /// Writes one line; line ends inside of the text are left out.
    mutating func line(_ text: String) {
        bytes.append(contentsOf: PlaylistLine.text(text).utf8)
        bytes.append(.lineFeed)
    }

    mutating func tag(_ name: String, _ attributes: AttributeList) {
        line("#\(name):\(attributes.verbatim)")
    }
}

extension StartPoint {
    var attributes: AttributeList {
        let list = AttributeList().setting("TIME-OFFSET", plain: DecimalText.text(timeOffset))
        return isPrecise ? list.setting("PRECISE", plain: "YES") : list
    }
}
