//! The folder of a problem: one of ours, or a package of another judge, which is read at its first use.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::mistake::Mistake;
use crate::mistake::Mistakes;
use crate::package;
use crate::package::Package;
use crate::package::PackageFormat;
use crate::spec::archive_folder::ArchiveFolder;
use crate::spec::config::Config;
use crate::spec::walk::files_below;

/// The file that makes a folder a problem.
pub const SPEC: &str = "problem.toml";

/// The remedy for a package that is not of the wanted format.
pub(super) const OTHER_FORMAT: &str = "leave `--format` out, and the files in it tell the format";

/// The folder of a problem.
#[derive(Clone, Debug)]
pub(super) struct ProblemFolder {
    pub(super) path: PathBuf,
    /// The file that describes the problem.
    pub(super) file: PathBuf,
    /// The package, filled at its first use; `None` if the problem is one of ours.
    package: Option<OnceLock<ReadPackage>>,
    /// The format to read the package as; `None` to recognise it by its files.
    wanted: Option<PackageFormat>,
    /// The archive that it was unpacked from, if any.
    archive: Option<UnpackedArchive>,
}

/// A package that was read, and the folder of the files prepared from it, which exists as long as this value.
#[derive(Clone, Debug)]
struct ReadPackage {
    package: Result<Arc<Package>, Mistakes>,
    _prepared: Option<Arc<ArchiveFolder>>,
}

/// An archive, and the folder it is unpacked in, which exists as long as this value.
#[derive(Clone, Debug)]
struct UnpackedArchive {
    path: PathBuf,
    folder: Arc<ArchiveFolder>,
}

impl ProblemFolder {
    /// The problem that a spec or a package file describes.
    fn of_file(file: &Path) -> Self {
        let path = file.parent().unwrap_or(file).to_owned();
        let is_ours = file.file_name().is_some_and(|name| name == SPEC);
        let package = (!is_ours).then(OnceLock::new);
        Self { path, file: file.to_owned(), package, wanted: None, archive: None }
    }

    /// The package in a folder or in its only subfolder, of the wanted format or of any. `None` if there is
    /// no such package.
    pub(super) fn of_package(path: &Path, wanted: Option<PackageFormat>) -> Option<Self> {
        let (folder, name) = package::package_folder(path, wanted)?;
        Some(Self { wanted, ..Self::of_file(&folder.join(name)) })
    }

    /// The same folder, read as a package of this format. `None` if it is no such package.
    pub(super) fn read_as(&self, wanted: PackageFormat) -> Option<Self> {
        Some(Self { archive: self.archive.clone(), ..Self::of_package(&self.path, Some(wanted))? })
    }

    /// Unpacks an archive and finds the package in it, of the wanted format or of any.
    ///
    /// # Errors
    /// Reports every entry that is refused, and an archive without such a package.
    pub(super) fn of_archive(path: &Path, wanted: Option<PackageFormat>) -> Result<Self, Mistakes> {
        let failed = |error| Mistake::of(path, format!("cannot be unpacked: {error}"));
        let folder = ArchiveFolder::make().map_err(failed)?;
        package::unpack(path, &folder.content())?;
        let Some(found) = Self::of_package(&folder.content(), wanted) else {
            let what = wanted.map_or("package".to_owned(), |wanted| wanted.to_string());
            let lacking = wanted.map_or(package::NO_PACKAGE, PackageFormat::lacking);
            let message = format!("holds no {what}: {lacking}, at its root or in its only folder");
            let is_other = wanted.is_some() && Self::of_package(&folder.content(), None).is_some();
            let remedy = if is_other { OTHER_FORMAT } else { "pack the folder of a package" };
            return Err(Mistake::of(path, message).with_remedy(remedy).into());
        };
        let archive = UnpackedArchive { path: path.to_owned(), folder: Arc::new(folder) };
        Ok(Self { archive: Some(archive), ..found })
    }

    /// Whether it is a package of another judge.
    pub(super) fn is_package(&self) -> bool {
        self.package.is_some()
    }

    /// The archive that it was unpacked from, if any.
    pub(super) fn archive(&self) -> Option<&Path> {
        self.archive.as_ref().map(|archive| archive.path.as_path())
    }

    /// The path of the file that describes the problem, as reports show it: in an archive, it begins with the
    /// archive's path.
    pub(super) fn shown_file(&self) -> PathBuf {
        match &self.archive {
            None => self.file.clone(),
            Some(archive) => archive.shown_path(self.file.clone()),
        }
    }

    /// The package, if the problem is one. It is read at the first call.
    pub(super) fn package(&self) -> Option<Result<Arc<Package>, Mistakes>> {
        let read = || {
            let (read, prepared) = self.read();
            let package = match &self.archive {
                None => read,
                Some(archive) => {
                    read.map(|package| package.with_mistakes_at(|mistake| archive.shown(mistake))).map_err(
                        |Mistakes(found)| Mistakes(found.into_iter().map(|one| archive.shown(one)).collect()),
                    )
                }
            };
            ReadPackage { package: package.map(Arc::new), _prepared: prepared.map(Arc::new) }
        };
        self.package.as_ref().map(|package| package.get_or_init(read).package.clone())
    }

    /// Reads the package. Also returns the folder of the files that were prepared from it, if any were.
    fn read(&self) -> (Result<Package, Mistakes>, Option<ArchiveFolder>) {
        let prepared = OnceCell::new();
        let package = Package::read_as(self.wanted, &self.path, &|| {
            let folder = ArchiveFolder::make()?;
            Ok(prepared.get_or_init(|| folder).content())
        });
        (package, prepared.into_inner())
    }
}

impl UnpackedArchive {
    /// Replaces the path of an unpacked file in a mistake by its path in the archive.
    fn shown(&self, mistake: Mistake) -> Mistake {
        Mistake { path: self.shown_path(mistake.path), ..mistake }
    }

    fn shown_path(&self, path: PathBuf) -> PathBuf {
        match path.strip_prefix(self.folder.content()) {
            Ok(name) => self.path.join(name),
            Err(_) => path,
        }
    }
}

/// Finds the folders of all problems below the judge's folder of problems, by id. Also returns the mistakes
/// found there.
pub(super) fn find_problems(config: &Config) -> (BTreeMap<String, ProblemFolder>, Vec<Mistake>) {
    let root = config.problems.as_path();
    let (files, mut mistakes) = files_below(root, config);
    let mut problems: BTreeMap<String, ProblemFolder> = BTreeMap::new();
    for file in problem_files(&files) {
        let folder = file.parent().unwrap_or(root);
        let id = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(other) = problems.insert(id.clone(), ProblemFolder::of_file(file)) {
            let message = format!("problem `{id}` is also in {}", other.path.display());
            mistakes.push(Mistake::of(folder, message).with_remedy("rename one of the two folders"));
        }
    }
    (problems, mistakes)
}

/// The files that make their folders problems, one for each folder. Our spec takes precedence over package
/// files. A file inside a package makes no further problem.
fn problem_files(files: &[PathBuf]) -> Vec<&Path> {
    let name_of =
        |file: &Path| file.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    let mut of_packages: Vec<_> = files.iter().filter(|file| package::is_package_file(file)).collect();
    // Outer folders come before inner ones.
    of_packages.sort_by_key(|file| file.components().count());
    let mut packages: BTreeMap<&Path, &Path> = BTreeMap::new();
    for file in of_packages {
        let Some(folder) = file.parent() else { continue };
        let is_inside = folder.ancestors().skip(1).any(|above| packages.contains_key(above));
        if !is_inside && !folder.join(SPEC).is_file() {
            packages.insert(folder, file);
        }
    }
    let is_in_package = |file: &Path| file.ancestors().skip(2).any(|above| packages.contains_key(above));
    let ours =
        files.iter().map(PathBuf::as_path).filter(|file| name_of(file) == SPEC && !is_in_package(file));
    ours.chain(packages.values().copied()).collect()
}
