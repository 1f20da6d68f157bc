/// The parsed style sheets of a track: rules for cues and regions (WebVTT §8.2). Parsing never fails; an invalid rule
/// or declaration is dropped without affecting others (CSS Syntax 3 §2.2).
public struct CueStyleSheet: Sendable, Hashable {
    /// The largest number of selectors; further rules are left out.
    public static let maximumSelectors = 2000
    /// How many bytes of CSS are read.
    public static let maximumBytes = 1 << 20

    /// A selector with its declarations.
    struct Rule: Hashable {
        var selector: CueSelector
        var declarations: [StyleDeclaration]
        var important: [StyleDeclaration]
    }

    private(set) var rules: [Rule] = []

    /// Reads style sheets, the later ones counting more.
    public init(_ styles: [String] = []) {
        var room = CueStyleSheet.maximumBytes
        for style in styles where style.utf8.count <= room {
            room -= style.utf8.count
            add(style)
        }
    }

    private mutating func add(_ style: String) {
        var tokenizer = CSSTokenizer(style)
        add(tokenizer.values())
    }

    private mutating func add(_ values: [CSSToken]) {
        var prelude: [CSSToken] = []
        var statement: String?
        for token in values {
            switch token {
            case .atKeyword(let name) where statement == nil: statement = name
            case .block(UInt8(ascii: "{"), let contents):
                if statement == nil { addRule(prelude, contents) }
                if statement == "media", CueStyleSheet.matches(prelude) { add(contents) }
                (prelude, statement) = ([], nil)
            case .semicolon where statement != nil: (prelude, statement) = ([], nil)
            default: prelude.append(token)
            }
        }
    }

    /// Whether a media query is for screens; queries with conditions don't match (Media Queries 4 §2).
    private static func matches(_ query: [CSSToken]) -> Bool {
        query.commaSeparated.contains { part in
            let words = part.words.map { $0.keyword ?? "?" }.joined(separator: " ")
            return ["", "all", "screen", "only screen"].contains(words)
        }
    }

    private mutating func addRule(_ prelude: [CSSToken], _ block: [CSSToken]) {
        guard let selectors = SelectorReader.read(prelude) else { return }
        let entries = DeclarationReader.read(block)
        for selector in selectors where rules.count < CueStyleSheet.maximumSelectors {
            let allowed = selector.dependsOnTime ? entries.filter { !$0.declaration.affectsLayout } : entries
            rules.append(
                Rule(
                    selector: selector,
                    declarations: allowed.filter { !$0.isImportant }.map(\.declaration),
                    important: allowed.filter(\.isImportant).map(\.declaration)))
        }
    }
}
