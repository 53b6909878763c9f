internal import CLullBuildFacts

/// The release of Lull that a program contains, for its log, its metrics and its `--version`.
///
/// ```swift
/// log("thumbnails 2.0, with Lull \(LullBuild.description)")  // Lull 0.1.0 (60c9b99f)
/// ```
public enum LullBuild {
    /// The version, in the form of Semantic Versioning.
    public static let version = "0.1.0"

    /// The commit, if the environment variable `LULL_COMMIT` named it during the build, as the
    /// scripts that install programs do; nil in a package that depends on a version of Lull.
    public static let commit: String? = {
        let text = unsafe String(cString: build_facts_commit())
        return text.isEmpty ? nil : text
    }()

    /// The version, followed by the commit in parentheses if it is known.
    public static let description = commit.map { "\(version) (\($0))" } ?? version
}
