internal import ArgumentParser
internal import AssetStore

/// Whether a request for parts that the stream lacks fails.
struct StrictOption: ParsableArguments {
    @Flag(
        help: """
            Fail before any media are fetched if the stream lacks something that you ask for. Without \
            this option, what is lacking is left out and named.
            """)
    var strict = false

    /// Names what was asked for and is not in an asset.
    static func tell(_ items: [LeftOut], of name: String? = nil, _ global: GlobalOptions) {
        let subject = name.map { "\($0): " } ?? ""
        for item in items { global.note("\(subject)left out: \(item.sentence)") }
    }
}
