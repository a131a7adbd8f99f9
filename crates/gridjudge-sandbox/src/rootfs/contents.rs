//! Chooses what a program sees in its root: only itself and a locale if it needs no other file,
//! else the system's folders, its own, and the targets of links. Knows files and how programs are
//! loaded; mounts nothing. Start at [`RootFsContents::of`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::confine::landlock::AccessGrant;
use crate::confine::system_folders::{CONFIGURATION, SYSTEM_FOLDERS};
use crate::confine::world_readable;
use crate::rootfs::executable;
use crate::rootfs::executable::ExecutableKind;

/// The loader's cache. Without it, the loader searches folder by folder.
const LOADERS_CACHE: &str = "/etc/ld.so.cache";

/// The locale of text in UTF-8, under the names that glibc tries. A static program finds it there,
/// too.
const LOCALES: [&str; 2] = ["/usr/lib/locale/C.utf8", "/usr/lib/locale/C.UTF-8"];

/// The most links on the way to one file; more are considered a cycle.
const MOST_LINKS: usize = 40;

/// How deep to search a runtime's own folder for links to its configuration, and how many entries
/// to visit.
const RUNTIME_DEPTH: usize = 4;
const RUNTIME_ENTRIES: usize = 8192;

/// The contents of a root. The paths are those on this machine, which are the same in the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RootFsContents {
    /// Folders and files that can be read, none inside another.
    pub(super) trees: Vec<PathBuf>,
    /// Links outside of these trees, and their targets.
    pub(super) links: BTreeMap<PathBuf, PathBuf>,
    /// The writable folder beside the scratch folder, if any.
    pub(super) writable: Option<PathBuf>,
    /// Whether `/proc` shows the run's own processes.
    pub(crate) processes: bool,
    /// The program, if it needs no other file and is mounted without the system.
    pub(crate) alone: Option<PathBuf>,
}

impl RootFsContents {
    /// Chooses the contents for `program` with this grant.
    pub(super) fn of(program: &Path, grant: &AccessGrant) -> Self {
        let writable = grant.is_tool.then(|| grant.writable.clone());
        let mut contents = Self {
            writable,
            ..Self::default()
        };
        if grant.is_compiler {
            contents.add_system();
            world_readable::world_readable(Path::new(CONFIGURATION))
                .iter()
                .for_each(|path| contents.add(path));
            contents.processes = true;
        } else {
            // A program that is not the submission's own is a runtime: it reads other files, and
            // looks itself up in `/proc`.
            let is_own = grant
                .readable
                .first()
                .is_some_and(|own| program.starts_with(own));
            if is_own && !grant.is_tool && executable::kind_of(program) == ExecutableKind::Static {
                contents.alone = trace(program, &mut contents.links);
                contents.links.clear();
                LOCALES
                    .iter()
                    .for_each(|locale| contents.add(Path::new(locale)));
                return contents;
            }
            contents.add_system();
            contents.add(Path::new(LOADERS_CACHE));
            // A checker may start other programs, and itself by its name in `/proc`.
            contents.processes = grant.is_tool || !is_own;
            contents.add_configuration_of(program);
        }
        grant.readable.iter().for_each(|path| contents.add(path));
        contents.tidy();
        contents
    }

    /// The contents for a program that needs the whole system, which are the hardest to mount.
    pub(super) fn whole_system() -> Self {
        let mut contents = Self {
            processes: true,
            ..Self::default()
        };
        contents.add_system();
        contents.tidy();
        contents
    }

    fn add_system(&mut self) {
        SYSTEM_FOLDERS
            .iter()
            .for_each(|folder| self.add(Path::new(folder)));
    }

    /// Adds a path with all links on the way to it; one that does not exist is left out.
    fn add(&mut self, path: &Path) {
        if let Some(real) = trace(path, &mut self.links) {
            self.trees.push(real);
        }
    }

    /// Adds a runtime's configuration. Distributions put it into `/etc`, and links to it into the
    /// runtime's folder.
    fn add_configuration_of(&mut self, program: &Path) {
        let Some(real) = trace(program, &mut self.links) else {
            return;
        };
        let above_bin = real
            .parent()
            .filter(|bin| bin.ends_with("bin"))
            .and_then(Path::parent);
        let Some(installed) = above_bin.filter(|folder| folder.components().count() > 3) else {
            return;
        };
        let entries = walkdir::WalkDir::new(installed)
            .max_depth(RUNTIME_DEPTH)
            .into_iter();
        let links = entries
            .take(RUNTIME_ENTRIES)
            .flatten()
            .filter(walkdir::DirEntry::path_is_symlink);
        let ends = links.filter_map(|link| link.path().canonicalize().ok());
        ends.filter(|end| end.starts_with(CONFIGURATION))
            .for_each(|end| self.add(&end));
    }

    /// Removes trees and links that are inside other trees.
    fn tidy(&mut self) {
        self.trees.sort();
        self.trees.dedup_by(|inner, outer| inner.starts_with(outer));
        let trees = &self.trees;
        self.links
            .retain(|link, _| !trees.iter().any(|tree| link.starts_with(tree)));
    }
}

/// Follows all links of a path. Returns the real path, and adds the links on the way to `links`.
fn trace(path: &Path, links: &mut BTreeMap<PathBuf, PathBuf>) -> Option<PathBuf> {
    let parts = |path: &Path| -> Vec<OsString> {
        let names = path
            .components()
            .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
        names.map(|part| part.as_os_str().to_owned()).collect()
    };
    let mut met = BTreeMap::new();
    let mut followed = 0;
    let mut real = PathBuf::from("/");
    let mut to_come: Vec<_> = parts(path).into_iter().rev().collect();
    while let Some(part) = to_come.pop() {
        if part == ".." {
            real.pop();
            continue;
        }
        let next = real.join(part);
        match fs::read_link(&next) {
            Ok(target) => {
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                to_come.extend(parts(&target).into_iter().rev());
                met.insert(next, target);
                followed += 1;
                if followed > MOST_LINKS || to_come.len() > 1024 {
                    return None;
                }
            }
            Err(_) => real = next,
        }
    }
    // Devices and pipes are left out: opening one could block for ever.
    let found = real.symlink_metadata().ok()?;
    if (found.is_dir() || found.is_file()) && real != Path::new("/") {
        links.append(&mut met);
        return Some(real);
    }
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_on_the_way_are_kept_and_the_end_is_real() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/bin")).unwrap();
        fs::write(root.join("real/bin/program"), "").unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink(root.join("link/bin/../bin/program"), root.join("start")).unwrap();
        let mut links = BTreeMap::new();
        let real = trace(&root.join("start"), &mut links).unwrap();
        assert_eq!(real, root.join("real/bin/program"));
        assert_eq!(
            links.keys().cloned().collect::<Vec<_>>(),
            [root.join("link"), root.join("start")]
        );
        assert_eq!(links[&root.join("link")], Path::new("real"));
    }

    #[test]
    fn cycles_devices_and_missing_files_have_no_real_path() {
        let place = tempfile::tempdir().unwrap();
        symlink("b", place.path().join("a")).unwrap();
        symlink("a", place.path().join("b")).unwrap();
        let mut links = BTreeMap::new();
        for path in [
            &*place.path().join("a"),
            Path::new("/dev/null"),
            Path::new("/no/such/file"),
            Path::new("/"),
        ] {
            assert_eq!(trace(path, &mut links), None);
        }
        assert!(links.is_empty());
    }

    #[test]
    fn trees_and_links_inside_another_tree_are_removed() {
        let path = |text: &str| PathBuf::from(text);
        let mut contents = RootFsContents {
            trees: ["/usr/lib", "/usr", "/usr-x", "/usr"].map(path).to_vec(),
            links: [("/lib", "usr/lib"), ("/usr/lib64", "lib")]
                .map(|(at, to)| (path(at), path(to)))
                .into(),
            ..RootFsContents::default()
        };
        contents.tidy();
        assert_eq!(contents.trees, ["/usr", "/usr-x"].map(path));
        assert_eq!(
            contents.links.keys().cloned().collect::<Vec<_>>(),
            [path("/lib")]
        );
    }
}
