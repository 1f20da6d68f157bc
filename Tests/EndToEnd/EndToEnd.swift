import Testing

/// The built product with real origins and players. One test at a time: players take whole CPUs, which the other
/// targets' tests, running beside these, need too.
@Suite("End to end", .serialized)
enum EndToEnd {}
