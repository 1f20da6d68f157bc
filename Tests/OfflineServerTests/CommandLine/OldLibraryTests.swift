import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A libcurl that is too old", .fewAtOnce, .timeLimit(.minutes(2)))
struct OldLibraryTests {
    /// A library with a version and all required functions, none of which may be called.
    private static let source = """
        static struct { int age; const char *version; unsigned number; } info = {0, "7.84.0", 0x075400};
        void *curl_version_info(int version) { (void)version; return &info; }
        #define UNUSABLE(name) void name(void) { __builtin_trap(); }
        """

    private static let functions = [
        "global_init", "getdate", "free", "slist_append", "slist_free_all", "easy_init", "easy_pause",
        "easy_cleanup", "easy_reset", "easy_setopt", "easy_getinfo", "multi_init", "multi_add_handle",
        "multi_remove_handle", "multi_perform", "multi_poll", "multi_wakeup", "multi_cleanup",
        "multi_info_read", "multi_setopt", "share_init", "share_cleanup", "share_setopt", "url", "url_set",
        "url_get", "url_cleanup",
    ]

    @Test("is named with its version, and no request is sent with it")
    func refused() async throws {
        let folder = try TemporaryDirectory()
        let functions = Self.functions.map { "UNUSABLE(curl_\($0))" }
        let source = ([Self.source] + functions).joined(separator: "\n") + "\n"
        try folder.write(Array(source.utf8), to: "old.c")
        let library = folder.file("libcurl.so.4")
        try #require(
            try ChildProcess("/usr/bin/cc", ["-shared", "-fPIC", "-o", library, folder.file("old.c")]).wait()
                == 0)
        let origin = try OriginServer()
        let program = try Program()
        let running = try await program.start(
            ["probe", origin.url("/index.m3u8")], under: ["env", "LD_LIBRARY_PATH=\(folder.path)"])
        let outcome = try await running.end()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("libcurl 7.84.0 is too old; install libcurl4 7.85 or newer"))
        #expect(origin.requests.isEmpty)
        withExtendedLifetime(folder) {}
    }
}
