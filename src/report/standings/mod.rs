//! Computes and writes the standings of a contest from its events. Start at
//! [`ContestResults`], which collects events, and [`StandingsTable`], which ranks what
//! was collected; the rest only writes the standings.

mod html;
mod rows;
mod table;
mod text;

use crate::model::{Event, Tally, TeamDetails, TeamStatus};
use crate::report::{CRLF, SuiteReport, csv_table, safe_text};
use crate::text::{JoinedTexts, text_or_none};

use rows::{
    AttemptOutcome, FEWEST, GroupRanking, ProblemColumn, TeamAttempt, TeamProblem,
    TeamRow,
};
use table::CommonFailure;
use text::{heads, names_of_letters, team_header, team_totals};

pub use crate::model::RankingMode;
pub use html::{START as HTML_START, standings_html, wall};
pub use rows::{ContestResults, RankingChoice, StandingsRules};
pub use table::StandingsTable;
pub use text::standings_text;

/// A function that formats standings.
pub type StandingsFormat = fn(&StandingsTable) -> String;

/// Collects what the standings need.
pub struct Standings {
    form: StandingsFormat,
    choice: RankingChoice,
    results: ContestResults,
}

impl Standings {
    /// Standings by the rules of the contest as far as nothing else is asked for, in
    /// this form.
    pub fn new(form: StandingsFormat, choice: RankingChoice) -> Self {
        Self {
            form,
            choice,
            results: ContestResults::default(),
        }
    }
}

impl SuiteReport for Standings {
    fn follow(&mut self, event: &Event) {
        self.results.take_event(event);
    }

    fn text(&mut self, _: &Tally, _: bool) -> String {
        let rules = self.choice.rules(&self.results.rules());
        (self.form)(&StandingsTable::from_results(&self.results, rules))
    }
}

// Writes standings as comma-separated values (RFC 4180), for spreadsheets and other
// programs.

/// The start of every table.
pub const CSV_START: &str = "rank,team,solved,";

/// Formats the standings.
pub fn standings_csv(standings: &StandingsTable) -> String {
    let rows = standings.rows.iter().map(|row| csv_fields(standings, row));
    csv_table(std::iter::once(csv_header(standings)).chain(rows), CRLF)
}

fn csv_header(standings: &StandingsTable) -> Vec<String> {
    let mut header = ["rank", "team", "solved", "penalty", "last_solved", "points"]
        .map(str::to_owned)
        .to_vec();
    if standings.has_fewest() {
        header.extend(["solved_with_fewest", "fewest"].map(str::to_owned));
    }
    for column in &standings.columns {
        header.extend(
            ["result", "rejected", "minute", "points"]
                .map(|what| safe_text(&format!("{}.{what}", column.problem))),
        );
    }
    if standings.has_hidden() {
        header.extend(
            standings
                .columns
                .iter()
                .map(|column| safe_text(&format!("{}.hidden", column.problem))),
        );
    }
    if has_details(standings) {
        header.extend(DETAILS.map(str::to_owned));
    }
    if !standings.common_failures.is_empty() {
        header.push("failed_by_all_teams".to_owned());
    }
    header
}

fn csv_fields(standings: &StandingsTable, row: &TeamRow) -> Vec<String> {
    let last = Some(row.last).filter(|_| standings.has_minutes && row.solved > 0);
    let mut fields = vec![
        text_or_none(row.rank),
        safe_text(&row.team),
        row.solved.to_string(),
        row.penalty.to_string(),
        text_or_none(last),
        row.points.to_string(),
    ];
    if standings.has_fewest() {
        fields.extend([row.solved_with_fewest.to_string(), row.fewest.to_string()]);
    }
    for cell in &row.cells {
        let rejected = Some(cell.rejected).filter(|_| cell.is_tried());
        fields.push(result(cell).to_owned());
        fields.extend([rejected, cell.minute].map(text_or_none));
        fields.push(text_or_none(cell.points));
    }
    if standings.has_hidden() {
        fields.extend(row.cells.iter().map(|cell| cell.hidden.to_string()));
    }
    if has_details(standings) {
        let details = &row.details;
        let shown =
            |known: &Option<String>| text_or_none(known.as_deref().map(safe_text));
        let rank = |kind: &str| {
            let own = standings
                .groups
                .iter()
                .filter(|group| group.kind == kind)
                .flat_map(|group| &group.ranks)
                .find(|(_, place)| standings.rows[*place].team == row.team);
            text_or_none(own.and_then(|(rank, _)| *rank))
        };
        fields.extend([
            safe_text(row.name()),
            shown(&details.organisation),
            shown(&details.group),
            rank("group"),
            shown(&details.site),
            rank("site"),
            match details.status {
                TeamStatus::Ranked => "ranked",
                TeamStatus::OutOfCompetition => "out of competition",
                TeamStatus::Disqualified => "disqualified",
            }
            .to_owned(),
        ]);
    }
    // It is about the whole table, in which every row must have the same fields.
    if !standings.common_failures.is_empty() {
        let cases = standings
            .common_failures
            .iter()
            .map(|CommonFailure { problem, case, .. }| format!("{problem}: {case}"));
        fields.push(safe_text(&cases.joined("; ")));
    }
    fields
}

/// The columns of what `contest.toml` says of teams.
const DETAILS: [&str; 7] = [
    "name",
    "organisation",
    "group",
    "group_rank",
    "site",
    "site_rank",
    "status",
];

fn has_details(standings: &StandingsTable) -> bool {
    standings
        .rows
        .iter()
        .any(|row| row.details != TeamDetails::default())
}

fn result(cell: &TeamProblem) -> &'static str {
    match cell {
        _ if cell.is_first => "first",
        _ if cell.is_solved => "solved",
        _ if cell.hidden > 0 => "hidden",
        _ if cell.unjudged > 0 => "unjudged",
        _ if cell.rejected > 0 => "rejected",
        _ if cell.refused > 0 => "refused",
        _ => "",
    }
}

#[cfg(test)]
mod icpc_tests;

#[cfg(test)]
mod tests;
