//! The data types of judging: plain data, without I/O, clock or display.

mod contest_rules;
mod event;
mod moment;
mod problem;
pub(crate) mod summary;
mod trial;
mod trial_record;

pub(crate) use crate::model::contest_rules::{COLOUR_NAMES, is_colour};
pub use crate::model::contest_rules::{
    ContestRules, CountedAttempt, CourseRules, HomeworkProblem, LateRule,
    ProblemDetails, RankingMode, StudentDetails, TeamDetails, TeamStatus,
};
pub use crate::model::event::{
    Event, EventName, LOG_VERSION, LoggedLimits, SubmissionSkip, SubmissionStart,
    SuiteStart, TrialFault, micros,
};
pub use crate::model::moment::Moment;
pub use crate::model::problem::additional_sources::{
    AdditionalSources, Constants, SourceFile,
};
pub use crate::model::problem::additional_sources::{JavaSource, ending, file_name};
pub use crate::model::problem::case_names::{
    AllowedVerdicts, CaseExpectations, CaseNames, CaseRequirement, CaseSet,
    Requirement,
};
pub use crate::model::problem::expected::{Expected, ExpectedScore};
pub use crate::model::problem::judging_program::{
    CallArgument, CheckerProtocol, ExitAnswer, Feedback, JudgingProgramKind,
    ProtocolRules,
};
pub use crate::model::problem::judging_program::{CheckerTask, ProgramExtras};
pub use crate::model::problem::point_value::{
    GradedResult, GroupScore, PointValue, ResultCode, Score,
};
pub use crate::model::problem::scoring::{
    CaseWorth, CheckerPoints, CheckerPointsRule, CustomGrader, GroupAcceptance,
    ScoreAggregation, ScoreGroup, Scoring,
};
pub use crate::model::problem::task::{
    Accept, ErrorMeasure, GridTask, NumberLineRules, ScoredLineRules, Task, TextTask,
    TokenRules, Tolerance, UnorderedPiece,
};
pub use crate::model::problem::{CaseSupply, FileStreams, Recipe, RecipeKind};
pub use crate::model::summary::{
    ActiveStep, Activity, ActivityGuard, Contest, Entrant, JudgingPhase,
    SubmissionSummary, Tally,
};
pub use crate::model::trial::breach::verdict_of_breach;
pub use crate::model::trial::compiler_diagnostic::CompilerDiagnostic;
pub use crate::model::trial::finding::{
    CellPosition, CheckerImage, Finding, FindingKind, FindingRule, Findings,
    GridPicture, MOST_FINDINGS,
};
pub use crate::model::trial::is_default;
pub use crate::model::trial::verdict::Verdict;
pub use crate::model::trial::{
    InteractionDisplay, PlannedCase, Speaker, Transcript, TranscriptLine,
};
pub use crate::model::trial::{SubmittedAnswers, SubmittedSources};
pub use crate::model::trial_record::{
    AttemptRecord, CaseSplit, ENTRY_DIGITS, MistakeRecord, MistakeSeverity, PlanPart,
    PlanRecord, ProblemCheck, ShardRecord, ToolVersion, TrialRecord,
};
pub use problem::{
    Case, HEADER_ENDINGS, Language, LanguageAllowance, Problem, SpareAddresses,
    Submission, ToolSource, UnusableLanguage, group_of_case,
};
pub use trial::{CheckerProgram, Job, Program, Trial};
