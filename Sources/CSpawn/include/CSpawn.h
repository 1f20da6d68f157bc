#pragma once

// posix_spawn_file_actions_addclosefrom_np, which Swift's Glibc module leaves out: the child has no descriptor from
// `first` on. `actions` is a posix_spawn_file_actions_t.
int cspawn_close_from(void *actions, int first);
