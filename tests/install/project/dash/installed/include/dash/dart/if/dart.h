#error "DASH's own copy of the DART headers hides those of Tessera"
