extension Task where Failure == Never {
    /// What it results in, for those of one run who wait for it. When they are cancelled, so is this: nobody wants it then.
    var sharedValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}
