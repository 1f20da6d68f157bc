internal import APIDocuments
internal import AssetStore

extension TokenArgument {
    /// The token that the argument of a command for one asset has.
    ///
    /// - Throws: `usage` for a tag, since any number of assets can have it.
    static func sole(_ text: String) throws -> AssetToken {
        guard !text.hasPrefix(AssetTag.prefix) else {
            throw CommandFailure(
                message: "this command takes one asset; give its token in place of \(text.plainLine)",
                status: CommandFailure.usage)
        }
        return try parse(text)
    }
}
