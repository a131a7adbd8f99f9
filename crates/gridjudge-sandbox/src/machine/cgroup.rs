//! Finds the hierarchies of control groups, the place of this process in them, and its
//! CPU quota. Knows both versions of the kernel's interface.

use crate::machine::processors::KernelFiles;

/// A mounted hierarchy of control groups.
pub(crate) struct CgroupHierarchy {
    pub(crate) version: u32,
    /// Its controllers. In version 2 they are read from a file of the group.
    pub(crate) controllers: Vec<String>,
    /// The path where it is mounted.
    pub(crate) mounted_at: String,
    /// The group of this process: a path below `mounted_at`, empty for the top.
    group: String,
}

impl CgroupHierarchy {
    /// The hierarchies of this process.
    pub(crate) fn of_this_process() -> Vec<Self> {
        Self::all(&KernelFiles::of_this_machine())
    }

    /// The hierarchies described by these files.
    pub(super) fn all(files: &KernelFiles) -> Vec<Self> {
        let mounts = files.text("/proc/self/mountinfo").unwrap_or_default();
        let groups = files.text("/proc/self/cgroup").unwrap_or_default();
        let mut found = Self::in_texts(&mounts, &groups);
        for hierarchy in found.iter_mut().filter(|hierarchy| hierarchy.version == 2) {
            let controllers =
                files.text(&format!("{}/cgroup.controllers", hierarchy.folder()));
            hierarchy.controllers = words(&controllers.unwrap_or_default(), ' ');
        }
        found
    }

    /// The hierarchies in the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`,
    /// without the controllers of version 2. Sources: proc_pid_mountinfo(5),
    /// cgroups(7).
    pub(crate) fn in_texts(mounts: &str, groups: &str) -> Vec<Self> {
        mounts
            .lines()
            .filter_map(|mount| hierarchy(mount, groups))
            .collect()
    }

    /// The folder of the group that this process is in.
    pub(crate) fn folder(&self) -> String {
        format!("{}{}", self.mounted_at, self.group)
    }

    /// That folder and those above it, as far as they are visible from here.
    fn folders(&self) -> impl Iterator<Item = String> {
        let ends = self
            .group
            .match_indices('/')
            .map(|(end, _)| end)
            .chain([self.group.len()]);
        ends.map(|end| format!("{}{}", self.mounted_at, &self.group[..end]))
    }
}

/// How many processors this process may use at once, by the strictest quota on its
/// groups.
pub(super) fn quota(
    files: &KernelFiles,
    hierarchies: &[CgroupHierarchy],
) -> Option<f64> {
    let folders = hierarchies
        .iter()
        .filter(|known| {
            known.version == 2 || known.controllers.iter().any(|name| name == "cpu")
        })
        .flat_map(CgroupHierarchy::folders);
    let quotas =
        folders.filter_map(|folder| match files.text(&format!("{folder}/cpu.max")) {
            Some(text) => share(&text),
            None => {
                let part = |name| files.text(&format!("{folder}/{name}"));
                share(&format!(
                    "{} {}",
                    part("cpu.cfs_quota_us")?,
                    part("cpu.cfs_period_us")?
                ))
            }
        });
    quotas.reduce(f64::min)
}

/// The number of processors that a quota allows: `150000 100000` is one and a half.
/// `None` for `max` and for a negative quota, by which the two versions say that there
/// is no quota.
fn share(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    let quota: f64 = quota.parse().ok()?;
    let period: f64 = period.trim().parse().ok()?;
    (quota > 0.0 && period > 0.0).then_some(quota / period)
}

/// The hierarchy of a line of `/proc/self/mountinfo`, if it is one that controls
/// something:
/// `35 31 0:32 /root /mounted/at rw,relatime optional:1 - cgroup cgroup rw,memory`.
fn hierarchy(mount: &str, groups: &str) -> Option<CgroupHierarchy> {
    let (place, kind) = mount.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let root = place.next()?;
    let mounted_at = place.next()?.to_owned();
    let mut kind = kind.split(' ');
    let version = match kind.next()? {
        "cgroup" => 1,
        "cgroup2" => 2,
        _ => return None,
    };
    let mut controllers = vec![];
    if version == 1 {
        let options = words(kind.nth(1)?, ',');
        // Other options describe the mount, or name a hierarchy that controls nothing.
        controllers = options
            .into_iter()
            .filter(|word| {
                !word.contains('=') && !NO_CONTROLLERS.contains(&word.as_str())
            })
            .collect();
        if controllers.is_empty() {
            return None;
        }
    }
    let group = groups
        .lines()
        .find_map(|line| group(line, &controllers))
        .unwrap_or("/");
    // If only a part of the tree is mounted, as in a container, paths are still those
    // of the whole tree.
    let below = group.strip_prefix(root.trim_end_matches('/'));
    let below = below.filter(|below| below.is_empty() || below.starts_with('/'));
    let group = below.unwrap_or(group).trim_end_matches('/').to_owned();
    Some(CgroupHierarchy {
        version,
        controllers,
        mounted_at,
        group,
    })
}

const NO_CONTROLLERS: [&str; 6] =
    ["rw", "ro", "xattr", "noprefix", "clone_children", "none"];

/// The group that a line of `/proc/self/cgroup`, such as `4:memory:/a/b`, names for
/// these controllers. In version 2 that field is empty.
fn group<'a>(line: &'a str, controllers: &[String]) -> Option<&'a str> {
    let mut fields = line.splitn(3, ':').skip(1);
    let named = fields.next()?;
    let is_this = match controllers.first() {
        Some(controller) => named.split(',').any(|name| name == controller),
        None => named.is_empty(),
    };
    if is_this { fields.next() } else { None }
}

fn words(text: &str, separator: char) -> Vec<String> {
    text.split(separator)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::processors::tests::fake_machine;

    const V1: &str =
        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory";
    const GROUPS: &str =
        "9:name=systemd:/\n4:memory:/a/b\n3:cpu,cpuacct:/c\n0::/user.slice/x.scope\n";

    fn parsed(mount: &str, groups: &str) -> Option<(u32, String, String)> {
        let found = hierarchy(mount, groups)?;
        let folder = found.folder();
        Some((found.version, found.controllers.join(" "), folder))
    }

    #[test]
    fn a_mount_and_the_groups_of_a_process_give_its_folder() {
        let both = "33 27 0:5 / /cg/cpu rw shared:9 - cgroup cgroup rw,cpu,cpuacct";
        let unified =
            "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate";
        assert_eq!(
            parsed(V1, GROUPS),
            Some((
                1,
                "memory".to_owned(),
                "/sys/fs/cgroup/memory/a/b".to_owned()
            ))
        );
        assert_eq!(
            parsed(both, GROUPS),
            Some((1, "cpu cpuacct".to_owned(), "/cg/cpu/c".to_owned()))
        );
        assert_eq!(
            parsed(unified, GROUPS),
            Some((
                2,
                String::new(),
                "/sys/fs/cgroup/user.slice/x.scope".to_owned()
            ))
        );
    }

    #[test]
    fn where_a_part_of_the_tree_is_mounted_the_folder_is_below_that_part() {
        let mount = "35 31 0:32 /docker/77 /cg/memory ro - cgroup cgroup rw,memory";
        let folder = |groups| parsed(mount, groups).map(|(_, _, folder)| folder);
        assert_eq!(folder("4:memory:/docker/77"), Some("/cg/memory".to_owned()));
        assert_eq!(
            folder("4:memory:/docker/77/x"),
            Some("/cg/memory/x".to_owned())
        );
    }

    #[test]
    fn a_mount_that_controls_nothing_is_not_a_hierarchy() {
        for mount in [
            "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd",
            "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
            "",
            "1 2 3 - cgroup",
        ] {
            assert_eq!(parsed(mount, GROUPS), None, "{mount}");
        }
    }

    #[test]
    fn a_quota_is_in_processors_and_an_unlimited_one_is_none() {
        assert_eq!(share("150000 100000"), Some(1.5));
        assert_eq!(share("max 100000"), None);
        assert_eq!(share("-1 100000"), None);
        assert_eq!(share(""), None);
    }

    #[test]
    fn the_strictest_quota_of_all_groups_above_counts_in_both_versions() {
        let unified = (
            "/proc/self/mountinfo",
            "41 31 0:38 / /cg rw - cgroup2 cgroup2 rw",
        );
        let (_folder, files) = fake_machine(&[
            unified,
            ("/proc/self/cgroup", "0::/a/b\n"),
            ("/cg/cpu.max", "max 100000"),
            ("/cg/a/cpu.max", "50000 100000\n"),
            ("/cg/a/b/cpu.max", "200000 100000\n"),
            ("/cg/a/b/cgroup.controllers", "cpu memory\n"),
        ]);
        let hierarchies = CgroupHierarchy::all(&files);
        assert_eq!(hierarchies[0].controllers, ["cpu", "memory"]);
        assert_eq!(quota(&files, &hierarchies), Some(0.5));
        let (_folder, files) = fake_machine(&[
            (
                "/proc/self/mountinfo",
                "33 27 0:5 / /cg/cpu rw - cgroup cgroup rw,cpu",
            ),
            ("/proc/self/cgroup", "1:cpu:/\n"),
            ("/cg/cpu/cpu.cfs_quota_us", "300000\n"),
            ("/cg/cpu/cpu.cfs_period_us", "100000\n"),
        ]);
        assert_eq!(quota(&files, &CgroupHierarchy::all(&files)), Some(3.0));
        assert_eq!(quota(&fake_machine(&[unified]).1, &[]), None);
    }
}
