/// A cue's text as a tree of elements, texts and timestamps (WebVTT §6.4).
///
/// The tree is kept as a list, each node before its children, so that no reader needs recursion.
///
/// ```swift
/// for node in CueText("<v Ada>Hello, <i>you</i>").nodes {
///     if case .text(let text) = node.content { print(text) }
/// }
/// ```
public struct CueText: Sendable, Hashable {
    /// The elements there are (WebVTT §4.2.2).
    public enum Tag: String, Sendable, Hashable {
        /// `<c>`: a span that only carries classes.
        case classSpan = "c"
        /// `<i>`
        case italic = "i"
        /// `<b>`
        case bold = "b"
        /// `<u>`
        case underline = "u"
        /// `<ruby>`: text with a reading beside it.
        case ruby
        /// `<rt>`: the reading, only within `<ruby>`.
        case rubyText = "rt"
        /// `<v>`: text of one voice.
        case voice = "v"
        /// `<lang>`: text in one language.
        case language = "lang"
    }

    /// An element without its children.
    public struct Element: Sendable, Hashable {
        /// The kind of element.
        public var tag: Tag
        /// The names after dots in the tag: `loud` and `red` in `<c.loud.red>`.
        public var classes: [String]
        /// The voice of `<v>` and the language tag of `<lang>`, character references resolved; otherwise empty.
        public var annotation: String
    }

    /// The kinds of nodes.
    public enum Content: Sendable, Hashable {
        /// An element with the nodes up to `Node.end` as descendants.
        case element(Element)
        /// Text, character references resolved. Never empty.
        case text(String)
        /// The time from which the text behind it is no longer "future" (WebVTT §4.2.2, cue timestamp).
        case timestamp(CueTime)
    }

    /// A node of the tree.
    public struct Node: Sendable, Hashable {
        /// The kind of the node, with its data.
        public var content: Content
        /// The index in `nodes` after its last descendant. For a leaf, the next index.
        public var end: Int
    }

    /// The largest depth of nested elements. Deeper ones are left out, their texts are kept.
    public static let maximumDepth = 200
    /// How many classes of an element are kept.
    public static let maximumClasses = 100
    /// The largest number of nodes. The rest of a longer text is left out.
    public static let maximumNodes = 100_000

    /// Every node, parents before children, in the order of the text.
    public internal(set) var nodes: [Node] = []

    /// Reads a cue text. Every text is valid: invalid markup is text, and unknown tags are left out.
    public init(_ text: String) {
        var builder = CueTextBuilder()
        var tokenizer = CueTextTokenizer(Array(text.utf8))
        while nodes.count < CueText.maximumNodes, let token = tokenizer.next() {
            builder.add(token, to: &nodes)
        }
        builder.closeAll(&nodes)
    }

    /// The text without markup. Readings of ruby are left out, as for chapter titles (WebVTT §6.6).
    public var plainText: String {
        var text = ""
        var index = 0
        while index < nodes.count {
            switch nodes[index].content {
            case .text(let value): text += value
            case .element(let element) where element.tag == .rubyText: index = nodes[index].end - 1
            case .element, .timestamp: break
            }
            index += 1
        }
        return text
    }
}
