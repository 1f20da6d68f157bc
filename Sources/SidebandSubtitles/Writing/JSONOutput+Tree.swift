internal import ASCII

extension JSONOutput {
    /// The tree of a cue text as nested arrays of nodes (WebVTT §6.5).
    mutating func tree(_ text: CueText) {
        open("[")
        var ends: [Int] = []
        for (index, node) in text.nodes.enumerated() {
            while let end = ends.last, end == index {
                closeElement()
                ends.removeLast()
            }
            switch node.content {
            case .text(let value): leaf("text", value)
            case .timestamp(let time): leaf("timestamp", time.description)
            case .element(let element):
                openElement(element)
                ends.append(node.end)
            }
        }
        for _ in ends { closeElement() }
        close("]")
    }

    private mutating func leaf(_ type: String, _ value: String) {
        open("{")
        member("type", type)
        member("value", value)
        close("}")
    }

    private mutating func openElement(_ element: CueText.Element) {
        open("{")
        member("type", "element")
        member("name", element.tag.elementName)
        name("attrs")
        open("{")
        if !element.classes.isEmpty { member("class", element.classes.joined(separator: " ")) }
        if element.tag == .voice { member("title", element.annotation) }
        if element.tag == .language { member("lang", element.annotation) }
        close("}")
        name("children")
        open("[")
    }

    private mutating func closeElement() {
        close("]")
        close("}")
    }
}

extension CueText.Tag {
    /// The HTML element that stands for the tag (WebVTT §6.5).
    var elementName: String {
        switch self {
        case .classSpan, .voice, .language: "span"
        case .italic, .bold, .underline, .ruby, .rubyText: rawValue
        }
    }
}
