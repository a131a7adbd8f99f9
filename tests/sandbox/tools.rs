//! What a tool may that a submission may not.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Role;

use crate::stage::Stage;
use crate::stage::at_every_level_linked_either_way;
use crate::stage::limits;
use crate::stage::nothing;

fn as_tool(folder: &str, launch: Launch) -> Launch {
    Launch { role: Role::Tool { folder: folder.into() }, ..launch }
}

fn exit_of(stage: &Stage, launch: &Launch) -> Exit {
    stage.run_within(launch, &limits()).exit
}

#[test]
fn a_tool_works_in_its_folder_and_writes_nowhere_else() {
    at_every_level_linked_either_way(|stage| {
        let folder = stage.folder("tool");
        let made = as_tool(&folder, stage.act(&["create_file", "made"]));
        assert_eq!(exit_of(&stage, &made), Exit::Code(0));
        let owner = Path::new(&folder).join("made").metadata().unwrap().uid();
        // In namespaces even a tool is a stranger to the judge, if the judge can make it one: its folder is given to it.
        let is_judge = owner == rustix::process::geteuid().as_raw();
        assert_eq!(is_judge, !(stage.is_contained() && stage.sandbox.guarantees().own_user));
        let elsewhere = stage.put("elsewhere", b"");
        let refused = as_tool(&folder, stage.act(&["create_file", &elsewhere]));
        // In a root of its own it is not there, and the folder that it would be in is read-only.
        let code = match (stage.is_contained(), stage.sandbox.guarantees().landlock) {
            (true, _) => libc::EROFS,
            (false, 0) => 0,
            (false, _) => libc::EACCES,
        };
        assert_eq!(exit_of(&stage, &refused), Exit::Code(code));
        let orphans = as_tool(&folder, stage.act(&["leave_orphan"]));
        assert_eq!(exit_of(&stage, &orphans), Exit::Code(0));
        stage.nothing_is_left();
    });
}

#[test]
fn a_tool_reads_of_the_configuration_what_every_user_may() {
    at_every_level_linked_either_way(|stage| {
        let folder = stage.folder("tool");
        let cat = |file: &str| Launch { command: vec!["/bin/cat".into(), file.into()], ..nothing() };
        assert_eq!(exit_of(&stage, &as_tool(&folder, cat("/etc/passwd"))), Exit::Code(0));
        // Root may read it; a tool of root's may not, or a source could have it compiled in.
        let is_root = rustix::process::geteuid().is_root();
        let is_confined = stage.is_contained() || stage.sandbox.guarantees().landlock > 0 || !is_root;
        assert_eq!(exit_of(&stage, &as_tool(&folder, cat("/etc/shadow"))), Exit::Code(is_confined.into()));
    });
}

/// Landlock has no word on rights, times and attributes, and at level basic a tool of root's judge is the owner of root's files.
#[test]
fn a_tool_changes_the_rights_of_no_file_elsewhere() {
    at_every_level_linked_either_way(|stage| {
        let folder = stage.folder("tool");
        let other = stage.put_plain("other", b"");
        let state =
            || Path::new(&other).metadata().map(|found| (found.mode(), found.mtime(), found.ctime_nsec()));
        let before = state().unwrap();
        for change in ["chmod 777", "touch -d @1", "setfattr -n user.left -v word", "chattr +A"] {
            let command =
                vec!["/bin/sh".into(), "-c".into(), format!("{change} {other} 2>/dev/null; exit 0")];
            assert_eq!(exit_of(&stage, &as_tool(&folder, Launch { command, ..nothing() })), Exit::Code(0));
            assert_eq!(state().unwrap(), before, "{change}");
        }
    });
}

#[test]
fn a_checker_of_sources_works_where_they_lie_and_writes_elsewhere() {
    at_every_level_linked_either_way(|stage| {
        let (folder, sources) = (stage.folder("feedback"), stage.folder("sources"));
        stage.put_plain("sources/a.c", b"int main;");
        let as_checker = |script: &str| Launch {
            command: ["/bin/sh", "-c", script, "sh", &folder].map(str::to_owned).to_vec(),
            role: Role::SourceChecker { folder: folder.clone().into(), works_in: sources.clone().into() },
            ..nothing()
        };
        assert_eq!(exit_of(&stage, &as_checker("grep -q main a.c && cat a.c > $1/copy")), Exit::Code(0));
        assert_eq!(std::fs::read(Path::new(&folder).join("copy")).unwrap(), b"int main;");
        let is_confined = stage.is_contained() || stage.sandbox.guarantees().landlock > 0;
        let wrote = exit_of(&stage, &as_checker("echo > made")) == Exit::Code(0);
        assert_eq!(wrote, !is_confined);
    });
}
