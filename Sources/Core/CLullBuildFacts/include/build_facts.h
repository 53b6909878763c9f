// What is known of a build only when it is made.
#pragma once

/// Returns the commit that was built, or an empty text if it wasn't told.
const char *build_facts_commit(void);
