// Decodes JPEG by libjpeg-turbo's scanline interface.

#include "codec.h"

// jpeglib.h uses FILE and size_t without including their headers.
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

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
    /// Whether the library needed more bits of a scan than there were before the end of the image.
    bool starved;
    /// Whether there are several scans, kept as coefficients until the last has been read.
    bool buffered;
    /// Whether the completed scans give the DC coefficients of all blocks.
    bool has_means;
    /// The phase of a buffered picture: reading scans, or giving rows of the preview or the result.
    enum { taking_in, giving_preview, giving_final } pass;
    bool gives_preview;
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
    if (info->err->msg_code == JWRN_HIT_MARKER && jpeg->info.unread_marker == JPEG_EOI) {
        jpeg->starved = true;
    }
    // Otherwise libjpeg skips damaged data and continues, as every viewer does.
    if (++jpeg->warnings > jpeg->codec.limits.warnings) fail(info);
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

static void hand_out(JPEG *jpeg) {
    jpeg->refills = 0;
    if (!jpeg->ended) {
        Input *input = &jpeg->codec.input;
        input->start = input->end - jpeg->source.bytes_in_buffer;
        // The library is faster if the end of the window is not near.
        bool is_short = input_count(input) < window / 2 || jpeg->is_stuck;
        if (is_short && !input->exhausted) picture_codec_refill(&jpeg->codec);
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

static void term_source(j_decompress_ptr info) { (void)info; }

// MARK: The interface

/// Returns the status of a successful call, or `truncated` if the data ended too early.
static PictureCodecStatus unless_truncated(const JPEG *jpeg, PictureCodecStatus status) {
    // For a single Huffman-coded scan the library detects missing data exactly; a file that only
    // lacks its end marker is complete. Otherwise, an early end may mean lost scans or bits.
    bool vague = jpeg->buffered || jpeg->info.arith_code;
    bool truncated = jpeg->starved || (jpeg->ended && vague);
    return truncated ? PictureCodecStatusTruncated : status;
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
    jpeg->row = info->mem->alloc_large(
        (j_common_ptr)info, JPOOL_IMAGE, (size_t)info->output_width * 4);
    rows->width = info->output_width;
    rows->height = info->output_height;
    rows->inks = inks;
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

/// Reads a small part of a buffered picture, and starts the output of rows when it is due.
static PictureCodecStatus take_in(JPEG *jpeg) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    int progress = jpeg_consume_input(info);
    if (progress == JPEG_SUSPENDED) return suspended(jpeg);
    if (info->input_scan_number > jpeg->codec.limits.scans) return PictureCodecStatusTooManyScans;
    if (progress == JPEG_SCAN_COMPLETED) jpeg->has_means = all_means_known(info);
    if (progress == JPEG_REACHED_SOS && jpeg->has_means && jpeg->gives_preview) {
        // The rows are made of completed scans, so that the output reads no further input.
        jpeg->gives_preview = false;
        if (jpeg_start_output(info, info->input_scan_number - 1)) jpeg->pass = giving_preview;
    }
    if (progress == JPEG_REACHED_EOI && jpeg_start_output(info, info->input_scan_number)) {
        jpeg->pass = giving_final;
    }
    return unless_truncated(jpeg, PictureCodecStatusMore);
}

static PictureCodecStatus read_row(PictureCodec *codec, const uint8_t **row) {
    JPEG *jpeg = (JPEG *)codec;
    struct jpeg_decompress_struct *info = &jpeg->info;
    hand_out(jpeg);
    if (jpeg->buffered && jpeg->pass == taking_in) return take_in(jpeg);
    JSAMPROW rows[] = {jpeg->row};
    if (!jpeg_read_scanlines(info, rows, 1)) return suspended(jpeg);
    if (info->out_color_space == JCS_CMYK && info->saw_Adobe_marker) {
        invert(jpeg->row, (size_t)info->output_width * 4);
    }
    *row = jpeg->row;
    if (jpeg->pass != giving_preview) return unless_truncated(jpeg, PictureCodecStatusDone);
    if (info->output_scanline == info->output_height && jpeg_finish_output(info)) {
        jpeg->pass = taking_in;
    }
    return unless_truncated(jpeg, PictureCodecStatusPreview);
}

static void close_jpeg(PictureCodec *codec) {
    jpeg_destroy_decompress(&((JPEG *)codec)->info);
    input_close(&codec->input);
    free(codec);
}

PictureCodec *picture_codec_open_jpeg(PictureCodecSource source, PictureCodecLimits limits) {
    static const PictureCodecFormat format = {read_header, start, read_row, close_jpeg};
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
    jpeg->source = (struct jpeg_source_mgr){
        .init_source = init_source,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = term_source,
    };
    jpeg->info.src = &jpeg->source;
    return &jpeg->codec;
}
