/* What isn't a job. */

#include "host.h"

static void test_idle_and_timers(void) {
    struct host host;
    lull_observer *observer;
    lull_timer *once, *often;
    open_host(&host);
    CHECK(lull_before_idle(host.loop, 0, LULL_MODE_ALL, idle, &host, &observer) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.calls == 5);
    CHECK(lull_poke(host.loop) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.calls == 6);
    CHECK(lull_observer_cancel(observer) == LULL_OK);
    CHECK(lull_observer_cancel(observer) == LULL_STALE);
    CHECK(lull_before_idle(host.loop, 0, LULL_MODE_ALL, idle, &host, NULL) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.calls == 7);

    CHECK(lull_timer_new(host.loop, MS, LULL_NONE, LULL_NONE, fire, &host, &once) == LULL_OK);
    CHECK(lull_timer_new(host.loop, 0, LULL_NONE, 0, fire, &host, NULL) == LULL_OK);
    host.calls = 100;
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.calls >= 102);
    CHECK(lull_timer_cancel(once) == LULL_STALE);
    host.calls = 100;
    CHECK(lull_timer_new(host.loop, 0, MS, LULL_NONE, fire, &host, &often) == LULL_OK);
    while (host.calls < 103) event_base_loop(host.base, EVLOOP_ONCE);
    CHECK(lull_timer_cancel(often) == LULL_OK);
    CHECK(lull_timer_cancel(often) == LULL_STALE);
    CHECK(
        lull_timer_new(host.loop, INT64_MAX, INT64_MAX, INT64_MAX, fire, &host, &often) ==
        LULL_OK);
    close_host(&host);
    CHECK(lull_timer_cancel(often) == LULL_STALE);
}

static void test_many_handles(void) {
    enum { MANY = 5000 };
    static lull_timer *timers[MANY];
    struct host host;
    int i;
    open_host(&host);
    for (i = 0; i < MANY; i++) {
        CHECK(
            lull_timer_new(
                host.loop, 1000 * MS, LULL_NONE, LULL_NONE, fire, NULL, &timers[i]) == LULL_OK);
    }
    for (i = 0; i < MANY; i += 2) CHECK(lull_timer_cancel(timers[i]) == LULL_OK);
    for (i = 0; i < MANY; i++) {
        CHECK(lull_timer_cancel(timers[i]) == (i % 2 ? LULL_OK : LULL_STALE));
    }
    close_host(&host);
}

static void test_words(void) {
    int status;
    for (status = LULL_UNSUPPORTED; status <= LULL_ABSENT; status++) {
        const char *text = lull_status_text((lull_status)status);
        CHECK(text && *text && strcmp(text, "no status"));
    }
    CHECK(!strcmp(lull_status_text((lull_status)-9), "no status"));
    CHECK(!strcmp(lull_end_text(LULL_END_DONE), "done"));
    CHECK(!strcmp(lull_end_text((lull_end)7), "no end"));
}

static void test_versions(void) {
    char text[32];
    snprintf(
        text, sizeof text, "%d.%d.%d", LULL_VERSION_MAJOR, LULL_VERSION_MINOR,
        LULL_VERSION_PATCH);
    CHECK(!strcmp(text, LULL_VERSION_TEXT));
    CHECK(!strcmp(text, lull_version_text()));
    CHECK(lull_version() == LULL_VERSION);
    CHECK(LULL_VERSION < LULL_VERSION_NUMBER(LULL_VERSION_MAJOR, LULL_VERSION_MINOR + 1, 0));
    CHECK(lull_check_version(LULL_VERSION) == LULL_OK);
    CHECK(lull_check_version(LULL_VERSION_NUMBER(LULL_VERSION_MAJOR, 0, 0)) == LULL_OK);
    CHECK(
        lull_check_version(LULL_VERSION_NUMBER(LULL_VERSION_MAJOR, LULL_VERSION_MINOR, 99))
        == LULL_OK);
    CHECK(
        lull_check_version(LULL_VERSION_NUMBER(LULL_VERSION_MAJOR, LULL_VERSION_MINOR + 1, 0))
        == LULL_UNSUPPORTED);
    CHECK(
        lull_check_version(LULL_VERSION_NUMBER(LULL_VERSION_MAJOR + 1, 0, 0)) == LULL_UNSUPPORTED);
    CHECK(lull_check_version(0x7FFFFFFF) == LULL_UNSUPPORTED);
    CHECK(lull_check_version(-1) == LULL_UNSUPPORTED);
}

void test_idle(void) {
    test_idle_and_timers();
    test_many_handles();
    test_words();
    test_versions();
}
