#include "CPangoCairo.h"
#include <dlfcn.h>
#include <stddef.h>

CPangoCairoFunctions cpc_functions;

int cpc_load(void) {
    // The search includes its dependencies, among them Pango and Cairo.
    void *library = dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) return -1;
#define CPC_LOAD(result, name, parameters, arguments)                                                                \
    *(void **)&cpc_functions.name = dlsym(library, #name);                                                           \
    if (cpc_functions.name == NULL) return -1;
    CPC_FUNCTIONS(CPC_LOAD)
#undef CPC_LOAD
    return 0;
}
