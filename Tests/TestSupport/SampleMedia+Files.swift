import Foundation

extension SampleMedia {
    /// A file that shaka-packager made, encrypted or in the clear, by its name in `Fixtures/encrypted`.
    public static func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Bundle.module.bundleURL.appending(path: "encrypted/\(name)")))
    }
}
