extension StorageTable {
    /// The bucket with media of the store; `nil` if they are in its folder.
    package func mediaPlace() throws(StoreError) -> String? {
        try read { try $0.value("SELECT place FROM media_place") }
    }

    /// Notes the bucket for the store's media from now on.
    package func setMediaPlace(_ place: String) throws(StoreError) {
        try write(.store) { session in
            try session.execute("DELETE FROM media_place")
            try session.execute("INSERT INTO media_place (id, place) VALUES (1, ?)", [place])
        }
    }
}
