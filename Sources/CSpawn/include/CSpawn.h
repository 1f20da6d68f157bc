#pragma once

// Both start a program: words[0], searched in PATH unless it has a slash, with `environment` and the file mode
// creation mask `mask` (-1: that of this process). It gets no descriptors but 0, 1 and 2, and no signal is blocked.
// They return 0, or the error number of the failure, also if the child could not become the program.

// In a session of its own, with `input`, `output` and `errors` as 0, 1 and 2, and no signal ignored. If `follows` is not 0,
// the program is killed when its parent thread ends. A kill of this process ends that thread, too.
int cspawn_start(
    char *const words[], char *const environment[], int mask, int input, int output, int errors, int follows,
    int *process);

// Runs a program in the terminal of this process, to its end: `end` is the result of waitpid. Signals that the caller
// ignores stay ignored, except SIGPIPE, which only this process ignores. In this time SIGINT and SIGQUIT are for the
// program only, as with system(3).
int cspawn_run(char *const words[], char *const environment[], int mask, int *end);
