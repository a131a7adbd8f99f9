//! What a package says: what is understood of it, the checks of it, and its mistakes.

pub(crate) mod check_list;
pub(crate) mod generated_cases;
pub(crate) mod package_checks;
pub(crate) mod package_notes;
pub(crate) mod package_page;
pub(crate) mod package_tools;
pub(crate) mod program_needs;

use check_list::CheckList;
use package_tools::InputValidator;
