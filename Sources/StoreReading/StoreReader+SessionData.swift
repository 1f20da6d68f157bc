internal import StoreModel

extension StoreReader {
    /// An item of session data, as the asset has it: chapters of a part of a stream count from the start of the part, and
    /// end with it.
    ///
    /// - Parameter number: the position of the item in the multivariant playlist.
    package func sessionData(
        of token: AssetToken, _ number: Int
    ) throws(StoreError) -> (bytes: [UInt8], isJSON: Bool)? {
        guard let item = try catalog?.sessionData.item(of: token, number) else { return nil }
        guard let record = try catalog?.assets.asset(token), let start = record.selection.partStart,
            try isListOfChapters(number, of: token),
            let part = ChapterList.part(of: item.body, from: start, length: record.duration)
        else { return (item.body, item.isJSON) }
        return (part, item.isJSON)
    }

    /// Whether DATA-ID says that an item is the list of chapters. Others may look like one.
    private func isListOfChapters(_ number: Int, of token: AssetToken) throws(StoreError) -> Bool {
        let listed = try catalog?.sessionData.listed(of: token) ?? []
        return listed.indices.contains(number)
            && listed[number].dataID == ServedMultivariantPlaylist.chaptersID
    }
}
