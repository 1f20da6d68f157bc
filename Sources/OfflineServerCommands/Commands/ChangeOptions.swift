internal import ArgumentParser

/// The option that accepts another stream at the origin.
struct ChangeOptions: ParsableArguments {
    @Flag(
        help:
            "If the origin has another stream now, throw away the stored one and fetch the new one in its place."
    )
    var acceptChanges = false
}
