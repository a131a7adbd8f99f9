//! Which tools are found, and what they may read.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::compile::tests::language;

impl Toolchain {
    /// The toolchain of a judge that is root and has this `PATH`.
    pub(in crate::compile) fn fake(path: Vec<PathBuf>) -> Self {
        Self {
            path,
            home: None,
            variables: BTreeMap::new(),
            versions: vec![],
            answers: Mutex::default(),
            drops_privileges: true,
        }
    }
}

fn toolchain(home: &str) -> Toolchain {
    Toolchain {
        home: Some(home.into()),
        ..Toolchain::fake(vec!["/bin".into()])
    }
}

#[test]
fn an_installation_outside_the_system_is_readable_but_never_a_whole_home() {
    let chain = toolchain("/users/ann");
    assert_eq!(chain.prefix(Path::new("/usr/bin/gcc")), None);
    assert_eq!(
        chain.prefix(Path::new("/users/ann/go/bin/go")),
        Some("/users/ann/go".into())
    );
    assert_eq!(
        chain.prefix(Path::new("/users/ann/bin/go")),
        Some("/users/ann/bin/go".into())
    );
    assert_eq!(
        chain.prefix(Path::new("/users/ann/.cargo/bin/rustc")),
        Some("/users/ann/.cargo/bin".into())
    );
    assert_eq!(
        chain.prefix(Path::new("/users/ann/.sdk/java/21/bin/javac")),
        Some("/users/ann/.sdk/java/21".into())
    );
    assert_eq!(chain.prefix(Path::new("/bin/go")), None);
}

#[test]
fn a_variable_names_a_folder_unless_it_is_a_whole_home() {
    let mut chain = toolchain("/users/ann");
    let named = [
        ("RUST", "/opt/rust"),
        ("HOMES", "/users"),
        ("ANN", "/users/ann"),
        ("ALL", "/"),
    ];
    chain.variables = named
        .map(|(name, folder)| (name.to_owned(), folder.into()))
        .into();
    let is_given = |folder: &str| {
        chain
            .environment(
                &(Language {
                    toolchain: vec![folder.to_owned()],
                    ..language("sh")
                }),
            )
            .into_iter()
            .any(|(name, _)| name == "RUST")
    };
    let expanded = |folder: &str| chain.expanded(&[folder.to_owned()]);
    assert_eq!(expanded("$RUST"), [Path::new("/opt/rust")]);
    assert_eq!(expanded("$RUST/lib"), [Path::new("/opt/rust/lib")]);
    assert!(is_given("$RUST") && is_given("$RUST/lib") && !is_given("/opt/rust"));
    for other in ["$HOMES", "$ANN", "$ALL", "$NONE", "$RUSTY", "$"] {
        assert!(expanded(other).is_empty(), "{other}");
    }
}

#[test]
fn the_compiler_is_the_one_next_to_the_runtime_that_submissions_can_start() {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let tool = |folder: &str, name: &str| {
        let path = place.path().join(folder).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    let new = tool("closed/bin", "compile");
    tool("closed/bin", "start");
    tool("old/bin", "start");
    let old = tool("old/bin", "compile");
    let chain = Toolchain::fake(
        ["closed/bin", "old/bin"]
            .map(|folder| place.path().join(folder))
            .into(),
    );
    let language = |run: &str| Language {
        run: vec![run.to_owned()],
        ..language("compile")
    };
    // The folder for temporary files may not be open to all users.
    let is_open = executable::every_user_may_pass(&old).unwrap_or(false);
    assert_eq!(
        chain.find_compiler(&language("start"), "compile"),
        Some(new.clone())
    );
    let closed = place.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let expected = if is_open { old } else { new.clone() };
    assert_eq!(
        chain.find_compiler(&language("start"), "compile"),
        Some(expected)
    );
    assert_eq!(
        chain.find_compiler(&language("{program}"), "compile"),
        Some(new)
    );
}

#[test]
fn the_shell_is_found_and_open_to_all() {
    let chain = toolchain("/nowhere");
    assert_eq!(chain.find_for_submissions("sh"), Some("/bin/sh".into()));
    assert_eq!(chain.find("no-such-program"), None);
}
