internal import ArgumentParser
internal import AssetStore

/// The option that makes it an error if a stream lacks a requested rendition.
struct StrictOption: ParsableArguments {
    @Flag(
        help: """
            Fail before any media are fetched if the stream lacks something that you ask for. Without \
            this option, missing items are left out and reported.
            """)
    var strict = false

    /// Reports requested renditions that an asset lacks.
    static func tell(_ items: [LeftOut], of name: String? = nil, _ global: GlobalOptions) {
        let subject = name.map { "\($0): " } ?? ""
        for item in items { global.note("\(subject)left out: \(item.sentence)") }
    }
}
