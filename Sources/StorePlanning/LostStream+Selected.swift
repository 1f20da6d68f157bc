internal import HLSPlaylist

extension LostStream {
    package init(_ stream: SelectedStream, _ error: StoreError) {
        let attributes = stream.listings.first
        self.init(
            kind: stream.kind.rawValue, language: attributes?["LANGUAGE"],
            title: attributes?["NAME"], resolution: attributes?["RESOLUTION"],
            bandwidth: attributes?.integer("BANDWIDTH"), reason: error.occurrence)
    }
}
