public import ArgumentParser
public import AssetStore

extension AssetToken: ExpressibleByArgument {
    /// A token as a user types it.
    public init?(argument: String) { self.init(argument) }
}
