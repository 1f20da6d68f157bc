extension StorageTable {
    /// The bucket in which media of the store are; `nil` when they are in its folder.
    package func mediaPlace() throws(StoreError) -> String? {
        try read { try $0.value("SELECT place FROM media_place") }
    }

    /// Notes the bucket in which media of the store are from now on.
    package func setMediaPlace(_ place: String) throws(StoreError) {
        try write(.store) { session in
            try session.execute("DELETE FROM media_place")
            try session.execute("INSERT INTO media_place (id, place) VALUES (1, ?)", [place])
        }
    }
}
