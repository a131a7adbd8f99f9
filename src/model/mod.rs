//! The data types of judging: plain data, without I/O, clock or display.

mod activity;
mod additional_sources;
mod breach;
mod breach_reason;
mod case_expectations;
mod case_names;
mod case_supply;
mod checker_image;
mod checker_task;
mod compiler_diagnostic;
mod constants;
mod contest;
mod event;
mod expected;
mod finding;
mod interaction_display;
mod java_source;
mod mistake_record;
mod picture;
mod point_value;
mod problem;
mod recipe;
mod result_code;
mod score;
mod scoring;
mod submitted_answers;
mod submitted_sources;
mod summary;
mod task;
mod text_task;
mod transcript;
mod trial;
mod trial_record;
mod verdict;

pub use activity::{ActiveStep, Activity, ActivityGuard, JudgingPhase};
pub use additional_sources::{AdditionalSources, SourceFile};
pub use breach::verdict_of_breach;
pub(crate) use breach_reason::BreachFigures;
pub use case_expectations::{AllowedVerdicts, CaseExpectations, CaseRequirement, Requirement};
pub use case_names::{CaseNames, CaseSet};
pub use case_supply::{CaseSupply, FileStreams};
pub use checker_image::CheckerImage;
pub use checker_task::{CheckerKind, CheckerProtocol, CheckerTask};
pub(crate) use compiler_diagnostic::CompilerDiagnostic;
pub use constants::Constants;
pub use contest::{Contest, Entrant};
pub(crate) use event::micros;
pub use event::{Event, LOG_VERSION, LoggedLimits};
pub use expected::{Expected, ExpectedScore};
pub use finding::{CellPosition, Finding, FindingKind, FindingRule, Findings, MOST_FINDINGS};
pub use interaction_display::{InteractionDisplay, PlannedCase};
pub(crate) use java_source::JavaSource;
pub use mistake_record::{MistakeRecord, MistakeSeverity, ProblemCheck};
pub use picture::GridPicture;
pub use point_value::PointValue;
pub use problem::{
    Case, HEADER_ENDINGS, Language, LanguageAllowance, LanguageRefusal, Problem, SpareAddresses,
    Submission,
};
pub use recipe::{Recipe, RecipeKind};
pub use result_code::{GradedResult, ResultCode};
pub use score::{GroupScore, Score};
pub use scoring::{
    CaseWorth, CheckerPoints, CheckerPointsRule, CustomGrader, GroupAcceptance, ScoreAggregation,
    ScoreGroup, Scoring,
};
pub use submitted_answers::SubmittedAnswers;
pub use submitted_sources::SubmittedSources;
pub use summary::{SubmissionSummary, Tally};
pub use task::{Accept, GridTask, Task};
pub use text_task::{
    ErrorMeasure, NumberLineRules, ScoredLineRules, TextTask, TokenRules, Tolerance, UnorderedPiece,
};
pub use transcript::{Speaker, Transcript, TranscriptLine};
pub use trial::{CheckerProgram, Job, Program, Trial};
pub use trial_record::{AttemptRecord, TrialRecord};
pub use verdict::Verdict;
