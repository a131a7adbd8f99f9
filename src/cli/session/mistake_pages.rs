//! Shows the mistakes in problems that a log has, a page for each problem, in the form in which
//! `verify` shows them.

use std::io;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use crate::cli::screen;
use crate::cli::session::check_finding::CheckFinding;
use crate::cli::session::package_checks::CheckList;
use crate::mistake::Mistake;
use crate::model::{Event, MistakeRecord};
use crate::report::Sink;

/// Collects the mistakes of a problem, and shows them when they are over.
pub(crate) struct MistakePages {
    /// Whether only errors are shown.
    is_short: bool,
    current: Option<(Arc<str>, CheckList)>,
}

impl MistakePages {
    pub(crate) fn new(is_short: bool) -> Self {
        Self {
            is_short,
            current: None,
        }
    }

    fn add(&mut self, record: &MistakeRecord) {
        let mistake = Mistake {
            line: record.line,
            remedy: record.remedy.clone(),
            ..Mistake::of(&record.file, record.message.clone())
        };
        let found = CheckFinding::of(record.check, mistake);
        let (_, list) = self
            .current
            .get_or_insert_with(|| (Arc::clone(&record.problem), CheckList::default()));
        if record.is_error() {
            list.mistake(&found, Path::new(""))
        } else {
            list.warning(found)
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let Some((problem, list)) = self.current.take() else {
            return Ok(());
        };
        let page = list.page(&format!("The problem {problem}"), self.is_short);
        page.map_or(Ok(()), |page| {
            writeln!(screen::results(false), "{}\n", page.trim_start())
        })
    }
}

impl Sink for MistakePages {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        let Event::MistakeFound(record) = event else {
            return self.show();
        };
        if self
            .current
            .as_ref()
            .is_some_and(|(problem, _)| *problem != record.problem)
        {
            self.show()?;
        }
        self.add(record);
        Ok(())
    }
}
