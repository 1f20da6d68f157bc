#pragma once

// Both start a program: words[0], looked for in PATH unless it has a slash, with `environment` and the file mode creation
// mask `mask` (-1: that of this process). It has no descriptor but 0, 1 and 2, and no signal is blocked. They give 0, or the
// error number of what failed, also when the child could not become the program.

// In a session of its own, with `input`, `output` and `errors` as 0, 1 and 2, and no signal ignored.
int cspawn_start(
    char *const words[], char *const environment[], int mask, int input, int output, int errors, int *process);

// In the terminal of this process, to its end: `end` is what waitpid says of it. It ignores what our caller has ignored; not
// SIGPIPE, which we do ourselves. Meanwhile SIGINT and SIGQUIT are for it alone, as with system(3).
int cspawn_run(char *const words[], char *const environment[], int mask, int *end);
