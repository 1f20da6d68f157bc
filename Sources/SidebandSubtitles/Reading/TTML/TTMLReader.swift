/// Reads TTML in the forms that IMSC and its predecessors use for text (TTML2, IMSC 1.1).
///
/// It keeps times, line breaks, italic, bold, underline, ruby, colors of text, and the places of
/// regions. Animation, images and fonts are ignored.
struct TTMLReader {
    private struct Element {
        var name: String
        var span: TTMLSpan
        var style: TTMLStyle
        var region: String?
        var keepsSpace: Bool
        /// In a sequence: when the element before ended.
        var latestEnd: Double?
    }

    /// The largest depth of nested elements. Deeper ones are left out, their text is kept.
    private static let maximumDepth = 100

    private var clock = TTMLClock()
    private var layout = TTMLLayout()
    private var styles: [String: [String: String]] = [:]
    private var regions: [String: TTMLStyle] = [:]
    private var stack: [Element] = []
    private var excess = 0
    private var paragraph: TTMLParagraph?
    private var track = SubtitleTrack()
    private let limits: WebVTTLimits

    /// Reads a single document. A cue without an end lasts as long as the others, and is endless if it begins after
    /// them.
    ///
    /// - Throws: the same errors as `track`.
    static func file(_ bytes: [UInt8], limits: WebVTTLimits) throws(WebVTTError) -> SubtitleTrack {
        var read = try TTMLReader.track(bytes, limits: limits)
        guard let latest = read.cues.lazy.filter({ !$0.isEndless }).map(\.end).max() else { return read }
        for index in read.cues.indices where read.cues[index].isEndless && read.cues[index].start < latest {
            read.cues[index].end = latest
        }
        return read
    }

    /// Reads a document. Cues without an end are endless.
    ///
    /// - Throws: `unknownFormat` without a `tt` element, and errors about exceeded limits.
    static func track(_ bytes: [UInt8], limits: WebVTTLimits = .init()) throws(WebVTTError) -> SubtitleTrack {
        guard bytes.count <= limits.bytes else { throw WebVTTError(.tooManyBytes) }
        var reader = TTMLReader(limits: limits)
        var scanner = XMLScanner(bytes)
        var isDocument = false
        while let event = scanner.next() {
            switch event {
            case .start(let name, let attributes):
                isDocument = isDocument || name == "tt"
                reader.start(name, attributes)
            case .end: try reader.end()
            case .text(let text): reader.add(text)
            }
        }
        guard isDocument else { throw WebVTTError(.unknownFormat) }
        // A document that was cut off, or never ends its elements, ends here.
        reader.excess = 0
        while !reader.stack.isEmpty { try reader.end() }
        return reader.track
    }

    private init(limits: WebVTTLimits) { self.limits = limits }

    private mutating func start(_ name: String, _ attributes: [String: String]) {
        guard stack.count < TTMLReader.maximumDepth else {
            excess += 1
            return
        }
        if name == "tt" {
            clock = TTMLClock(attributes)
            layout = TTMLLayout(attributes)
        }
        let parent = stack.last
        var style = parent?.style.handedDown ?? TTMLStyle()
        style.apply(named(attributes["style"]))
        style.apply(attributes)
        define(name, attributes, style: style, within: parent)
        let span = TTMLSpan(attributes, in: parent?.span, after: parent?.latestEnd, clock)
        let ownRegion = attributes[name == "region" ? "id" : "region"]
        stack.append(
            Element(
                name: name, span: span, style: style, region: ownRegion ?? parent?.region,
                keepsSpace: attributes["space"].map { $0 == "preserve" } ?? parent?.keepsSpace ?? false,
                latestEnd: attributes["timeContainer"] == "seq" ? span.start : nil))
        if name == "p" { paragraph = TTMLParagraph(span) }
        if name == "br" { paragraph?.breakLine(span) }
        if style["ruby"] == "container" { paragraph?.addMarkup("<ruby>", span) }
    }

    private mutating func define(
        _ name: String, _ attributes: [String: String], style: TTMLStyle, within parent: Element?
    ) {
        guard regions.count + styles.count < limits.blocks else { return }
        if name == "style", let id = attributes["id"] {
            styles[id] = named(attributes["style"]).merging(attributes) { $1 }
        } else if name == "style", let parent, parent.name == "region", let id = parent.region {
            regions[id, default: TTMLStyle()].apply(attributes)
        } else if name == "region", let id = attributes["id"] {
            regions[id] = style
        }
    }

    /// The attributes of the styles that are named, the last one first in force.
    private func named(_ names: String?) -> [String: String] {
        (names ?? "").split(separator: " ").reduce(into: [:]) { all, name in
            all.merge(styles[String(name)] ?? [:]) { $1 }
        }
    }

    private mutating func end() throws(WebVTTError) {
        if excess > 0 {
            excess -= 1
            return
        }
        guard let element = stack.popLast() else { return }
        if stack.last?.latestEnd != nil { stack[stack.count - 1].latestEnd = element.span.end }
        if element.style["ruby"] == "container" { paragraph?.addMarkup("</ruby>", element.span) }
        guard element.name == "p", let finished = paragraph else { return }
        paragraph = nil
        let region = element.region.flatMap { regions[$0] }
        // The region's style applies unless a nearer element overrides it.
        var style = region ?? TTMLStyle()
        style.apply(element.style.attributes)
        let settings = layout.settings(style, isPlaced: region != nil)
        for cue in finished.cues(settings) {
            guard track.cues.count < limits.cues else { throw WebVTTError(.tooManyCues) }
            track.cues.append(cue)
        }
    }

    /// Text counts in paragraphs and spans; elsewhere it is metadata.
    private mutating func add(_ text: String) {
        guard let element = stack.last, ["p", "span"].contains(element.name) else { return }
        let look = look(of: element)
        paragraph?.add(text, look, span: element.span, keepsSpace: element.keepsSpace)
    }

    /// The style of an element's text, which inherits from its region unless a nearer element overrides it (TTML2
    /// §10.4).
    private func look(of element: Element) -> TTMLStyle {
        guard let region = element.region.flatMap({ regions[$0] }) else { return element.style }
        var style = region.handedDown
        style.apply(element.style.attributes)
        return style
    }
}
