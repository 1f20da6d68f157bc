/// Makes the tree of a cue text from its tokens (WebVTT §6.4, "cue text parsing rules").
struct CueTextBuilder {
    /// An open element with its node; `nil` if it is too deep to have one.
    private struct OpenElement {
        var tag: CueText.Tag
        var node: Int?
    }

    private var open: [OpenElement] = []

    mutating func add(_ token: CueTextToken, to nodes: inout [CueText.Node]) {
        switch token {
        case .text(let text):
            append(.text(text), to: &nodes)
        case .startTag(let name, let classes, let annotation):
            guard let tag = CueText.Tag(rawValue: String(decoding: name, as: UTF8.self)) else { return }
            if tag == .rubyText && open.last?.tag != .ruby { return }
            let hasAnnotation = tag == .voice || tag == .language
            start(.init(tag: tag, classes: classes, annotation: hasAnnotation ? annotation : ""), &nodes)
        case .endTag(let name):
            end(CueText.Tag(rawValue: String(decoding: name, as: UTF8.self)), &nodes)
        case .timestampTag(let value):
            if let time = CueTime(value) { append(.timestamp(time), to: &nodes) }
        }
    }

    /// Ends the elements that are still open.
    mutating func closeAll(_ nodes: inout [CueText.Node]) {
        while !open.isEmpty { close(&nodes) }
    }

    private mutating func start(_ element: CueText.Element, _ nodes: inout [CueText.Node]) {
        let fits = open.count < CueText.maximumDepth
        open.append(OpenElement(tag: element.tag, node: fits ? nodes.count : nil))
        if fits { append(.element(element), to: &nodes) }
    }

    private mutating func end(_ tag: CueText.Tag?, _ nodes: inout [CueText.Node]) {
        guard let tag, let current = open.last?.tag else { return }
        if current == tag {
            close(&nodes)
        } else if current == .rubyText && tag == .ruby {
            close(&nodes)
            close(&nodes)
        }
    }

    private mutating func close(_ nodes: inout [CueText.Node]) {
        if let node = open.removeLast().node { nodes[node].end = nodes.count }
    }

    private func append(_ content: CueText.Content, to nodes: inout [CueText.Node]) {
        nodes.append(CueText.Node(content: content, end: nodes.count + 1))
    }
}
