package import StoreModel

extension StoreError {
    /// The case with its values, to be compared.
    package var text: String {
        "\(code)".replacing(#/\b(AssetStore|Downloads|Licensing|MediaDecryption|Store\w+)\.\w+\./#, with: ".")
    }
}

/// What a throwing call fails with.
package func failure(_ body: () async throws -> Void) async -> StoreError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StoreError
    }
}
