/// Tiny pictures in base64, one of each format, whose pixels aren't used.
///
/// Decoding them triggers the one-time initialization of the libraries: detecting the processor,
/// reading the time zone, building tables, and allocating memory. Afterwards decoding needs only
/// the system calls that the sandbox allows.
enum WarmUpPictures {
    static let all = [baselineJPEG, progressiveJPEG, png, losslessWebP, lossyWebP, gif]

    /// A JPEG of 16 by 16 pixels, with chroma at half the resolution.
    private static let baselineJPEG = """
        /9j/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4\
        zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMj\
        IyMjL/wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABgj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/\
        8QAFQEBAQAAAAAAAAAAAAAAAAAAAgP/xAAgEQAABAYDAAAAAAAAAAAAAAAABSJBBAYyM1FSYXHh/9oADAMBAAIRAxEA\
        PwAuEqOCUIM0qRh/A5kObSNn64H/2Q==
        """

    /// The same picture as a progressive JPEG.
    private static let progressiveJPEG = """
        /9j/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4\
        zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMj\
        IyMjL/wgARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABQf/xAAVAQEBAAAAAAAAAAAAAAAAAAABA\
        //aAAwDAQACEAMQAAABLEo4k3//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAEFAh//xAAZEQABBQAAAAAAAAAA\
        AAAAAAAABAUhMlH/2gAIAQMBAT8BcllY0//EABgRAAIDAAAAAAAAAAAAAAAAAAADBCEx/9oACAECAQE/AUyto//EABQ\
        QAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEABj8CH//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAT8hH//aAAwDAQ\
        ACAAMAAAAQD//EABcRAAMBAAAAAAAAAAAAAAAAAABhceH/2gAIAQMBAT8Q10R//8QAFxEAAwEAAAAAAAAAAAAAAAAAA\
        EGh4f/aAAgBAgEBPxCC8P/EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAT8QH//Z
        """

    /// A PNG of 2 by 2 pixels with alpha, in the Display P3 colour space.
    private static let png = """
        iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAABGNJQ1AMDQABbgPj7wAAABpJREFUCJljPCES0MDAwFD\
        PxMDAUM/AwNAIACJgAy/0rBM2AAAAAElFTkSuQmCC
        """

    /// A lossless WebP of 8 by 8 pixels.
    private static let losslessWebP = """
        UklGRlAAAABXRUJQVlA4TEQAAAAvB8ABED8gkE0OEXb+I5O2yV1ZEz5tAyUgITyX5aKOHHBABgiDAJAqKoMdMmiFN9h\
        hg4/of1igkpEOWODUbfV+z9/ULQ==
        """

    /// A lossy WebP of 8 by 8 pixels, with alpha.
    private static let lossyWebP = """
        UklGRnwAAABXRUJQVlA4WAoAAAAQAAAABwAABwAAQUxQSBQAAAABD/DA/4iIIBBIZJZJb/qI/odzBlZQOCBCAAAAEAI\
        AnQEqCAAIAALATCWwAnRH/4G33mocAAD+40/nvLYAZ3oCrg0NRDy65m59F+/L9dV3Zv1v8qpmfH+XU6m/f0AA
        """

    /// A GIF of one pixel.
    private static let gif = """
        R0lGODlhAQABAIAAAP8AAP///yH5BAEAAAEALAAAAAABAAEAAAICRAEAOw==
        """
}
