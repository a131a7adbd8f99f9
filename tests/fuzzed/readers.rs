//! The readers of everything that is not a folder: logs, baselines, rules for inputs,
//! puzzles, grids, outputs, and what checkers write.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use gridjudge::checker::CheckerSetup;
use gridjudge::checktestdata::{CtdProgram, CtdSpaces};
use gridjudge::compare::{BaselineCollector, Comparison};
use gridjudge::model::{
    Case, CaseWorth, CheckerPointsRule, CheckerProgram, CheckerProtocol, CheckerTask,
    ErrorMeasure, Event, JudgingProgramKind, NumberLineRules, PointValue, Program,
    Task, TextTask, TokenRules, Tolerance, UnorderedPiece,
};
use gridjudge::report::standings::{RankingChoice, Standings};
use gridjudge::report::{
    Csv, Explanations, Github, Html, Junit, LogReader, Markdown, ReportWriter,
    Repository, Sarif, Sink, Tap, Verbosity, standings,
};
use gridjudge::spec::unpack_answers;
use gridjudge::{check, checker, compare};
use gridjudge_grid::batch::PuzzleText;
use gridjudge_sandbox::{Exit, Launch, Limits, Role, Run, ScriptedSandbox};
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::format_examples::format_examples;
use crate::fuzzed::seeds::examples;
use crate::fuzzed::{Reader, folder_readers, packages, seeds};

/// All readers.
pub(crate) fn all_readers() -> Vec<Reader> {
    let others = vec![
        of_bytes("a log", logs(), read_log),
        of_bytes("a damaged log", logs(), salvage_log),
        of_bytes("a baseline", baselines(), read_baseline),
        of_bytes("rules for inputs", rules(), read_rules),
        of_bytes("a collection of puzzles", collections(), read_puzzles),
        of_grid_inputs(),
        of_grid_outputs(),
        of_texts(),
        of_answer_archive(),
        of_checker_files(),
    ];
    [folder_readers::readers(), packages::readers(), others]
        .into_iter()
        .flatten()
        .collect()
}

fn of_bytes(name: &'static str, seeds: Vec<Vec<u8>>, read: fn(&[u8])) -> Reader {
    Reader {
        name,
        seeds,
        read: Box::new(read),
    }
}

/// A log of each event in the documents, and one that a contest writes.
fn logs() -> Vec<Vec<u8>> {
    let start = r#"{"event":"suite_started","number":1,"log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"machine":"m","started":"2026-11-21T20:30:00Z","jobs":1,"submissions":1,"trials":2,"contest":{"name":"c","teams":["t"],"problems":["p"],"rules":{"by":"icpc","penalty":7,"start":"2026-11-28 10:00","length":300,"freeze":1,"team":{"t":{"name":"T","group":"g","site":"s","status":"out_of_competition"}},"problem":{"p":{"label":"A","color":"red"}}}}}"#;
    let events = examples("json").into_iter().flat_map(|example| {
        let lines = String::from_utf8(example).expect("UTF-8");
        let whole = lines.lines().filter(|line| line.starts_with("{\"event\""));
        whole.map(str::to_owned).collect::<Vec<_>>()
    });
    let documented: Vec<_> = [start.to_owned()].into_iter().chain(events).collect();
    let contest = [
        start,
        r#"{"event":"submission_started","number":2,"problem":"p","submission":"t/p.py","language":"python","entrant":{"team":"t","minute":7}}"#,
        r#"{"event":"trial_finished","number":3,"problem":"p","submission":"t/p.py","case":"secret/1","verdict":"WA","cpu_us":1830,"wall_us":2410,"peak_memory_bytes":3469312,"finding":{"kind":"wrong","grid":1,"row":1,"column":1,"rule":"row","line":1,"byte":0,"message":"m"},"picture":{"grid":1,"order":1,"regions":"1","clues":".","found":"?","expected":"1"},"diff":"-a\n+b\n","stderr":"e"}"#,
        r#"{"event":"trial_finished","number":4,"problem":"p","submission":"t/p.py","case":"secret/2","verdict":"AC","cpu_us":1830,"wall_us":2410,"peak_memory_bytes":3469312,"points":1.5}"#,
        r#"{"event":"submission_finished","number":5,"problem":"p","submission":"t/p.py","language":"python","verdict":"WA","worst_case":"secret/1","reason":"m","cases":2,"faults":0,"flaky":0,"slowest_cpu_us":1830,"peak_memory_bytes":3469312}"#,
        r#"{"event":"suite_finished","number":6,"as_expected":1,"surprising":0,"skipped":0,"faults":0,"trials":2,"flaky":0,"cached":0}"#,
    ];
    seeds::texts(&[
        &documented.join("\n"),
        &contest.join("\n"),
        &(contest.join("\n") + "\n"),
    ])
}

fn read_log(input: &[u8]) {
    if let Ok(log) = LogReader::open(input) {
        report(&log.map_while(Result::ok).collect::<Vec<_>>());
    }
}

fn salvage_log(input: &[u8]) {
    if let Ok(mut log) = LogReader::salvage(input) {
        let events: Vec<_> = log.by_ref().map_while(Result::ok).collect();
        report(&events);
        drop(log.notes().join("\n"));
    }
}

/// Makes every report of these events.
fn report(events: &[Event]) {
    let choice = RankingChoice::default();
    let sinks: [Box<dyn Sink>; 10] = [
        Box::new(Junit::new(vec![], Repository::default())),
        Box::new(ReportWriter::new(vec![], Sarif::default())),
        Box::new(ReportWriter::new(vec![], Tap::default())),
        Box::new(ReportWriter::new(vec![], Markdown::default())),
        Box::new(ReportWriter::new(vec![], Csv::default())),
        Box::new(ReportWriter::new(vec![], Github::default())),
        Box::new(ReportWriter::new(vec![], Html::default())),
        Box::new(ReportWriter::new(
            vec![],
            Explanations::new(Verbosity::Verbose, || None),
        )),
        Box::new(ReportWriter::new(
            vec![],
            Standings::new(standings::standings_html, choice),
        )),
        Box::new(ReportWriter::new(
            vec![],
            Standings::new(standings::standings_csv, choice),
        )),
    ];
    for mut sink in sinks {
        for event in events {
            sink.take_event(event).expect("a vector takes everything")
        }
    }
    let mut collector = BaselineCollector::default();
    for event in events {
        collector.take_event(event).expect("it writes nothing");
    }
    drop(compare::to_text(&collector.finish().0));
}

fn baselines() -> Vec<Vec<u8>> {
    let all = logs().into_iter().map(|log| {
        let mut collector = BaselineCollector::default();
        let events = LogReader::salvage(&*log)
            .expect("a log")
            .map_while(Result::ok);
        for event in events {
            collector.take_event(&event).expect("it writes nothing");
        }
        compare::to_text(&collector.finish().0).into_bytes()
    });
    all.chain(
        examples("text")
            .into_iter()
            .filter(|text| compare::is_baseline(text)),
    )
    .collect()
}

fn read_baseline(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let read = |text: &str| compare::parse_baseline("baseline.txt".as_ref(), text);
    let before = read(std::str::from_utf8(&baselines()[0]).expect("UTF-8"))
        .expect("a baseline");
    if let Ok(now) = read(&text) {
        for (was, now) in [(&before, &now), (&now, &before), (&now, &now)] {
            if let Ok(found) = Comparison::between(was, now, true) {
                drop(compare::markdown(&found, |_| true));
                drop(compare::comparison_table(
                    &found,
                    Verbosity::Verbose,
                    Some(80),
                    |_| true,
                ));
            }
        }
    }
}

/// What separates rules from the input that they are tried on.
const INPUT_FOLLOWS: &[u8] = b"\n#----\n";

fn rules() -> Vec<Vec<u8>> {
    let pairs = [
        (
            "INT(1,1000,n) NEWLINE REPI(i,n,NEWLINE)\n  INT(0,2**31-1,a[i]) SPACE FLOAT(0,1,x,FIXED)\nEND NEWLINE EOF",
            "2\n1 0.5\n2 1.0\n",
        ),
        (
            "SET(x=1,y=\"ab\") WHILE(!ISEOF) REGEX(\"[a-z]+(b|c){1,3}\",w[x]) SPACE SET(x=x+1) END ASSERT(UNIQUE(w))",
            "abc abb ",
        ),
        (
            "REP(3,SPACE) STRING(\"a\") IF(MATCH(\"b\")) STRING(\"b\") ELSE ASSERT(!MATCH(\"c\")||1<2&&x==x) END END",
            "a ab a",
        ),
        (
            "WHILEI(i,i<3,NEWLINE) FLOATP(-1.5e3,2,1,4,x[i],SCIENTIFIC) END UNSET(x) SET(q=(7%3)*-2/1.5^2)",
            "1.25e1\n1.25e1\n1.25e1",
        ),
        (
            "SET(s=STRLEN(\"abc\")) ASSERT(INARRAY(3,a) || s>=3) # comment\n NEWLINE",
            "\n",
        ),
    ];
    pairs
        .map(|(program, input)| {
            [program.as_bytes(), INPUT_FOLLOWS, input.as_bytes()].concat()
        })
        .to_vec()
}

fn read_rules(input: &[u8]) {
    let place = input
        .windows(INPUT_FOLLOWS.len())
        .position(|window| window == INPUT_FOLLOWS);
    let (program, data) = place.map_or((input, &b""[..]), |place| {
        (&input[..place], &input[place..])
    });
    if let Ok(program) = CtdProgram::parse(program) {
        let data = data.strip_prefix(INPUT_FOLLOWS).unwrap_or(data);
        for spaces in [CtdSpaces::Exact, CtdSpaces::More] {
            drop(
                program
                    .check(data, spaces, &AtomicBool::new(false))
                    .map_err(|failure| failure.to_string()),
            );
        }
    }
}

fn collections() -> Vec<Vec<u8>> {
    const PUZZLE: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    let rows = |separator: &str, blank: &str| {
        let rows: Vec<_> = PUZZLE
            .as_bytes()
            .chunks(9)
            .map(|row| std::str::from_utf8(row).expect("ASCII"))
            .collect();
        rows.join(separator).replace('0', blank)
    };
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain(PUZZLE.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let bars = rows("\n", ".").replacen("\n...", "\n------+\n...", 1);
    let texts = [
        format!("{PUZZLE}\n{PUZZLE}\n"),
        format!("#A author\n#D what\n[Puzzle]\n{}\n", rows("\n", ".")),
        format!(
            "Grid 01\n{}\nGrid 02\n{}\n",
            rows("\n", "0"),
            rows("\n", "0")
        ),
        format!("quizzes,solutions\n\"{PUZZLE}\",{PUZZLE}\n"),
        format!(
            "id;puzzle;note\n1;{};\"a \"\"b\"\"\"\n",
            PUZZLE.replace('0', ".")
        ),
        format!("{bars}\r\n\r\n{}\r", rows(" | ", "_")),
    ];
    texts
        .into_iter()
        .map(String::into_bytes)
        .chain([wide])
        .collect()
}

fn read_puzzles(input: &[u8]) {
    let input = Cursor::new(input.to_vec());
    if let Ok(PuzzleText::List(mut list)) = PuzzleText::new(input, false) {
        // What follows is done by other threads, which a bound on memory would see at
        // odd moments.
        let mut text = vec![];
        list.read_to_end(&mut text).expect("a text in memory");
        for line in text.split(|byte| *byte == b'\n') {
            let _ = gridjudge_grid::batch::puzzle_of(line);
        }
    }
}

/// The reader of inputs in every format of grids.
fn of_grid_inputs() -> Reader {
    let examples = format_examples();
    let seeds = examples
        .iter()
        .map(|example| example.input.clone().into_bytes())
        .collect();
    let read = move |input: &[u8]| {
        // Which format reads it follows from its length, so that each reads texts of
        // all.
        let task = &examples[input.len() % examples.len()].problem.task;
        drop(check::mistakes_of_input(task, input));
        drop(check::output(task, input, &b""[..], Some(&b""[..])));
    };
    Reader {
        name: "inputs of grids",
        seeds,
        read: Box::new(read),
    }
}

/// The reader of outputs and answers in every format of grids.
fn of_grid_outputs() -> Reader {
    let examples = format_examples();
    let seeds = examples
        .iter()
        .map(|example| example.answer.clone().into_bytes())
        .collect();
    let read = move |input: &[u8]| {
        let example = &examples[input.len() % examples.len()];
        let task = &example.problem.task;
        let own = example.input.as_bytes();
        drop(check::output(
            task,
            own,
            input,
            Some(example.answer.as_bytes()),
        ));
        drop(check::output(
            task,
            own,
            example.answer.as_bytes(),
            Some(input),
        ));
        drop(check::soundness(task, own, input));
    };
    Reader {
        name: "outputs of grids",
        seeds,
        read: Box::new(read),
    }
}

/// The comparisons of outputs with answers, each as the output and as the answer.
fn of_texts() -> Reader {
    let tolerance = Tolerance::new(1e-6);
    let tokens = |case_sensitive, space_change_sensitive, tolerance| {
        TextTask::Tokens(TokenRules {
            case_sensitive,
            space_change_sensitive,
            absolute_tolerance: tolerance,
            relative_tolerance: tolerance,
            for_domjudge: case_sensitive,
        })
    };
    let measure = ErrorMeasure::Relative;
    let numbers = tolerance.map(|tolerance| {
        TextTask::NumberLines(NumberLineRules { tolerance, measure })
    });
    let tasks = [
        tokens(false, false, None),
        tokens(true, true, None),
        tokens(false, false, tolerance),
        tokens(true, false, tolerance),
        TextTask::Lines,
        TextTask::Exact,
        TextTask::CrlfInsensitive,
        TextTask::TokenLines,
        TextTask::StrippedLines,
        TextTask::StrippedFilledLines,
        TextTask::Unordered(UnorderedPiece::Lines),
        TextTask::Unordered(UnorderedPiece::Tokens),
        TextTask::Unordered(UnorderedPiece::Bytes),
    ];
    let tasks: Vec<_> = tasks.into_iter().chain(numbers).map(Task::Text).collect();
    let texts = seeds::texts(&[
        "1 2.5e3 -0.1\r\nYES no\n\n 12345678901234567890.5 nan\n",
        "a b\nc d\n",
        "1\n2\n3\n",
    ]);
    let seeds = texts.clone();
    let read = move |input: &[u8]| {
        let task = &tasks[input.len() % tasks.len()];
        for other in [&texts[0][..], &texts[2], input] {
            drop(check::output(task, &b""[..], input, Some(other)));
            drop(check::output(task, &b""[..], other, Some(input)));
        }
    };
    Reader {
        name: "outputs and answers",
        seeds,
        read: Box::new(read),
    }
}

/// The reader of archives of answers.
fn of_answer_archive() -> Reader {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = ZipArchiveWriter::new(vec![]);
    for name in ["1.out", "a/2.out", "a/3.out"] {
        let entry = writer
            .new_file(name)
            .compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = entry.start().expect("an entry");
        let mut data =
            config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        data.write_all(&b"1 2 3\n".repeat(100))
            .expect("a vector takes everything");
        let (encoder, descriptor) = data.finish().expect("an entry");
        encoder.finish().expect("an entry");
        entry.finish(descriptor).expect("an entry");
    }
    let seeds = vec![writer.finish().expect("an archive")];
    let cases = ["secret/1", "secret/2", "secret/3"].map(|name| Case {
        name: name.to_owned(),
        input: "1.in".into(),
        answer: "1.ans".into(),
    });
    let path = folder.path().join("answers.zip");
    let read = move |input: &[u8]| {
        let _ = &folder;
        fs::write(&path, input).expect("a file");
        drop(unpack_answers(&path, None, &cases));
    };
    Reader {
        name: "answers in an archive",
        seeds,
        read: Box::new(read),
    }
}

/// The reader of what a checker writes: its messages, its points, and its standard
/// streams.
fn of_checker_files() -> Reader {
    let seeds = seeds::texts(&[
        "12.5\n",
        "node 3 has no edge\nsee line 2\n",
        "points 5 good\n",
        "partially correct (50) x\n",
    ]);
    let scratch = tempfile::tempdir().expect("a folder");
    let program = Program {
        command: vec!["/check".into()],
        environment: vec![],
        readable: vec![],
        entry_point: String::new(),
    };
    let checker = CheckerProgram {
        program,
        scratch: scratch.path().to_owned(),
        final_checker: None,
    };
    let case_file = scratch.path().join("case");
    fs::write(&case_file, "1\n").expect("a file");
    let case = Case {
        name: "secret/1".into(),
        input: case_file.clone(),
        answer: case_file,
    };
    let points = |points| PointValue::new(points).expect("a number");
    let worth = CaseWorth {
        accepted: points(40.0),
        rejected: points(0.0),
        checker: CheckerPointsRule::Unbounded,
    };
    let second = Duration::from_secs(1);
    let limits = Limits {
        cpu: second,
        wall: second,
        memory_bytes: 1 << 20,
        output_bytes: 1 << 20,
        processes: 1,
        frequent_samples: false,
        address_space: None,
    };
    let read = move |input: &[u8]| {
        let _ = &scratch;
        for protocol in CheckerProtocol::ALL {
            let task = CheckerTask::new(
                JudgingProgramKind::Checker,
                "check.cpp".into(),
                protocol,
                limits.clone(),
            );
            let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
                let Role::Checker { folder } = &launch.role else {
                    panic!("no checker")
                };
                let names = [
                    "score.txt",
                    "judgemessage.txt",
                    "teammessage.txt",
                    "score_multiplier.txt",
                    "judgeimage.png",
                ];
                fs::write(folder.join(names[input.len() % names.len()]), input)
                    .expect("a file");
                let code = [42, 43, 0, 1, 2, 7, 16, 50][input.len() / 5 % 8];
                let stderr_tail = input.to_vec();
                Ok(Run {
                    exit: Exit::Code(code),
                    stderr_tail,
                    ..ScriptedSandbox::clean(input)
                })
            });
            let setup = CheckerSetup::new(&task, &checker, &case, Some(worth));
            drop(checker::check_output(&setup, &mut &b"1\n"[..], &sandbox));
        }
    };
    Reader {
        name: "files of a checker",
        seeds,
        read: Box::new(read),
    }
}
