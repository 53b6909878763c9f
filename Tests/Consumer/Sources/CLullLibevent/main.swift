import CLullLibevent

let base = event_base_new()
print(String(cString: event_base_get_method(base)))
event_base_free(base)
