//! A page for each team of a contest, with what it may know, and an index of all pages.
//!
//! Each page is a report of the team's own events, out of which `disclosure` has taken
//! what is secret.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use maud::{Markup, html};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::model::{Contest, Entrant, Event, SuiteStart, Tally, TeamDetails};
use crate::report::{
    Disclosure, Html, Sink, SuiteReport, html_line, isolated_line, small_page,
};
use crate::text::counted;

/// The most characters of a file's name before its ending.
const LONGEST_FILE: usize = 60;

/// The letters of a digest in the name of a file.
const DIGEST: usize = 8;

/// The name of the index before its ending.
const INDEX: &str = "index";

/// Writes a file of this name with this content.
pub type PageWriter = Box<dyn FnMut(&str, &[u8]) -> io::Result<()>>;

/// Collects the events of each team, and writes one page after the other when the suite
/// is over.
pub struct TeamPages {
    write: PageWriter,
    disclosure: Disclosure,
    opening: Option<SuiteStart>,
    /// The events of all teams.
    spool: Spool,
    /// The places of the events of each team.
    teams: BTreeMap<Arc<str>, Vec<Range<u64>>>,
    /// The team of the current submission.
    current: Option<Arc<str>>,
}

impl TeamPages {
    /// Pages that are passed to `write`, with what is secret only if `reveals`.
    pub fn new(write: PageWriter, reveals: bool) -> Self {
        Self {
            write,
            disclosure: Disclosure { reveals },
            opening: None,
            spool: Spool::default(),
            teams: BTreeMap::new(),
            current: None,
        }
    }

    fn contest(&self) -> Option<&Contest> {
        self.opening.as_ref()?.contest.as_ref()
    }

    fn details(&self, team: &str) -> TeamDetails {
        self.contest()
            .and_then(|contest| contest.rules.team.get(team))
            .cloned()
            .unwrap_or_default()
    }

    /// The page of a team, from its events at these places, and the number of its
    /// submissions.
    fn page(
        &mut self,
        team: &Arc<str>,
        places: Vec<Range<u64>>,
        is_interrupted: bool,
    ) -> io::Result<(String, usize)> {
        let mut html = Html::default();
        let mut tally = Tally::default();
        // The contest is named after the team, and has no other.
        if let Some(opening) = self.opening.clone() {
            let name = self.details(team).name;
            let name = name.as_deref().unwrap_or(team);
            let of = self.contest().map_or("a contest", |contest| &contest.name);
            let contest = Contest {
                name: format!("{name} in {of}"),
                teams: vec![Arc::clone(team)],
                problems: vec![],
                page: None,
                rules: Box::default(),
            };
            html.follow(&Event::SuiteStarted(Box::new(SuiteStart {
                notes: vec![],
                submissions: 0,
                contest: Some(contest),
                ..opening
            })));
        }
        for place in places {
            for event in self.spool.read::<Event>(place)? {
                let event = event?;
                event.count_in(&mut tally);
                html.follow(&event);
            }
        }
        Ok((html.text(&tally, is_interrupted), tally.submissions()))
    }

    /// Keeps an event for the page of the current team, if the submission is one of a
    /// team.
    fn send_to_current(&mut self, event: &Event) -> io::Result<()> {
        if let Some(team) = self.current.clone() {
            let place = self.spool.add(event)?;
            let places = self.teams.entry(team).or_default();
            match places.last_mut() {
                Some(last) if last.end == place.start => last.end = place.end,
                _ => places.push(place),
            }
        }
        Ok(())
    }

    fn begin(&mut self, event: &Event, entrant: Option<&Entrant>) -> io::Result<()> {
        self.current = entrant.map(|entrant| Arc::clone(&entrant.team));
        self.send_to_current(event)
    }

    fn finish(&mut self, is_interrupted: bool) -> io::Result<()> {
        if self.teams.is_empty() {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "these are pages of teams, and no contest was judged",
            ));
        }
        let teams = std::mem::take(&mut self.teams);
        let mut listed = vec![];
        for (team, places) in teams {
            let name = format!("{}.html", page_file_name(&team));
            let (page, submissions) = self.page(&team, places, is_interrupted)?;
            (self.write)(&name, page.as_bytes())?;
            listed.push((team, name, submissions));
        }
        // The page that links to those of all teams.
        let contest = self.contest().map_or("a contest", |contest| &contest.name);
        let title = html_line(&format!("Teams of {contest}"));
        let list = html! {
            table {
                caption { (counted(listed.len(), "team")) }
                thead { tr {
                    th scope="col" { "Team" }
                    th scope="col" { "Organisation" }
                    th.n scope="col" { "Submissions" }
                } }
                tbody { @for (team, name, submissions) in &listed {
                    @let details = self.details(team);
                    tr {
                        th scope="row" {
                            a href=(name) {
                                (isolated_line(details.name.as_deref().unwrap_or(team)))
                            }
                        }
                        td {
                            @if let Some(organisation) = &details.organisation {
                                (isolated_line(organisation))
                            }
                        }
                        td.n { (submissions) }
                    }
                    "\n"
                } }
            }
        };
        let index = small_page(&title, &Markup::default(), &list);
        (self.write)(&format!("{INDEX}.html"), index.0.as_bytes())
    }
}

/// The name of the file of a page of a team or a student, without its ending. It
/// depends on nobody else, and nobody else has it: a name that is not plain gets a
/// digest.
pub(super) fn page_file_name(name: &str) -> String {
    let letters = name
        .chars()
        .take(LONGEST_FILE)
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect::<String>();
    let base = letters.trim_matches('-');
    let has_digest = base.rsplit_once('-').is_some_and(|(_, end)| {
        end.len() == DIGEST && end.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    if base == name && !["", INDEX].contains(&base) && !has_digest {
        return base.to_owned();
    }
    let base = if base.is_empty() { "page" } else { base };
    let digest = blake3::hash(name.as_bytes()).to_hex();
    format!("{base}-{}", &digest[..DIGEST])
}

impl Sink for TeamPages {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        use Event::*;

        let Some(event) = self.disclosure.opened(event) else {
            return Ok(());
        };
        match &event {
            SuiteStarted(start) => {
                self.opening = Some((**start).clone());
                // A page for every team that the contest lists.
                for team in start.contest.iter().flat_map(|contest| &contest.teams) {
                    self.teams.entry(Arc::clone(team)).or_default();
                }
                Ok(())
            }
            SubmissionStarted(start) => self.begin(&event, start.entrant.as_ref()),
            SubmissionSkipped(skip) => {
                self.begin(&event, skip.entrant.as_ref())?;
                self.current = None;
                Ok(())
            }
            SubmissionFinished(_) => {
                self.send_to_current(&event)?;
                self.current = None;
                Ok(())
            }
            SuiteFinished(_) => self.finish(false),
            SuiteInterrupted(_) => self.finish(true),
            event => self.send_to_current(event),
        }
    }
}

// Records in a file without a name, in the order in which they came, until they are
// written in another order: those of many teams or students would fill the memory.

/// The file, which there is from the first record on.
#[derive(Default)]
pub(super) struct Spool {
    file: Option<File>,
    length: u64,
}

impl Spool {
    /// Adds a record. Returns its place, which begins where that of the last one ends.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, record: &impl Serialize) -> io::Result<Range<u64>> {
        let mut text = serde_json::to_vec(record)?;
        text.push(b'\n');
        let file = match &self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        let start = self.length;
        file.write_all_at(&text, start)?;
        self.length += text.len() as u64;
        Ok(start..self.length)
    }

    /// The records at a place, which may be that of several.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        place: Range<u64>,
    ) -> io::Result<impl Iterator<Item = io::Result<T>>> {
        let mut file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(place.start))?;
        let lines = BufReader::new(file.take(place.end - place.start)).split(b'\n');
        Ok(lines.map(|line| Ok(serde_json::from_slice(&line?)?)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::rc::Rc;

    use serde_json::{Value, json};

    use super::*;

    /// The pages of two teams, by their files: both fail a sample and a secret case, of
    /// which the log says `KNOWN` and `SECRET` in every text.
    fn pages(reveals: bool) -> BTreeMap<String, String> {
        let written = Rc::new(RefCell::new(BTreeMap::new()));
        let pages = Rc::clone(&written);
        let write: PageWriter = Box::new(move |name, page| {
            let page = String::from_utf8(page.to_vec()).unwrap();
            pages.borrow_mut().insert(name.to_owned(), page);
            Ok(())
        });
        let mut sink = TeamPages::new(write, reveals);
        let mut take = |event: Value| {
            sink.take_event(&serde_json::from_value(event).unwrap())
                .unwrap();
        };
        take(
            json!({"event": "suite_started", "log_version": 2, "gridjudge": "0", "sandbox": "full",
            "notes": ["SECRET"], "machine": "", "started": "", "jobs": 1, "submissions": 2, "trials": 4,
            "contest": {"name": "Finals", "teams": ["alpha", "beta", "idle"], "problems": ["p"],
                "rules": {"team": {"beta": {"name": "The Betas"}}}}}),
        );
        for team in ["alpha", "beta"] {
            take(
                json!({"event": "submission_started", "problem": "p", "submission": format!("{team}/p@5.c"),
                "path": "/home/SECRET/p@5.c", "language": "C", "team": team, "minute": 5,
                "limits": {"cpu_us": 1, "wall_us": 1, "memory_bytes": 1, "output_bytes": 1, "processes": 1}}),
            );
            for (case, text) in [("sample/1", "KNOWN"), ("secret/1", "SECRET")] {
                take(
                    json!({"event": "trial_finished", "problem": "p", "submission": format!("{team}/p@5.c"),
                    "case": case, "verdict": "WA", "cpu_us": 1, "wall_us": 1, "peak_memory_bytes": 1,
                    "finding": {"kind": "wrong", "message": format!("{text}-1")}, "stderr": format!("{text}-2"),
                    "further_findings": [{"kind": "wrong", "message": format!("{text}-3")}],
                    "diff": format!("-{text}-4"), "checker_message": format!("{text}-5")}),
                );
            }
            take(
                json!({"event": "trial_faulted", "problem": "p", "submission": format!("{team}/p@5.c"),
                "case": "secret/2", "doing": "SECRET", "cause": "SECRET"}),
            );
            take(
                json!({"event": "submission_finished", "problem": "p", "submission": format!("{team}/p@5.c"),
                "language": "C", "verdict": "WA", "worst_case": "secret/1", "reason": "SECRET-6", "passed": 0,
                "cases": 2, "faults": 0, "slowest_cpu_us": 1, "peak_memory_bytes": 1, "team": team, "minute": 5}),
            );
        }
        take(
            json!({"event": "suite_finished", "as_expected": 0, "surprising": 2, "skipped": 0, "faults": 0,
            "trials": 4}),
        );
        drop(sink);
        Rc::try_unwrap(written).unwrap().into_inner()
    }

    #[test]
    fn a_team_learns_nothing_of_secret_cases_and_of_other_teams_unless_all_is_revealed()
     {
        let pages = pages(false);
        let names: Vec<_> = pages.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["alpha.html", "beta.html", "idle.html", "index.html"]
        );
        for (name, page) in &pages {
            assert!(!page.contains("SECRET"), "{name}: {page}");
        }
        let alpha = &pages["alpha.html"];
        assert!(
            alpha.contains("KNOWN-1") && alpha.contains("secret/1"),
            "{alpha}"
        );
        assert!(
            !alpha.contains("beta") && !alpha.contains("Betas"),
            "{alpha}"
        );
        assert!(pages["beta.html"].contains("The Betas in Finals"));
        assert!(pages["idle.html"].contains("Nothing was judged"));
        let index = &pages["index.html"];
        assert!(
            index.contains("<a href=\"beta.html\"><bdi>The Betas</bdi></a>"),
            "{index}"
        );
        let revealed = self::pages(true);
        assert!(revealed["alpha.html"].contains("SECRET-1"));
    }

    #[test]
    fn the_file_of_a_team_has_a_safe_name_that_no_other_has_whoever_else_there_is() {
        for name in ["alpha", "alpha-2", "7"] {
            assert_eq!(page_file_name(name), name);
        }
        let mut names: Vec<_> = [
            "Alpha",
            "alpha ",
            "../../etc/passwd",
            "index",
            "..",
            "",
            "\u{4e2d}",
            "\u{738b}",
            "alpha-12345678",
        ]
        .iter()
        .map(|name| page_file_name(name))
        .collect();
        // Nobody can be called as the file of another is.
        for name in names.clone() {
            names.push(page_file_name(&name));
        }
        let is_safe = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        for name in &names {
            assert!(name.chars().all(is_safe) && name.len() > 8, "{name}");
        }
        let unlike: BTreeSet<_> = names.iter().collect();
        assert_eq!(unlike.len(), names.len(), "{names:?}");
        assert!(names[0].starts_with("alpha-"), "{}", names[0]);
    }
}

#[cfg(test)]
mod spool_tests {
    use super::*;

    #[test]
    fn records_are_read_by_their_places_one_by_one_or_several_at_once() {
        let mut spool = Spool::default();
        let [one, two, three] =
            ["one", "two\nlines", "three"].map(|text| spool.add(&text).unwrap());
        let read = |place| {
            spool
                .read::<String>(place)
                .unwrap()
                .map(Result::unwrap)
                .collect::<Vec<_>>()
        };
        assert_eq!(read(three.clone()), ["three"]);
        assert_eq!(read(one.start..two.end), ["one", "two\nlines"]);
        assert_eq!(two.end, three.start);
    }
}
