// Decodes JPEG by libjpeg-turbo's scanline interface.

#include "codec.h"

// jpeglib.h uses FILE and size_t without including their headers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// jerror.h depends on the configuration in jpeglib.h.
#include <jpeglib.h>

#include <jerror.h>

typedef struct {
    PictureCodec codec;
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    /// The position at which the current call began to read.
    const uint8_t *call_start;
    /// One row of output, from the library's own pool.
    JSAMPROW row;
    int32_t warnings;
    int32_t segments;
    /// The number of times that the window has moved in the current call.
    int32_t refills;
    /// Whether the last call reached the end of its window without using any of it.
    bool is_stuck;
    /// Whether all bytes are used, and the library was given an end marker instead of more.
    bool ended;
    /// Whether the rest of the current scan is lost, as the library found a marker in it.
    bool lost;
    /// Whether there are several scans, kept as coefficients until the last has been read.
    bool buffered;
    /// Whether the next bytes are a scan's.
    bool in_scan;
    /// The number of bytes at the window's end in which padding wasn't looked for.
    size_t unchecked;
    /// Whether the last row waits for what is behind the scan.
    bool holds_row;
    /// Whether output has been set up, so that what the library skips is damage to the picture.
    bool started;
    /// The fields of the frame header, which a second one changes before it is an error.
    struct {
        boolean progressive_mode, arith_code;
        int data_precision, num_components;
        JDIMENSION image_width, image_height;
    } frame;
    /// The number of rows of blocks that are known at least roughly, for each component.
    JDIMENSION known[MAX_COMPONENTS];
    /// Whether the completed scans give all coefficients exactly, so that no other can follow.
    bool is_complete;
    /// Whether the completed scans give the DC coefficients of all blocks.
    bool has_means;
    /// The phase of a buffered picture: reading scans, or giving rows of the preview or the result.
    enum { taking_in, giving_preview, giving_final } pass;
    bool gives_preview;
    /// The coefficients of each component, if they are kept.
    struct jvirt_barray_control *coefficients[MAX_COMPONENTS];
    int32_t coefficients_count;
    int64_t coefficients_size;
} JPEG;

// MARK: Errors

static void fail(j_common_ptr info) {
    JPEG *jpeg = info->client_data;
    info->err->format_message(info, jpeg->codec.message);
    PictureCodecStatus failure = PictureCodecStatusCorrupt;
    switch (info->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
        failure = PictureCodecStatusOutOfMemory;
        break;
    case JERR_NO_BACKING_STORE:
        failure = PictureCodecStatusTooMuchMemory;
        break;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_SOF_UNSUPPORTED:
        failure = PictureCodecStatusUnsupported;
        break;
    default:
        // Any error after the bytes have ended is due to the missing bytes.
        if (jpeg->ended) failure = PictureCodecStatusTruncated;
    }
    picture_codec_fail(&jpeg->codec, failure, jpeg->codec.message);
}

/// Returns the kind of damage when data are missing.
static PictureCodecStatus damage(const JPEG *jpeg) {
    return jpeg->ended ? PictureCodecStatusTruncated : PictureCodecStatusCorrupt;
}

static bool is_restart(int marker) { return JPEG_RST0 <= marker && marker <= JPEG_RST0 + 7; }

/// Returns whether a marker may be the end of a scan, not damage in it.
static bool may_end_scan(const JPEG *jpeg, int marker) {
    return marker == JPEG_EOI || (jpeg->buffered && !is_restart(marker));
}

/// Returns whether bytes between a complete scan and a marker belong to the scan, which is damaged
/// then; some programs add a few.
static bool is_rest(const JPEG *jpeg, int count, int marker) {
    enum { max_padding = 16 };
    return count > max_padding && marker == JPEG_EOI && !jpeg->ended;
}

/// Returns whether a warning is about pixels, and notes if it is the end of a scan's data.
static bool is_damage(JPEG *jpeg) {
    int marker = jpeg->info.unread_marker;
    switch (jpeg->errors.msg_code) {
    case JWRN_HIT_MARKER:
        // The data go on after the next restart marker, if this isn't the end of the scan.
        jpeg->lost = jpeg->info.restart_interval == 0 || may_end_scan(jpeg, marker);
        return true;
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
        return true;
    case JWRN_EXTRANEOUS_DATA:
        // Behind the last scan, anything may be found, but hardly an end mark after it.
        return jpeg->started
            && (!jpeg->is_complete
                || is_rest(jpeg, jpeg->errors.msg_parm.i[0], jpeg->errors.msg_parm.i[1]));
    default:
        return false;
    }
}

static void note(j_common_ptr info, int level) {
    JPEG *jpeg = info->client_data;
    // Segments without pixels take time too.
    enum { max_idle_segments = 10000 };
    if (level >= 0) {
        // The library reports each segment at level 1.
        if (level == 1 && ++jpeg->segments > max_idle_segments) {
            picture_codec_fail(&jpeg->codec, PictureCodecStatusCorrupt, "too many segments");
        }
        return;
    }
    // In a sequential scan the library sees a bad code only near the end of its window, and goes on
    // all the same: the picture must not depend on the pieces in which its bytes come.
    if (jpeg->errors.msg_code == JWRN_HUFF_BAD_CODE && !jpeg->info.progressive_mode) return;
    bool is_about_pixels = is_damage(jpeg);
    // Of a picture that is ended after a failure, only one scan is left.
    if (jpeg->codec.is_recovered) return;
    // libjpeg skips damaged data and continues, as every viewer does.
    if (is_about_pixels) {
        char message[JMSG_LENGTH_MAX];
        info->err->format_message(info, message);
        picture_codec_note(&jpeg->codec, damage(jpeg), message);
    }
    if (++jpeg->warnings > jpeg->codec.limits.warnings) fail(info);
}

// MARK: Coefficients

/// The coefficients of a component, of which the library knows only that there is such a type.
struct jvirt_barray_control {
    PictureCodecMemory memory;
    JBLOCKARRAY rows;
    JDIMENSION row_count;
    JDIMENSION row_length;
    /// The number of rows that have been used; the others have arbitrary content.
    JDIMENSION used;
};

static jvirt_barray_ptr request_coefficients(
    j_common_ptr info, int pool, boolean zero, JDIMENSION length, JDIMENSION count, JDIMENSION most) {
    (void)zero, (void)most;
    JPEG *jpeg = info->client_data;
    int64_t size = (int64_t)length * count * (int64_t)sizeof(JBLOCK);
    jpeg->coefficients_size += size;
    if (jpeg->coefficients_count == MAX_COMPONENTS
        || jpeg->coefficients_size > jpeg->codec.limits.memory) {
        ERREXIT(info, JERR_NO_BACKING_STORE);
    }
    struct jvirt_barray_control *array = info->mem->alloc_small(info, pool, sizeof *array);
    JBLOCKARRAY rows = info->mem->alloc_large(info, pool, count * sizeof *rows);
    PictureCodecMemory memory = jpeg->codec.input.source.take(size);
    JBLOCKROW blocks = memory.start;
    if (!blocks) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    for (JDIMENSION row = 0; row < count; row++) rows[row] = blocks + (size_t)row * length;
    *array = (struct jvirt_barray_control){memory, rows, count, length, 0};
    return jpeg->coefficients[jpeg->coefficients_count++] = array;
}

static JBLOCKARRAY access_coefficients(
    j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count, boolean writable) {
    (void)writable;
    if (first > array->row_count || count > array->row_count - first) {
        ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    }
    for (; array->used < first + count; array->used++) {
        memset(array->rows[array->used], 0, array->row_length * sizeof(JBLOCK));
    }
    return array->rows + first;
}

// MARK: Source

// The library reads the file through a window, which moves between calls. At the end of the window
// the library suspends, so that no call reads more than this, whatever is in the file. The decoder
// for arithmetic coding cannot suspend: there the window moves within a call, up to the maximum
// size of the blocks that a call decodes.
enum { window = 128 << 10, max_refills = 64, bytes_a_column = 256 };

static void take_from(JPEG *jpeg) {
    Input *input = &jpeg->codec.input;
    jpeg->source.next_input_byte = input->bytes + input->start;
    jpeg->source.bytes_in_buffer = input_count(input);
}

/// Removes the padding (0xFF before 0xFF) from a scan's bytes in the window.
///
/// The library's fast decoder, which is for windows that are long enough, reads padding as the end of
/// the data; it leaves in a block what it decoded until then. The picture must not depend on that.
static void drop_padding(JPEG *jpeg) {
    if (!jpeg->in_scan || jpeg->info.arith_code || jpeg->info.progressive_mode) return;
    Input *input = &jpeg->codec.input;
    uint8_t *bytes = input->bytes;
    size_t unread = input_count(input);
    size_t place = input->end - (jpeg->unchecked < unread ? jpeg->unchecked : unread), padding = 0;
    while (place < input->end) {
        const uint8_t *mark = memchr(bytes + place, 0xFF, input->end - place);
        place = mark ? (size_t)(mark - bytes) : input->end;
        if (!mark || place + 1 == input->end) break;
        int next = bytes[place + 1];
        // Behind the only scan there is nothing else; behind others there are tables.
        if (jpeg->buffered && next != 0 && next != 0xFF && !is_restart(next)) break;
        padding += next == 0xFF;
        place += next == 0xFF ? 1 : 2;
    }
    jpeg->unchecked = input->end - place;
    if (padding == 0) return;
    size_t target = place;
    uint8_t next = place < input->end ? bytes[place] : 0;
    for (size_t from = place; from-- > input->start;) {
        uint8_t byte = bytes[from];
        if (byte != 0xFF || next != 0xFF) bytes[--target] = byte;
        next = byte;
    }
    input->start = target;
}

/// Notes that a scan's bytes begin here.
static void begin_scan(JPEG *jpeg) {
    jpeg->in_scan = true;
    jpeg->unchecked = jpeg->source.bytes_in_buffer;
}

static void hand_out(JPEG *jpeg) {
    jpeg->refills = 0;
    if (!jpeg->ended) {
        Input *input = &jpeg->codec.input;
        input->start = input->end - jpeg->source.bytes_in_buffer;
        // The library is faster if the end of the window is not near.
        bool is_short = input_count(input) < window / 2 || jpeg->is_stuck;
        if (is_short && !input->exhausted) {
            size_t unread = input_count(input);
            picture_codec_refill(&jpeg->codec);
            jpeg->unchecked += input_count(input) - unread;
        }
        drop_padding(jpeg);
        take_from(jpeg);
    }
    jpeg->call_start = jpeg->source.next_input_byte;
}

/// Returns the status of a call that has reached the end of its window; the next can read more.
static PictureCodecStatus suspended(JPEG *jpeg) {
    jpeg->is_stuck = jpeg->source.next_input_byte == jpeg->call_start;
    // Everything in a JPEG is shorter than a window, except for padding before a marker, which
    // the library would read again from its start.
    if (jpeg->is_stuck && jpeg->source.bytes_in_buffer == window) {
        picture_codec_fail(&jpeg->codec, PictureCodecStatusCorrupt, "no end of padding");
    }
    return PictureCodecStatusMore;
}

static void init_source(j_decompress_ptr info) { (void)info; }

static boolean fill_input_buffer(j_decompress_ptr info) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    JPEG *jpeg = info->client_data;
    Input *input = &jpeg->codec.input;
    if (!jpeg->ended && !input->exhausted) {
        if (!info->arith_code) return FALSE;
        int64_t needed = 2 + (int64_t)info->image_width * bytes_a_column / window;
        if (++jpeg->refills > (needed < max_refills ? needed : max_refills)) {
            picture_codec_fail(&jpeg->codec, PictureCodecStatusCorrupt, "no end of padding");
        }
        input->start = input->end;
        picture_codec_refill(&jpeg->codec);
        take_from(jpeg);
        if (info->src->bytes_in_buffer > 0) return TRUE;
    }
    jpeg->ended = true;
    info->src->next_input_byte = end_marker;
    info->src->bytes_in_buffer = sizeof end_marker;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count) {
    JPEG *jpeg = info->client_data;
    Input *input = &jpeg->codec.input;
    if (count <= 0 || jpeg->ended) return;
    input->start = input->end - info->src->bytes_in_buffer;
    input_skip(input, (size_t)count);
    take_from(jpeg);
}

/// Finds the place to go on after damage, as the library does; but markers that don't belong in a
/// scan are skipped, like invalid ones.
static boolean resync(j_decompress_ptr info, int expected) {
    enum { invalid_marker = 1 };
    int marker = info->unread_marker;
    if (!is_restart(marker) && !may_end_scan(info->client_data, marker)) {
        info->unread_marker = invalid_marker;
    }
    return jpeg_resync_to_restart(info, expected);
}

static void term_source(j_decompress_ptr info) { (void)info; }

// MARK: The interface

/// Returns whether the rest of the current scan is lost.
static bool is_lost(const JPEG *jpeg) {
    // The library detects missing data of a Huffman-coded scan exactly, but not otherwise.
    return jpeg->lost || (jpeg->ended && jpeg->info.arith_code);
}

static int64_t rounded_up(int64_t count, int64_t unit) { return (count + unit - 1) / unit * unit; }

static PictureCodecStatus read_header(PictureCodec *codec, PictureCodecHeader *header) {
    JPEG *jpeg = (JPEG *)codec;
    struct jpeg_decompress_struct *info = &jpeg->info;
    hand_out(jpeg);
    if (jpeg_read_header(info, TRUE) == JPEG_SUSPENDED) return suspended(jpeg);
    jpeg->buffered = jpeg_has_multiple_scans(info);
    *header = (PictureCodecHeader){.width = info->image_width, .height = info->image_height};
    for (int i = 0; jpeg->buffered && i < info->num_components; i++) {
        const jpeg_component_info *component = &info->comp_info[i];
        header->memory += rounded_up(component->width_in_blocks, component->h_samp_factor)
            * rounded_up(component->height_in_blocks, component->v_samp_factor)
            * (int64_t)sizeof(JBLOCK);
    }
    return PictureCodecStatusDone;
}

/// Returns the smallest n for which n/8 of the picture is not smaller than the target.
static unsigned int eighths(const struct jpeg_decompress_struct *info, PictureCodecTarget target) {
    for (unsigned int n = 1; n < 8; n++) {
        int64_t width = ((int64_t)info->image_width * n + 7) / 8;
        int64_t height = ((int64_t)info->image_height * n + 7) / 8;
        if (width >= target.width && height >= target.height) return n;
    }
    return 8;
}

static PictureCodecStatus start(
    PictureCodec *codec, PictureCodecTarget target, PictureCodecRows *rows) {
    JPEG *jpeg = (JPEG *)codec;
    struct jpeg_decompress_struct *info = &jpeg->info;
    bool inks = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    info->out_color_space = inks ? JCS_CMYK : JCS_EXT_RGBA;
    info->scale_num = eighths(info, target);
    info->scale_denom = 8;
    // DC coefficients alone give a good picture at 1/8 and a fair one at 2/8, at a low cost.
    jpeg->gives_preview = target.previews && info->progressive_mode && info->scale_num <= 2;
    info->buffered_image = jpeg->buffered;
    info->do_block_smoothing = FALSE;
    hand_out(jpeg);
    if (!jpeg_start_decompress(info)) return suspended(jpeg);
    jpeg->started = true;
    begin_scan(jpeg);
    jpeg->frame.progressive_mode = info->progressive_mode;
    jpeg->frame.arith_code = info->arith_code;
    jpeg->frame.data_precision = info->data_precision;
    jpeg->frame.num_components = info->num_components;
    jpeg->frame.image_width = info->image_width;
    jpeg->frame.image_height = info->image_height;
    jpeg->row = info->mem->alloc_large(
        (j_common_ptr)info, JPOOL_IMAGE, (size_t)info->output_width * 4);
    rows->width = info->output_width;
    rows->height = info->output_height;
    rows->model = inks ? PictureColorModelInks
        : info->jpeg_color_space == JCS_GRAYSCALE ? PictureColorModelGrey : PictureColorModelRGB;
    return PictureCodecStatusDone;
}

/// Inverts CMYK values, which Adobe's programs store inverted.
static void invert(JSAMPROW row, size_t count) {
    for (size_t i = 0; i < count; i++) row[i] = (JSAMPLE)(0xFF - row[i]);
}

static bool all_means_known(const struct jpeg_decompress_struct *info) {
    if (!info->coef_bits) return false;
    for (int i = 0; i < info->num_components; i++) {
        if (info->coef_bits[i][0] < 0) return false;
    }
    return true;
}

/// Returns whether all coefficients are known exactly, if the scans so far are undamaged.
static bool all_known(const JPEG *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    for (int i = 0; i < info->num_components; i++) {
        if (jpeg->known[i] < info->total_iMCU_rows) return false;
        for (int k = 0; info->progressive_mode && k < DCTSIZE2; k++) {
            if (info->coef_bits[i][k] != 0) return false;
        }
    }
    return true;
}

/// Notes what is known after a part of a scan.
static void note_scan(JPEG *jpeg, int progress) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (progress == JPEG_REACHED_SOS) {
        jpeg->lost = false;
        begin_scan(jpeg);
    }
    if (progress == JPEG_SCAN_COMPLETED) jpeg->in_scan = false;
    bool is_part = progress == JPEG_ROW_COMPLETED || progress == JPEG_SCAN_COMPLETED;
    if (!is_part || is_lost(jpeg)) return;
    for (int i = 0; i < info->comps_in_scan && info->Ss == 0; i++) {
        JDIMENSION *known = &jpeg->known[info->cur_comp_info[i]->component_index];
        if (info->input_iMCU_row > *known) *known = info->input_iMCU_row;
    }
    if (progress == JPEG_SCAN_COMPLETED && all_known(jpeg)) jpeg->is_complete = true;
}

/// Returns the number of rows that can be shown: of YCbCr, those whose light is known.
static JDIMENSION known_rows(const JPEG *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (!jpeg->buffered) return info->output_height;
    int count = info->jpeg_color_space == JCS_YCbCr ? 1 : info->num_components;
    JDIMENSION known = info->total_iMCU_rows;
    for (int i = 0; i < count; i++) {
        if (jpeg->known[i] < known) known = jpeg->known[i];
    }
    return (JDIMENSION)((uint64_t)info->output_height * known / info->total_iMCU_rows);
}

/// Reads a small part of a buffered picture, and starts the output of rows when it is due.
static PictureCodecStatus take_in(JPEG *jpeg) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    int progress = jpeg_consume_input(info);
    if (progress == JPEG_SUSPENDED) return suspended(jpeg);
    if (info->input_scan_number > jpeg->codec.limits.scans) return PictureCodecStatusTooManyScans;
    note_scan(jpeg, progress);
    if (progress == JPEG_SCAN_COMPLETED) {
        jpeg->has_means = all_means_known(info) && known_rows(jpeg) == info->output_height;
    }
    if (progress == JPEG_REACHED_SOS && jpeg->has_means && jpeg->gives_preview) {
        // The rows are made of completed scans, so that the output reads no further input.
        jpeg->gives_preview = false;
        if (jpeg_start_output(info, info->input_scan_number - 1)) jpeg->pass = giving_preview;
    }
    if (progress != JPEG_REACHED_EOI) return PictureCodecStatusMore;
    if ((jpeg->ended && !jpeg->is_complete) || known_rows(jpeg) < info->output_height) {
        picture_codec_note(&jpeg->codec, damage(jpeg), "a JPEG without some of its scans");
    }
    // The output would wait for the rest of a scan.
    if (info->input_iMCU_row < info->total_iMCU_rows) return damage(jpeg);
    if (jpeg_start_output(info, info->input_scan_number)) jpeg->pass = giving_final;
    return PictureCodecStatusMore;
}

/// Notes data that the only scan should have used, but has not; returns whether there are enough bytes
/// behind the scan to tell.
static bool note_rest(JPEG *jpeg) {
    const uint8_t *rest = jpeg->source.next_input_byte;
    enum { longest = window / 2 };
    size_t count = jpeg->source.bytes_in_buffer;
    if (count > longest) count = longest;
    if (jpeg->info.arith_code || jpeg->info.unread_marker) return true;
    bool is_padding = true;
    for (size_t i = 0; i + 1 < count; i++) {
        if (rest[i] == 0xFF && rest[i + 1] != 0 && rest[i + 1] != 0xFF) {
            if (is_padding || !is_rest(jpeg, (int)i, rest[i + 1])) return true;
            picture_codec_note(
                &jpeg->codec, PictureCodecStatusCorrupt, "Corrupt JPEG data: more than pixels");
            return true;
        }
        if (rest[i] != rest[0]) is_padding = false;
    }
    return count == longest || jpeg->ended || jpeg->codec.input.exhausted;
}

static PictureCodecStatus read_row(PictureCodec *codec, const uint8_t **row) {
    JPEG *jpeg = (JPEG *)codec;
    struct jpeg_decompress_struct *info = &jpeg->info;
    hand_out(jpeg);
    if (jpeg->buffered && jpeg->pass == taking_in) return take_in(jpeg);
    if (!jpeg->holds_row) {
        if (info->output_scanline >= known_rows(jpeg)) return jpeg->codec.damage;
        JSAMPROW rows[] = {jpeg->row};
        if (!jpeg_read_scanlines(info, rows, 1)) return suspended(jpeg);
        if (info->out_color_space == JCS_CMYK && info->saw_Adobe_marker) {
            invert(jpeg->row, (size_t)info->output_width * 4);
        }
    }
    *row = jpeg->row;
    if (!jpeg->buffered && is_lost(jpeg)) return damage(jpeg);
    if (!jpeg->buffered && info->output_scanline == info->output_height) {
        jpeg->holds_row = !note_rest(jpeg);
        if (jpeg->holds_row) return suspended(jpeg);
    }
    if (jpeg->pass != giving_preview) return PictureCodecStatusDone;
    if (info->output_scanline == info->output_height && jpeg_finish_output(info)) {
        jpeg->pass = taking_in;
    }
    return PictureCodecStatusPreview;
}

/// Goes on as if the file ended at a failure, if scans are kept.
static bool recover(PictureCodec *codec, PictureCodecStatus failure) {
    JPEG *jpeg = (JPEG *)codec;
    if (!jpeg->buffered || jpeg->pass != taking_in) return false;
    if (!jpeg->is_complete) picture_codec_note(codec, failure, NULL);
    struct jpeg_decompress_struct *info = &jpeg->info;
    info->progressive_mode = jpeg->frame.progressive_mode;
    info->arith_code = jpeg->frame.arith_code;
    info->data_precision = jpeg->frame.data_precision;
    info->num_components = jpeg->frame.num_components;
    info->image_width = jpeg->frame.image_width;
    info->image_height = jpeg->frame.image_height;
    info->unread_marker = 0;
    jpeg->ended = true;
    jpeg->source.bytes_in_buffer = 0;
    return true;
}

static void close_jpeg(PictureCodec *codec) {
    JPEG *jpeg = (JPEG *)codec;
    while (jpeg->coefficients_count > 0) {
        struct jvirt_barray_control *array = jpeg->coefficients[--jpeg->coefficients_count];
        codec->input.source.put(array->memory);
    }
    jpeg_destroy_decompress(&jpeg->info);
    input_close(&codec->input);
    free(codec);
}

PictureCodec *picture_codec_open_jpeg(PictureCodecSource source, PictureCodecLimits limits) {
    static const PictureCodecFormat format = {
        read_header, start, read_row, recover, close_jpeg};
    JPEG *jpeg = calloc(1, sizeof *jpeg);
    if (!jpeg) return NULL;
    if (!picture_codec_open(&jpeg->codec, &format, source, window, limits)) {
        free(jpeg);
        return NULL;
    }
    jpeg->info.err = jpeg_std_error(&jpeg->errors);
    jpeg->errors.error_exit = fail;
    jpeg->errors.emit_message = note;
    jpeg->info.client_data = jpeg;
    if (setjmp(jpeg->codec.jump)) {
        close_jpeg(&jpeg->codec);
        return NULL;
    }
    jpeg_create_decompress(&jpeg->info);
    jpeg->info.mem->max_memory_to_use = (long)limits.memory;
    jpeg->info.mem->request_virt_barray = request_coefficients;
    jpeg->info.mem->access_virt_barray = access_coefficients;
    jpeg->source = (struct jpeg_source_mgr){
        .init_source = init_source,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = resync,
        .term_source = term_source,
    };
    jpeg->info.src = &jpeg->source;
    return &jpeg->codec;
}
