//! The packages of the distribution that a tool consists of: the one with its file,
//! those that this one depends on, and those that put headers and modules where the
//! tool searches for them. Reads the records of dpkg. An installation of anything else
//! changes none of these facts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use memchr::memmem;

use crate::cache::{Cache, KeyHasher};

/// What tools find by themselves, besides what their own packages depend on: their
/// names without versions, a part of the path of each file that they may find, and
/// packages without which they are of no use, and on which their own do not depend.
type SearchRule = [&'static [&'static str]; 3];

const SEARCH_RULES: [SearchRule; 15] = [
    [
        &["cc", "c++", "gcc", "g++", "gfortran", "clang", "clang++"],
        &["/usr/include/"],
        &["libc6-dev", "binutils"],
    ],
    [&["python", "pypy"], &["/dist-packages/"], &[]],
    [&["perl"], &["/perl5/", "/perl-base/"], &[]],
    [&["ruby"], &["/ruby/", "/rubygems-integration/"], &[]],
    [&["node", "nodejs"], &["/nodejs/", "/node_modules/"], &[]],
    [&["php"], &["/php/", "/etc/php"], &[]],
    [&["lua"], &["/lua/"], &[]],
    [
        &["ghc", "runghc"],
        &["/haskell-packages/", "/var/lib/ghc/"],
        &["libc6-dev"],
    ],
    [
        &[
            "ocamlc",
            "ocamlopt",
            "ocamlc.opt",
            "ocamlopt.opt",
            "ocamlfind",
        ],
        &["/ocaml/"],
        &["libc6-dev"],
    ],
    [&["sbcl"], &["/common-lisp/"], &[]],
    [&["mono", "mcs", "csc"], &["/usr/lib/mono/"], &[]],
    [
        &["fpc", "gnatmake"],
        &["/fpc/", "/adainclude/", "/adalib/"],
        &["libc6-dev"],
    ],
    [&["go"], &["/gocode/", "/usr/lib/go"], &["gcc", "libc6-dev"]],
    [&["rustc", "cargo"], &["/rustlib/"], &["gcc", "libc6-dev"]],
    [
        &["java", "javac", "kotlinc", "kotlin", "scala", "scalac"],
        &["/usr/lib/jvm/"],
        &[],
    ],
];

/// The most bytes of a record that are read.
const LARGEST_RECORD: u64 = 256 << 20;

/// The records of a package manager. Reading and searching them ends early once the
/// cache is stopped.
pub(super) struct PackageRecords<'a> {
    cache: &'a Cache,
    /// The folder of dpkg.
    folder: PathBuf,
    packages: BTreeMap<String, Package>,
    /// Which installed packages provide a name.
    providers: BTreeMap<String, Vec<String>>,
}

struct Package {
    version: String,
    architecture: String,
    /// Names of packages, in alternatives too.
    depends: Vec<String>,
}

impl<'a> PackageRecords<'a> {
    /// The file that changes whenever a package is installed or removed.
    pub(super) fn status_file(folder: &Path) -> PathBuf {
        folder.join("status")
    }

    /// Reads the records of dpkg in this folder. `None` if there are none.
    pub(super) fn read(folder: &Path, cache: &'a Cache) -> Option<Self> {
        let status =
            crate::files::read_bounded(&Self::status_file(folder), LARGEST_RECORD)
                .ok()?;
        let status = String::from_utf8_lossy(&status);
        let mut records = Self {
            cache,
            folder: folder.to_owned(),
            packages: BTreeMap::new(),
            providers: BTreeMap::new(),
        };
        for paragraph in status.split("\n\n").take_while(|_| !cache.is_stopped()) {
            records.add(paragraph);
        }
        Some(records)
    }

    fn add(&mut self, paragraph: &str) {
        let value = |key: &str| {
            paragraph
                .lines()
                .find_map(|line| line.strip_prefix(key))
                .map(str::trim)
        };
        let Some(name) = value("Package:") else {
            return;
        };
        if !value("Status:").is_some_and(|status| status.ends_with(" installed")) {
            return;
        }
        let depends = [value("Depends:"), value("Pre-Depends:")]
            .into_iter()
            .flatten()
            .flat_map(names)
            .map(str::to_owned)
            .collect();
        for provided in value("Provides:").into_iter().flat_map(names) {
            self.providers
                .entry(provided.to_owned())
                .or_default()
                .push(name.to_owned());
        }
        let package = Package {
            version: value("Version:").unwrap_or_default().to_owned(),
            architecture: value("Architecture:").unwrap_or_default().to_owned(),
            depends,
        };
        self.packages.insert(name.to_owned(), package);
    }

    /// The packages that a tool with this file, or its libraries, consist of. Of all
    /// packages, if nobody knows where such a tool searches.
    pub(super) fn facts_of_tool(
        &self,
        tool: &Path,
        libraries: &[PathBuf],
    ) -> Vec<String> {
        let name = tool
            .file_name()
            .map(|name| name.to_string_lossy())
            .unwrap_or_default();
        let Some([_, paths, needed]) = SEARCH_RULES
            .iter()
            .find(|[tools, ..]| tools.contains(&without_version(&name)))
        else {
            return self.facts_of_all();
        };
        let lines: Vec<_> = iter::once(tool)
            .chain(libraries.iter().map(PathBuf::as_path))
            .flat_map(lines_of)
            .collect();
        let lines: Vec<_> = lines.iter().map(memmem::Finder::new).collect();
        let paths: Vec<_> = paths.iter().map(memmem::Finder::new).collect();
        let has_any = |list: &[u8], parts: &[memmem::Finder<'_>]| {
            parts.iter().any(|part| part.find(list).is_some())
        };
        // Those that have one of the files, and those that have a file with one of the
        // parts in its path.
        let mut owners = needed.to_vec();
        let mut with_paths = vec![];
        for name in self
            .packages
            .keys()
            .take_while(|_| !self.cache.is_stopped())
        {
            let Ok(list) = fs::read(self.record(name, "list")) else {
                continue;
            };
            if has_any(&list, &lines) {
                owners.push(name);
            }
            if has_any(&list, &paths) {
                with_paths.push(name.as_str());
            }
        }
        let mut packages = self.with_dependencies(owners);
        packages.extend(with_paths);
        packages
            .into_iter()
            .filter_map(|name| self.facts_of_package(name))
            .collect()
    }

    /// The names and versions of all packages: of a program that may start and load
    /// anything.
    pub(super) fn facts_of_all(&self) -> Vec<String> {
        self.packages
            .iter()
            .map(|(name, package)| format!("package {name} {}", package.version))
            .collect()
    }

    /// A package's name and version, and a hash of the checksums of its files.
    fn facts_of_package(&self, name: &str) -> Option<String> {
        let Package {
            version,
            architecture,
            ..
        } = self.packages.get(name)?;
        let mut hasher = KeyHasher::for_purpose("checksums");
        if let Ok(sums) = fs::read(self.record(name, "md5sums")) {
            hasher.add(sums);
        }
        Some(format!(
            "package {name} {version} {architecture} {}",
            hasher.finish()
        ))
    }

    /// These packages, as far as they are installed, and all that they depend on.
    fn with_dependencies<'n>(&'n self, names: Vec<&'n str>) -> BTreeSet<&'n str> {
        let mut closure = BTreeSet::new();
        let mut open = names;
        while let Some(name) = open.pop() {
            if let Some((name, package)) = self.packages.get_key_value(name)
                && closure.insert(name.as_str())
            {
                open.extend(package.depends.iter().map(String::as_str));
            }
            open.extend(
                self.providers
                    .get(name)
                    .into_iter()
                    .flatten()
                    .map(String::as_str)
                    .filter(|name| !closure.contains(name)),
            );
        }
        closure
    }

    /// A file with the records of one package. Where several architectures may be
    /// installed, its name tells which.
    fn record(&self, name: &str, ending: &str) -> PathBuf {
        let info = self.folder.join("info");
        let architecture = self
            .packages
            .get(name)
            .map_or("", |package| &package.architecture);
        let plain = info.join(format!("{name}.{ending}"));
        if plain.exists() {
            plain
        } else {
            info.join(format!("{name}:{architecture}.{ending}"))
        }
    }
}

/// The lines that list a file, of which a package has one. Where `/bin` is a link to
/// `/usr/bin`, packages list files under either name.
fn lines_of(file: &Path) -> Vec<String> {
    let path = file.to_string_lossy();
    let shorter = path.strip_prefix("/usr");
    iter::once(path.as_ref())
        .chain(shorter)
        .map(|path| format!("\n{path}\n"))
        .collect()
}

/// The names in a field such as `libc6 (>= 2.36), awk | mawk, python3:any`.
fn names(field: &str) -> impl Iterator<Item = &str> {
    field
        .split([',', '|'])
        .filter_map(|item| item.trim().split([' ', '(', ':']).next())
        .filter(|name| !name.is_empty())
}

/// A tool's name without the machine before it and the version after it: `gcc` of
/// `x86_64-linux-gnu-gcc-12`, `python` of `python3.11`.
fn without_version(name: &str) -> &str {
    let name = name
        .rsplit_once("-linux-gnu-")
        .map_or(name, |(_, name)| name);
    name.trim_end_matches(|letter: char| {
        letter.is_ascii_digit() || letter == '.' || letter == '-'
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    const STATUS: &str = "\
Package: gcc-12
Status: install ok installed
Architecture: amd64
Version: 12.2
Depends: cpp-12 (= 12.2), as | binutils (>= 2), libgone

Package: cpp-12
Status: install ok installed
Architecture: amd64
Version: 12.2
Pre-Depends: libc6:any

Package: binutils-plain
Status: install ok installed
Architecture: amd64
Version: 2.40
Provides: binutils (= 2.40), as

Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36
Description: a library
 Depends: nonsense

Package: libboost-dev
Status: install ok installed
Architecture: all
Version: 1.74

Package: hello
Status: install ok installed
Architecture: amd64
Version: 2.10

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1
";

    /// Records of dpkg in a folder, and a cache.
    struct Records(tempfile::TempDir, Cache);

    impl Records {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let cache =
                Cache::open(&folder.path().join("cache"), 1 << 20, &[]).unwrap();
            let records = Self(folder, cache);
            records.write("status", STATUS);
            records.write(
                "info/gcc-12.list",
                "/.\n/usr/bin/x86_64-linux-gnu-gcc-12\n/usr/share/doc\n",
            );
            records.write(
                "info/gcc-12.md5sums",
                "1  usr/bin/x86_64-linux-gnu-gcc-12\n",
            );
            records.write(
                "info/libc6:amd64.list",
                "/.\n/lib/x86_64-linux-gnu/libc.so.6\n",
            );
            records.write(
                "info/libc6:amd64.md5sums",
                "2  lib/x86_64-linux-gnu/libc.so.6\n",
            );
            records
                .write("info/libboost-dev.list", "/.\n/usr/include/boost/any.hpp\n");
            records.write("info/hello.list", "/.\n/usr/bin/hello\n");
            records
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn facts(&self, tool: &str, libraries: &[&str]) -> Vec<String> {
            let libraries: Vec<_> = libraries.iter().map(PathBuf::from).collect();
            let records = PackageRecords::read(self.0.path(), &self.1).unwrap();
            records.facts_of_tool(Path::new(tool), &libraries)
        }

        fn names(&self, tool: &str, libraries: &[&str]) -> Vec<String> {
            self.facts(tool, libraries)
                .iter()
                .map(|fact| fact.split(' ').nth(1).unwrap().to_owned())
                .collect()
        }
    }

    const GCC: &str = "/usr/bin/x86_64-linux-gnu-gcc-12";

    #[test]
    fn a_compiler_consists_of_its_package_what_that_needs_and_all_headers() {
        let records = Records::new();
        let expected = [
            "binutils-plain",
            "cpp-12",
            "gcc-12",
            "libboost-dev",
            "libc6",
        ];
        assert_eq!(records.names(GCC, &[]), expected);
    }

    #[test]
    fn a_package_that_a_compiler_cannot_use_changes_nothing() {
        let records = Records::new();
        let before = records.facts(GCC, &[]);
        records.write("status", &STATUS.replace("Version: 2.10", "Version: 2.11"));
        assert_eq!(records.facts(GCC, &[]), before);
        records.write(
            "status",
            &format!(
                "{STATUS}\nPackage: tree\nStatus: install ok installed\nVersion: 2\n"
            ),
        );
        assert_eq!(records.facts(GCC, &[]), before);
    }

    #[test]
    fn another_version_or_other_files_of_a_package_that_a_compiler_uses_change_its_facts()
     {
        for (file, from, to) in [
            ("status", "Version: 12.2\nDepends", "Version: 12.3\nDepends"),
            ("status", "Version: 2.36", "Version: 2.37"),
            ("status", "Version: 1.74", "Version: 1.81"),
            ("info/gcc-12.md5sums", "1 ", "3 "),
            ("info/libc6:amd64.md5sums", "2 ", "3 "),
            ("info/hello.list", "/usr/bin/hello", "/usr/include/hello.h"),
        ] {
            let records = Records::new();
            let before = records.facts(GCC, &[]);
            let text = fs::read_to_string(records.0.path().join(file)).unwrap();
            assert!(text.contains(from), "{file}");
            records.write(file, &text.replacen(from, to, 1));
            assert_ne!(records.facts(GCC, &[]), before, "{file}: {to}");
        }
    }

    #[test]
    fn nothing_is_read_or_searched_once_the_cache_is_stopped() {
        let Records(folder, cache) = Records::new();
        let records = PackageRecords::read(folder.path(), &cache).unwrap();
        cache.stop_flag().store(true, Ordering::Relaxed);
        // Only what a compiler needs without a search.
        let found = records.facts_of_tool(Path::new(GCC), &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("package binutils-plain "), "{found:?}");
        assert!(
            PackageRecords::read(folder.path(), &cache)
                .unwrap()
                .packages
                .is_empty()
        );
    }

    #[test]
    fn of_a_tool_that_nobody_knows_all_packages_count() {
        let records = Records::new();
        let expected = [
            "binutils-plain",
            "cpp-12",
            "gcc-12",
            "hello",
            "libboost-dev",
            "libc6",
        ];
        assert_eq!(records.names("/usr/bin/hello", &[]), expected);
    }

    #[test]
    fn a_tool_without_a_package_needs_those_of_its_libraries() {
        let records = Records::new();
        assert_eq!(
            records.names(
                "/opt/python/bin/python3.11",
                &["/usr/lib/x86_64-linux-gnu/libc.so.6"]
            ),
            ["libc6"]
        );
    }

    #[test]
    fn a_tool_is_known_by_its_name_without_machine_and_version() {
        for (name, known) in [
            ("x86_64-linux-gnu-g++-12", "g++"),
            ("python3.11", "python"),
            ("clang-14", "clang"),
            ("lua5.4", "lua"),
            ("node", "node"),
            ("c++", "c++"),
        ] {
            assert_eq!(without_version(name), known);
        }
    }
}
