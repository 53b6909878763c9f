import CSandbox

print(sandbox_library_version() >> 16)
