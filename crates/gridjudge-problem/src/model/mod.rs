//! The data types of judging: plain data, without I/O, clock or display.

mod contest_rules;
mod event;
mod moment;
mod problem;
pub(crate) mod summary;
mod trial;
mod trial_record;

pub(crate) use contest_rules::{COLOUR_NAMES, is_colour};
pub use contest_rules::{
    ContestRules, CountedAttempt, CourseRules, HomeworkProblem, LateRule,
    ProblemDetails, RankingMode, StudentDetails, TeamDetails, TeamStatus,
};
pub use event::{
    Event, EventName, LOG_VERSION, LoggedLimits, SubmissionSkip, SubmissionStart,
    SuiteStart, TrialFault, micros,
};
pub use moment::Moment;
pub use problem::additional_sources::{
    AdditionalSources, Constants, JavaSource, SourceFile, ending, file_name,
};
pub use problem::case_names::{
    AllowedVerdicts, CaseExpectations, CaseNames, CaseRequirement, CaseSet,
    Requirement,
};
pub use problem::expected::{Expected, ExpectedScore};
pub use problem::judging_program::{
    CallArgument, CheckerProtocol, CheckerTask, ExitAnswer, Feedback,
    JudgingProgramKind, ProgramExtras, ProtocolRules,
};
pub use problem::point_value::{
    GradedResult, GroupScore, PointValue, ResultCode, Score,
};
pub use problem::scoring::{
    CaseWorth, CheckerPoints, CheckerPointsRule, CustomGrader, GroupAcceptance,
    ScoreAggregation, ScoreGroup, Scoring,
};
pub use problem::task::{
    Accept, ErrorMeasure, GridTask, NumberLineRules, ScoredLineRules, Task, TextTask,
    TokenRules, Tolerance, UnorderedPiece,
};
pub use problem::{
    Case, CaseSupply, FileStreams, HEADER_ENDINGS, Language, LanguageAllowance,
    Problem, Recipe, RecipeKind, SpareAddresses, Submission, ToolSource,
    UnusableLanguage, group_of_case,
};
pub use summary::{
    ActiveStep, Activity, ActivityGuard, Contest, Entrant, JudgingPhase,
    SubmissionSummary, Tally,
};
pub use trial::breach::verdict_of_breach;
pub use trial::compiler_diagnostic::CompilerDiagnostic;
pub use trial::finding::{
    CellPosition, CheckerImage, Finding, FindingKind, FindingRule, Findings,
    GridPicture, MOST_FINDINGS,
};
pub use trial::verdict::Verdict;
pub use trial::{
    CheckerProgram, InteractionDisplay, Job, PlannedCase, Program, Speaker,
    SubmittedAnswers, SubmittedSources, Transcript, TranscriptLine, Trial,
    is_default,
};
pub use trial_record::{
    AttemptRecord, CaseSplit, ENTRY_DIGITS, MistakeRecord, MistakeSeverity, PlanPart,
    PlanRecord, ProblemCheck, ShardRecord, ToolVersion, TrialRecord,
};
