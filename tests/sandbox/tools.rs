//! What a tool, such as a compiler, may do and a submission may not.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use gridjudge_sandbox::{Exit, Launch, Role};

use crate::fixture::{
    Fixture, at_every_level_with_both_linkings, empty_launch, limits,
};

fn as_tool(folder: &str, launch: Launch) -> Launch {
    Launch {
        role: Role::Tool {
            folder: folder.into(),
        },
        ..launch
    }
}

fn exit_of(fixture: &Fixture, launch: &Launch) -> Exit {
    fixture.run_within(launch, &limits()).exit
}

#[test]
fn a_tool_can_write_to_its_folder_and_nowhere_else() {
    at_every_level_with_both_linkings(|fixture| {
        let folder = fixture.folder("tool");
        let made = as_tool(&folder, fixture.action(&["create_file", "made"]));
        assert_eq!(exit_of(&fixture, &made), Exit::Code(0));
        let owner = Path::new(&folder).join("made").metadata().unwrap().uid();
        // In namespaces, a tool runs as another user than the judge where possible, and
        // becomes the owner of its folder.
        let is_judge = owner == rustix::process::geteuid().as_raw();
        assert_eq!(
            is_judge,
            !(fixture.has_namespaces() && fixture.sandbox.guarantees().own_user)
        );
        let elsewhere = fixture.put("elsewhere", b"");
        let refused = as_tool(&folder, fixture.action(&["create_file", &elsewhere]));
        // In a root of its own the file does not exist, and the folder that it would be
        // in is read-only.
        let code = match (
            fixture.has_namespaces(),
            fixture.sandbox.guarantees().landlock,
        ) {
            (true, _) => libc::EROFS,
            (false, 0) => 0,
            (false, _) => libc::EACCES,
        };
        assert_eq!(exit_of(&fixture, &refused), Exit::Code(code));
        let orphans = as_tool(&folder, fixture.action(&["leave_orphan"]));
        assert_eq!(exit_of(&fixture, &orphans), Exit::Code(0));
        fixture.assert_no_process_is_left();
    });
}

#[test]
fn a_tool_can_read_only_the_system_files_that_every_user_can_read() {
    at_every_level_with_both_linkings(|fixture| {
        let folder = fixture.folder("tool");
        let cat = |file: &str| Launch {
            command: vec!["/bin/cat".into(), file.into()],
            ..empty_launch()
        };
        assert_eq!(
            exit_of(&fixture, &as_tool(&folder, cat("/etc/passwd"))),
            Exit::Code(0)
        );
        // Root may read it. A tool that root's judge runs may not, or a source could
        // include it.
        let is_root = rustix::process::geteuid().is_root();
        let is_confined = fixture.has_namespaces()
            || fixture.sandbox.guarantees().landlock > 0
            || !is_root;
        assert_eq!(
            exit_of(&fixture, &as_tool(&folder, cat("/etc/shadow"))),
            Exit::Code(is_confined.into())
        );
    });
}

/// Landlock has no rule about permissions, times and attributes, and at level basic a
/// tool of root's judge is the owner of root's files.
#[test]
fn a_tool_cannot_change_permissions_of_files_elsewhere() {
    at_every_level_with_both_linkings(|fixture| {
        let folder = fixture.folder("tool");
        let other = fixture.put_plain("other", b"");
        let state = || {
            Path::new(&other)
                .metadata()
                .map(|found| (found.mode(), found.mtime(), found.ctime_nsec()))
        };
        let before = state().unwrap();
        for change in [
            "chmod 777",
            "touch -d @1",
            "setfattr -n user.left -v word",
            "chattr +A",
        ] {
            let command = vec![
                "/bin/sh".into(),
                "-c".into(),
                format!("{change} {other} 2>/dev/null; exit 0"),
            ];
            assert_eq!(
                exit_of(
                    &fixture,
                    &as_tool(
                        &folder,
                        Launch {
                            command,
                            ..empty_launch()
                        }
                    )
                ),
                Exit::Code(0)
            );
            assert_eq!(state().unwrap(), before, "{change}");
        }
    });
}

#[test]
fn a_checker_of_sources_runs_in_their_folder_and_can_write_only_to_its_own() {
    at_every_level_with_both_linkings(|fixture| {
        let (folder, sources) =
            (fixture.folder("feedback"), fixture.folder("sources"));
        fixture.put_plain("sources/a.c", b"int main;");
        let as_checker = |script: &str| Launch {
            command: ["/bin/sh", "-c", script, "sh", &folder]
                .map(str::to_owned)
                .to_vec(),
            role: Role::SourceChecker {
                folder: folder.clone().into(),
                works_in: sources.clone().into(),
            },
            ..empty_launch()
        };
        assert_eq!(
            exit_of(
                &fixture,
                &as_checker("grep -q main a.c && cat a.c > $1/copy")
            ),
            Exit::Code(0)
        );
        assert_eq!(
            std::fs::read(Path::new(&folder).join("copy")).unwrap(),
            b"int main;"
        );
        let is_confined =
            fixture.has_namespaces() || fixture.sandbox.guarantees().landlock > 0;
        let wrote = exit_of(&fixture, &as_checker("echo > made")) == Exit::Code(0);
        assert_eq!(wrote, !is_confined);
    });
}
