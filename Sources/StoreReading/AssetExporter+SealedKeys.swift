internal import Crypto
internal import FoundationEssentials
internal import SystemPackage

extension AssetExporter {
    /// Writes the keys of an asset into a folder so that only one other store can open them.
    func writeKeys(of token: AssetToken, to folder: FilePath, for recipient: StorePublicKey)
        throws(StoreError)
    {
        let license = try reader.requireProgress(of: token).license
        guard let record = try catalog?.licenses.license(of: token), license.state == .valid else {
            throw StoreError(license.state == .none ? .notEncrypted(token) : .license(.expired, token))
        }
        let content = SealedKeys.Content(
            keys: try openedKeys(of: token).map { SealedKeys.Key($0.key, $0.bytes) },
            license: SealedKeys.Terms(record, at: try reader.moment().trusted))
        guard let text = try? JSONText.encode(try SealedKeys(content, for: recipient)) else {
            throw StoreError(.vault)
        }
        try DurableWrite.write(Array(text.utf8), to: folder.appending(SealedKeys.fileName))
    }
}
