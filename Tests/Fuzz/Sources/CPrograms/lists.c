#include <math.h>
#include <stdlib.h>

#include "choices.h"
#include "state.h"

#define LISTS 6

typedef struct list_state {
    lull_list *handle;
    size_t loop;
    int64_t rows;
    /// The number of values that it was given and hasn't dropped.
    int live;
    /// The depth of calls inside its callbacks, but for loads.
    int depth;
    bool is_over, is_loading;
} list_state;

/// A value of a list, freed when it is dropped.
typedef struct value {
    uint64_t key;
} value;

static list_state lists[LISTS];
static size_t made;

void lists_begin(void) {
    made = 0;
}

void lists_end(size_t loop) {
    for (size_t i = 0; i < made; i++) {
        if (lists[i].loop != loop) continue;
        lists[i].is_over = true;
        MUST(lists[i].live == 0, "all values are dropped before a loop is closed");
    }
}

/// Does a few things inside of a callback of a list.
static void call_back_from(list_state *list) {
    list->depth++;
    call_back(list->loop);
    list->depth--;
}

static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
    list_state *list = context;
    MUST(!list->is_over, "a closed list loads nothing");
    look_at(slot);
    list->is_loading = true;
    call_back(list->loop);
    list->is_loading = false;
    value *found = load->value;
    if (found) MUST(found->key == load->key, "a load finds what it has left");
    if (choose(4) == (found != NULL)) {
        value *left = malloc(sizeof *left);
        if (!left) abort();
        left->key = load->key;
        load->value = left;
        list->live++;
    }
    uint8_t odd = choose_byte();
    if (odd & 1) load->bytes = choose(2) ? 100 : choose_duration();
    if (odd & 2) load->share = (double)choose(4) / 2;
    if (odd & 4) load->retry_after = choose_duration();
    return (lull_progress)choose(6);
}

static void show(const lull_row *row, void *context) {
    list_state *list = context;
    MUST(!list->is_over, "a closed list shows nothing");
    MUST(row->row >= 0 && row->row < list->rows, "a row that is shown is there");
    if (row->value) MUST(((value *)row->value)->key < 64, "a value that is shown is there");
    call_back_from(list);
}

static void drop(uint64_t key, void *context, void *screen) {
    list_state *list = screen;
    value *dropped = context;
    MUST(dropped->key == key, "a value is dropped by its key");
    free(dropped);
    list->live--;
    call_back_from(list);
}

static uint64_t key_of(int64_t row, void *context) {
    list_state *list = context;
    MUST(!list->is_over, "a closed list asks nothing");
    MUST(row >= 0 && row < list->rows, "a row whose key is asked for is there");
    if (choose(4) == 0) call_back_from(list);
    return (uint64_t)row / 2;
}

static int64_t cost_of(uint64_t key, void *context) {
    list_state *list = context;
    (void)key;
    MUST(!list->is_over, "a closed list asks nothing");
    if (choose(4) == 0) call_back_from(list);
    return choose_duration();
}

static int64_t kind_of(uint64_t key, int64_t *size, void *context) {
    if (choose(4) == 0) *size = choose_duration();
    return cost_of(key, context);
}

static double height_of(int64_t row, void *context) {
    list_state *list = context;
    MUST(!list->is_over, "a closed list asks nothing");
    MUST(row >= 0 && row < list->rows, "a row whose height is asked for is there");
    if (choose(4) == 0) call_back_from(list);
    return choose_byte() == 255 ? NAN : 50;
}

static lull_flow choose_flow(void) {
    return (lull_flow){
        (lull_flow_rule)choose_constant(0, 3), (int32_t)choose(5), (double)choose(200),
        (double)(choose(8) * 60), (double)choose(8), (int32_t)choose(2), 0,
    };
}

static void make_list(void) {
    if (made == LISTS) return;
    size_t loop = choose(LOOPS);
    list_state *list = &lists[made];
    lull_list_options options;
    lull_list_options_init(&options, sizeof options);
    options.rows = (int64_t)choose(32);
    options.row_height = 50;
    options.height = (double)(choose(4) * 100);
    options.rule = (lull_rule)choose_constant(0, 4);
    uint8_t odd = choose_byte();
    if (odd & 1) options.limit = (int64_t)choose(4);
    if (odd & 2) options.byte_limit = (int64_t)choose(4) * 100;
    if (odd & 4) options.key = key_of;
    if (odd & 8) options.cost = cost_of;
    if (odd & 16) options.row_height_of = height_of;
    if (odd & 32) options.kind = kind_of;
    if (odd & 64) options.least_price = (double)choose(4);
    lull_flow flow;
    if (odd & 128) {
        flow = choose_flow();
        options.flow = &flow;
    }
    options.load = load;
    options.show = show;
    options.drop = drop;
    options.context = list;
    *list = (list_state){.loop = loop, .rows = options.rows};
    made++;  // its place is its own, whatever its callbacks make
    lull_list *handle;
    list->depth++;
    lull_status status = lull_list_new(loops[loop].handle, &options, &handle);
    list->depth--;
    MUST((status == LULL_OK) == (handle != NULL), "a list that was made has a handle");
    if (status == LULL_OK) {
        list->handle = handle;
    } else {
        list->is_over = true;
    }
}

static void close_list(list_state *list) {
    bool is_open = lull_list_count(list->handle) >= 0;
    if (is_open) list->is_over = true;  // it only drops values from here on
    lull_status status = lull_list_close(list->handle);
    MUST((status == LULL_OK) == is_open, "a list that is open can be closed");
    if (!is_open || list->depth > 0 || list->is_loading) return;
    MUST(list->live == 0, "a list that is closed has dropped all values");
}

static void update(list_state *list) {
    lull_update updates[3];
    size_t count = choose(4);
    int64_t before = list->rows, after = before;
    for (size_t i = 0; i < count; i++) {
        updates[i] = (lull_update){
            .kind = (lull_update_kind)choose_constant(0, 3),
            .row = (int64_t)choose(34) - 1,
            .to = (int64_t)choose(34) - 1,
        };
        if (updates[i].kind == LULL_UPDATE_INSERT) after++;
        if (updates[i].kind == LULL_UPDATE_REMOVE) after--;
    }
    bool is_inside = list->depth > 0;
    if (!is_inside) list->rows = after;
    lull_status status = lull_list_update(list->handle, updates, count, after);
    if (is_inside) MUST(status != LULL_OK, "rows stay while a list calls back");
    if (status != LULL_OK && !is_inside) list->rows = before;
}

static double choose_place(void) {
    static const double places[] = {0, 50, 333, 1e9, 1e300, -1, -1e9, NAN, INFINITY, -INFINITY};
    return choose(2) ? (double)(choose_byte() * 10) : places[choose(10)];
}

static int64_t choose_time(void) {
    return choose(4) ? LULL_NONE : choose_duration();
}

void act_on_list(void) {
    if (made == 0 || choose(8) == 0) {
        make_list();
        return;
    }
    list_state *list = &lists[choose(made)];
    int64_t row = (int64_t)choose(34) - 1;
    lull_row shown;
    double offset;
    char text[16];
    lull_flow flow;
    lull_frame frame;
    switch (choose(13)) {
    case 0:
        lull_list_input(
            list->handle, (lull_input)choose_constant(0, 6), choose_place(), choose_time());
        break;
    case 1: lull_list_fling(list->handle, choose_place(), choose_place(), choose_time()); break;
    case 2:
    case 3: lull_list_scroll(list->handle, choose_place(), choose_time()); break;
    case 4: lull_list_jump(list->handle, choose_place(), choose_time()); break;
    case 5: lull_list_resize(list->handle, choose_place()); break;
    case 6:
    case 7: update(list); break;
    case 8: lull_list_retry(list->handle, row); break;
    case 9: lull_list_invalidate(list->handle, row); break;
    case 10: close_list(list); break;
    case 11:
        flow = choose_flow();
        lull_list_arrange(list->handle, &flow);
        break;
    default:
        lull_list_get_row(list->handle, row, &shown, sizeof shown);
        lull_list_explain(list->handle, row, text, sizeof text);
        lull_list_landing(list->handle, &offset);
        lull_list_extent(list->handle, row, &offset, NULL);
        lull_list_get_frame(list->handle, row, &frame);
    }
}

void check_lists(void) {
    for (size_t i = 0; i < made; i++) {
        lull_list_statistics counts;
        lull_status status =
            lull_list_get_statistics(lists[i].handle, &counts, sizeof counts);
        if (status != LULL_OK || lists[i].depth > 0) continue;
        MUST(lull_list_count(lists[i].handle) == lists[i].rows, "a list knows its rows");
        MUST(lull_list_offset(lists[i].handle) >= 0, "a list is somewhere");
        MUST(counts.ready <= counts.entered, "what was ready has come into view");
    }
}
