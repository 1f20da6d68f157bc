internal import ArgumentParser
internal import AssetStore

/// Whether what is asked for and can't be had is a failure.
struct StrictOption: ParsableArguments {
    @Flag(
        help: """
            Fail, before any media, where something that is asked for is not in the stream or does not apply; else what \
            is left out is named.
            """)
    var strict = false

    /// Names what was asked for and is not in an asset.
    static func tell(_ items: [LeftOut], of name: String? = nil, _ global: GlobalOptions) {
        let subject = name.map { "\($0): " } ?? ""
        for item in items { global.note("\(subject)left out: \(item.sentence)") }
    }
}
