//! Courses on the command line: homework in any names, as learning systems export it,
//! with due dates; its marks, and what students are told.

use std::ffi::OsStr;
use std::fs;
use std::fs::{File, FileTimes};
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use crate::judge::{HALF_RIGHT, Judge, RIGHT, Ran};

/// A script that is wrong on every case.
const WRONG: &str = "echo 1\n";

/// The start of November 1, 2026, in seconds.
const NOVEMBER: u64 = 1_793_491_200;

/// A judge's folder whose problem `mini` gives 10 and 90 points.
fn judge() -> Judge {
    let judge = Judge::new();
    let spec = judge.read("problems/mini/problem.toml")
        + "\n[points]\nsample = 10\nsecret = 90\n";
    judge.put("problems/mini/problem.toml", spec);
    judge
}

/// Sets when a file was last written, in hours from the start of November.
fn date(judge: &Judge, path: &str, hours: u64) {
    let time = UNIX_EPOCH + Duration::from_secs(NOVEMBER + hours * 3600);
    let file = File::options().append(true).open(judge.path(path)).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

/// What a command says, with its notes.
fn stderr(judge: &Judge, arguments: &[&str]) -> String {
    let output = judge.command(arguments).output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

/// The lines of a table of marks, without those that only say something.
fn rows(shown: &str) -> Vec<&str> {
    let lines = shown.lines();
    let lines = lines.skip_while(|line| !line.starts_with("student "));
    lines.collect()
}

#[test]
fn homework_in_any_names_is_judged_and_what_is_no_program_is_left_out() {
    let judge = judge();
    judge.put("homework/anna/my homework #one @ home (3).sh", RIGHT);
    judge.put("homework/anna/report.pdf", "%PDF");
    judge.put("homework/ben/src/deep/x.sh", WRONG);
    judge.put("homework/ben/src/__MACOSX/x.sh", WRONG);
    fs::create_dir(judge.path("homework/idle")).unwrap();
    let ran = judge.run(&["grade", "homework", "-p", "mini", "--all"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        rows(&ran.stdout),
        [
            "student  sample  secret  of 100  verdict",
            "anna         10      90     100       AC",
            "ben           0       0       0       WA",
            "idle          .       .       0  nothing",
            "3 students, 33.3 of 100 points on average, 1 without an attempt",
        ]
    );
    let said = stderr(&judge, &["grade", "homework", "-p", "mini"]);
    let note = "note: files in no known language are not submissions: homework/anna/report.pdf, \
                homework/ben/src/__MACOSX\n";
    assert!(said.contains(note), "{said}");
}

#[test]
fn names_that_learning_systems_export_are_undone_and_said() {
    let judge = judge();
    judge.put("m/Anna Ek_101_assignsubmission_file_/a.sh", RIGHT);
    judge.put("m/Anna Ek_102_assignsubmission_file_/b.sh", WRONG);
    judge.put("m/lundben_LATE_103_9_c-1.sh", WRONG);
    judge.put("m/lundben_103_10_c-2.sh", RIGHT);
    let said = stderr(
        &judge,
        &["grade", "m", "-p", "mini", "--marks", "marks.csv"],
    );
    let marks = judge.read("marks.csv");
    let ids = marks.lines().map(|line| {
        let cells: Vec<_> = line.split(',').collect();
        [cells[0], cells[2], cells[6], cells[cells.len() - 2]].join(" ")
    });
    assert_eq!(
        ids.collect::<Vec<_>>(),
        [
            "student id points file",
            "Anna Ek (101) 101 100 a.sh",
            "Anna Ek (102) 102 0 b.sh",
            "lundben 103 100 c-2.sh",
        ]
    );
    for note in [
        "names of Canvas are shortened: 2, such as `lundben_103_10_c-2.sh` to `lundben`",
        "names of Moodle are shortened: 2, such as `Anna Ek_101_assignsubmission_file_` to \
         `Anna Ek`",
        "Canvas calls 1 file late, such as `m/lundben_LATE_103_9_c-1.sh`",
    ] {
        assert!(said.contains(note), "{said}");
    }
}

#[test]
fn an_export_that_was_not_unpacked_is_told_how_it_is_judged() {
    let judge = judge_of_two();
    judge.put("Algo-Week 3-77.zip", "PK");
    let grade = ["grade", "Algo-Week 3-77.zip", "-p", "mini", "-p", "maxi-2"];
    for arguments in [&grade[..2], &grade[..4], &grade] {
        let refused = judge.run(arguments).stderr;
        let hint = "; if it is homework, unpack it into a folder and judge that: `gridjudge grade 'Algo-Week 3-77' -p \
                    PROBLEM`\n";
        assert!(refused.ends_with(hint), "{refused}");
    }
}

#[test]
fn late_homework_loses_points_by_the_rules_of_the_course_in_every_report_of_its_log()
{
    let judge = judge();
    for (file, program, hours) in [
        ("c/anna/first.sh", WRONG, 30),
        ("c/anna/second.sh", RIGHT, 47),
        ("c/ben/x.sh", RIGHT, 49),
        ("c/cleo/x.sh", RIGHT, 48 + 60),
        ("c/dora/x.sh", RIGHT, 48 + 60),
    ] {
        judge.put(file, program);
        date(&judge, file, hours);
    }
    judge.put(
        "c/course.toml",
        "name = \"Week 3\"\ndue = \"2026-11-03 01:00 +01:00\"\n[late]\npercent = 10\nuntil = \"2 days\"\n\
         [problem.mini]\npoints = 20\n[student.dora]\ndue = \"2026-11-07 00:00Z\"\nname = \"Dora D.\"\n",
    );
    let ran = judge.run(&["grade", "c", "--log", "log", "--feedback", "f"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let expected = [
        "student  sample  secret  of 20         late  verdict",
        "anna         10      90     20                    AC",
        "ben          10      90     18          1 h       AC",
        "cleo         10      90      0  2 days 12 h       AC",
        "Dora D.      10      90     20                    AC",
        "4 students, 14.5 of 20 points on average, 2 late",
    ];
    assert_eq!(rows(&ran.stdout), expected);
    for rule in [
        "marks of Week 3",
        "of several attempts, the best counts",
        "due 2026-11-03 01:00 +01:00",
        "a late attempt loses 10 % of its points for every day begun, and all of them \
         after 2 days",
    ] {
        assert!(ran.stdout.contains(rule), "{}", ran.stdout);
    }
    assert_eq!(rows(&judge.run(&["standings", "log"]).stdout), expected);
    let report = judge.run(&["report", "log", "-v"]).stdout;
    assert!(report.contains("\nproblem  student "), "{report}");
    let again = judge.run(&["report", "log", "--marks", "-", "--feedback", "again"]);
    let totals = again
        .stdout
        .lines()
        .map(|line| line.rsplit(',').next().unwrap());
    assert_eq!(totals.collect::<Vec<_>>(), ["total", "20", "18", "0", "20"]);
    assert_eq!(
        judge.files_below("f").into_values().collect::<Vec<_>>(),
        judge.files_below("again").into_values().collect::<Vec<_>>()
    );
    let ben = judge.read("f/ben.md");
    assert!(
        ben.contains("**18 of 20 points**")
            && ben.contains("- Late by: `1 h, which costs 2 of 20 points`"),
        "{ben}"
    );
}

/// The same with another problem, `maxi-2`.
fn judge_of_two() -> Judge {
    let judge = judge();
    for ending in ["in", "ans"] {
        for case in ["sample/001-one", "secret/002-two"] {
            let text = judge.read(&format!("cases/mini/{case}.{ending}"));
            judge.put(format!("cases/maxi-2/{case}.{ending}"), text);
        }
    }
    judge.put(
        "problems/maxi-2/problem.toml",
        judge.read("problems/mini/problem.toml"),
    );
    judge
}

#[test]
fn homework_of_several_problems_is_found_by_its_names_and_folders() {
    let judge = judge_of_two();
    for file in [
        "c/anna/MINI_final.sh",
        "c/anna/maxi 2.sh",
        "c/ben/mini/solution.sh",
        "c/ben/task2.sh",
        "c/ben/minimum.sh",
        "c/mini/cleo/any.sh",
        "c/mini/Dora Ek_7_assignsubmission_file_/any.sh",
    ] {
        judge.put(file, RIGHT);
    }
    judge.put(
        "c/course.toml",
        "[problem.mini]\n[problem.maxi-2]\nfiles = [\"task2*\"]\n",
    );
    let said = stderr(&judge, &["grade", "c", "--marks", "marks.csv"]);
    let refused = "1 entry cannot be judged; the rest is judged\n  c/ben/minimum.sh: does not tell which problem it is for";
    assert!(said.contains(refused), "{said}");
    let marks = judge.read("marks.csv");
    let totals = marks.lines().skip(1).map(|line| {
        format!(
            "{} {}",
            line.split(',').next().unwrap(),
            line.rsplit(',').next().unwrap()
        )
    });
    assert_eq!(
        totals.collect::<Vec<_>>(),
        ["anna 200", "ben 200", "cleo 100", "Dora Ek 100"]
    );
}

#[test]
fn a_class_is_never_taken_for_one_student() {
    let judge = judge_of_two();
    for folder in ["MINI", "Maxi_2 (week 3)"] {
        judge.put(
            format!("c/{folder}/Anna Ek_1_assignsubmission_file_/x.sh"),
            RIGHT,
        );
        judge.put(
            format!("c/{folder}/Ben Lund_2_assignsubmission_file_/x.sh"),
            WRONG,
        );
    }
    for student in ["ekanna", "lundben"] {
        let file = format!("{student}_7_assignsubmission_file_x.sh");
        judge.put(format!("c/week 4/{file}"), RIGHT);
    }
    // Students may be called like a problem.
    judge.put("c/mini-2/mini.sh", RIGHT);
    judge.put("c/course.toml", "[problem.mini]\n[problem.maxi-2]\n");
    let said = stderr(&judge, &["grade", "c", "--marks", "marks.csv"]);
    let refused = "  c/week 4: holds the homework of several students (name it after the problem that the homework \
                   is for)\n";
    assert!(said.contains(refused), "{said}");
    let marks = judge.read("marks.csv");
    let totals = marks.lines().skip(1).map(|line| {
        let cells: Vec<_> = line.split(',').collect();
        format!("{} {}", cells[0], cells[cells.len() - 1])
    });
    assert_eq!(
        totals.collect::<Vec<_>>(),
        ["Anna Ek 200", "Ben Lund 0", "mini-2 100", "week 4 "]
    );
}

#[test]
fn names_of_files_vary_and_are_of_one_problem() {
    let judge = judge_of_two();
    for file in [
        "Task1.sh",
        "task_1 final.sh",
        "TASK 10.SH",
        "U\u{308}bung.sh",
    ] {
        judge.put(format!("c/anna/{file}"), RIGHT);
    }
    judge.put(
        "c/course.toml",
        "[problem.mini]\nfiles = [\"task 1*\", \"\u{fc}BUNG*\"]\n[problem.maxi-2]\nfiles = [\"task[ _]10*\", \
         \"task10*\"]\n",
    );
    let said = stderr(&judge, &["grade", "c", "--log", "log"]);
    let refused = "1 entry cannot be judged; the rest is judged\n  c/anna/TASK 10.SH: matches the `files` of `mini` \
                   and of `maxi-2` (let the `files` of only one problem in `course.toml` match it)\n";
    assert!(said.contains(refused), "{said}");
    let judged = judge.read("log");
    let judged = judged
        .lines()
        .filter(|line| line.contains("\"submission_finished\""));
    assert_eq!(judged.filter(|line| line.contains("\"mini\"")).count(), 3);
}

#[test]
fn settings_that_would_be_ignored_are_a_mistake() {
    let judge = judge();
    let student = "Anna Ek_1_assignsubmission_file_";
    judge.put(format!("c/mini/{student}/v1/x.sh"), RIGHT);
    let grade = |folder: &str| judge.run(&["grade", folder, "-p", "mini"]).stderr;
    let refused = |folder: &str, course: &str| {
        let course = judge.path(course).canonicalize().unwrap();
        let course = course.display();
        let said = format!(
            "error: {folder}: is a folder in a course, and no course\n\
             hint: judge the whole course: `gridjudge grade {course}`; if this is another, put a `course.toml` into it, \
             which may be empty\n"
        );
        assert_eq!(grade(folder), said);
    };
    refused(&format!("c/mini/{student}"), "c/mini");
    for name in ["Course.toml", "course.toml.txt", "contest.toml.txt"] {
        judge.put(format!("c/{name}"), "");
        let meant = name.to_lowercase().replace(".txt", "");
        let said = format!(
            "error: c/{name}: would be ignored by this name\nhint: rename it to `{meant}`\n"
        );
        assert_eq!(grade("c"), said);
        fs::remove_file(judge.path(format!("c/{name}"))).unwrap();
    }
    judge.put("c/course.toml", "");
    for folder in ["c/mini", &format!("c/mini/{student}")] {
        refused(folder, "c");
    }
}

#[test]
fn an_extension_for_a_name_that_two_students_have_is_a_mistake() {
    let judge = judge();
    for id in [1, 2] {
        judge.put(format!("c/Anna Ek_{id}_assignsubmission_file_/x.sh"), RIGHT);
    }
    judge.put(
        "c/course.toml",
        "[problem.mini]\n[student.\"Anna Ek\"]\ndue = \"2026-10-25 24:00 +01:00\"\n",
    );
    let ran = judge.run(&["grade", "c"]);
    for mistake in [
        "error: c/course.toml:2: 2 students are called `Anna Ek`\n",
        "hint: write which one: `Anna Ek (1)`, `Anna Ek (2)`\n",
        "hint: write a day of the calendar, a time up to 23:59, and the zone, for example `due = ",
    ] {
        assert!(ran.stderr.contains(mistake), "{}", ran.stderr);
    }
}

#[test]
fn a_course_has_marks_and_no_standings() {
    let judge = judge();
    judge.put("c/anna/x.sh", RIGHT);
    let grade = ["grade", "c", "-p", "mini"];
    judge.run(&[&grade[..], &["--log", "log"]].concat());
    let refused = "error: s.csv: there are no standings of a course\n\
                   hint: write its marks: `--marks FILE` of `grade`, `merge` and `report`";
    judge.refuses(
        &[&grade[..], &["--standings-csv", "s.csv"]].concat(),
        refused,
    );
    judge.refuses(&["standings", "log", "--csv", "s.csv"], refused);
    judge.refuses(
        &[&grade[..], &["--group", "sample", "--feedback", "f"]].concat(),
        "error: f: students get pages only when everything is judged\n\
         hint: judge all cases; of shards, `gridjudge merge` writes the pages",
    );
}

#[test]
fn whose_name_or_folder_cannot_be_read_has_a_row_that_says_so() {
    let judge = judge();
    judge.put("c/mini/anna/x.sh", RIGHT);
    judge.link("c/mini/ben", "anna");
    for name in [&b"J\xf6rg"[..], b"k\xfchn_1_2_x.sh"] {
        let path = judge.path("c/mini").join(OsStr::from_bytes(name));
        fs::write(path, RIGHT).unwrap();
    }
    judge.put("c/course.toml", "[problem.mini]\n");
    judge.run(&["grade", "c", "--marks", "m.csv"]);
    assert_eq!(
        marks(&judge, "m.csv"),
        [
            "anna 100|AC|100",
            "ben |not judged|",
            "k\u{fffd}hn |not judged|"
        ]
    );
    let folder = judge.path("c/mini").join(OsStr::from_bytes(b"K\xf6rg"));
    fs::create_dir(folder).unwrap();
    judge.run(&["grade", "c", "--marks", "m.csv"]);
    let text = judge.read("m.csv");
    assert!(
        text.contains("K\u{fffd}rg: has a name that is not UTF-8"),
        "{text}"
    );
}

#[test]
fn files_that_were_unpacked_together_are_no_proof_of_lateness() {
    let judge = judge();
    for student in ["a", "b", "c", "d"] {
        let file = format!("c/{student}/x.sh");
        judge.put(&file, RIGHT);
        date(&judge, &file, 50);
    }
    judge.put(
        "c/course.toml",
        "due = 2026-11-03 00:00:00Z\n[problem.mini]\n",
    );
    let said = stderr(&judge, &["grade", "c"]);
    let note = "all files are from 2026-11-03T02:00:00Z, within a minute: if they were unpacked";
    assert!(said.contains(note), "{said}");
}

#[test]
fn all_mistakes_in_the_settings_of_a_course_are_named() {
    let judge = judge();
    judge
        .put("c/anna/x.sh", RIGHT)
        .put("c/Eve Louise/x.sh", RIGHT);
    judge.put(
        "c/course.toml",
        "due = \"tomorrow\"\n[student.ana]\n[problem.minni]\npoints = 0\n\
         [student.\"Eve Louis\"]\n[late]\npercent = 10\n",
    );
    let ran = judge.run(&["grade", "c"]);
    assert_eq!(ran.code, Some(2));
    for mistake in [
        "c/course.toml:1: `due` is `tomorrow`, which is no date, time and zone",
        "c/course.toml:2: there is no student `ana`",
        "did you mean `anna`?",
        "c/course.toml:3: there is no problem `minni`",
        "c/course.toml:4: `points`",
        "c/course.toml:5: there is no student `Eve Louis`",
        "did you mean `Eve Louise`?",
    ] {
        assert!(ran.stderr.contains(mistake), "{mistake}: {}", ran.stderr);
    }
    // The date is there, though it is none.
    assert!(!ran.stderr.contains("nothing is due"), "{}", ran.stderr);
}

#[test]
fn whoever_is_listed_and_absent_is_not_taken_for_somebody_with_a_similar_name() {
    let judge = judge();
    judge.put("c/Anna/x.sh", RIGHT).put("c/李娜/x.sh", RIGHT);
    judge.put(
        "c/course.toml",
        "[problem.mini]\n[student.Anna]\n[student.Anne]\n[student.Hana]\n[student.\"李伟\"]\n",
    );
    let ran = judge.run(&["grade", "c"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for absent in ["Anne", "Hana", "李伟"] {
        assert!(ran.stdout.contains(absent), "{}", ran.stdout);
    }
}

#[test]
fn no_name_in_a_course_leads_out_of_a_students_folder() {
    let judge = judge();
    judge.put("c/anna/right.sh", RIGHT);
    fs::create_dir_all(judge.path("c/ben/deep")).unwrap();
    judge.link("c/ben/deep/stolen.sh", "../../anna/right.sh");
    judge.link("c/cleo", "../problems");
    let said = stderr(
        &judge,
        &["grade", "c", "-p", "mini", "--marks", "marks.csv"],
    );
    for refused in [
        "c/ben/deep/stolen.sh: is a link that leads out of the student's folder",
        "c/cleo: is a link that leads out of the course",
    ] {
        assert!(said.contains(refused), "{said}");
    }
    let marks = judge.read("marks.csv");
    let ben = "\nben,ben,,,,,,,not judged,stolen.sh: is a link that leads out of the student's \
               folder,,\r\n";
    assert!(marks.contains(ben), "{marks}");
}

#[test]
fn a_misspelt_folder_is_suggested() {
    let judge = judge();
    judge.put("homework/anna/x.sh", RIGHT);
    judge.refuses(
        &["grade", "homewrk", "-p", "mini"],
        "error: homewrk: cannot be read: No such file or directory (os error 2)\n\
         hint: did you mean `homework`?",
    );
}

/// The marks of each student: points, verdict, total.
fn marks(judge: &Judge, file: &str) -> Vec<String> {
    let text = judge.read(file);
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<_> = line.split(',').collect();
        format!(
            "{} {}|{}|{}",
            cells[0],
            cells[6],
            cells[8],
            cells.last().unwrap()
        )
    });
    rows.collect()
}

#[test]
fn what_was_handed_in_and_cannot_be_judged_is_no_zero() {
    let judge = judge();
    judge.put("c/anna/x.zip", "PK");
    judge.put("c/ben/notes.xyz", "x");
    judge.put("c/cleo/report.pdf", "%PDF");
    judge.put("c/cleo/x.sh", HALF_RIGHT);
    fs::create_dir(judge.path("c/idle")).unwrap();
    for number in 0..101 {
        judge.put(format!("c/many/{number}.sh"), RIGHT);
    }
    let ran = judge.run(&[
        "grade",
        "c",
        "-p",
        "mini",
        "--all",
        "--marks",
        "m.csv",
        "--feedback",
        "f",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        marks(&judge, "m.csv"),
        [
            "anna |not judged|",
            "ben |not judged|",
            "cleo 10|WA|10",
            "idle 0||0",
            "many |not judged|"
        ]
    );
    let summary = "5 students, 5.0 of 100 points on average, 1 without an attempt, 3 not judged";
    assert_eq!(rows(&ran.stdout).last(), Some(&summary));
    assert!(
        judge.read("f/anna.md").contains(
            "## `mini`: not judged\n\n- Not judged: `x.zip: is an archive`"
        )
    );
    assert!(
        judge
            .read("f/many.md")
            .contains("has more than 100 programs")
    );
    assert!(
        judge
            .read("m.csv")
            .contains("notes.xyz is not taken for a program")
    );
}

#[test]
fn whoever_has_handed_in_only_what_is_not_judged_has_a_row_that_says_so() {
    let judge = judge();
    judge.put("c/anna/x.sh", RIGHT);
    judge.put("c/anna.pdf", "%PDF");
    judge.put("c/mia.pdf", "%PDF");
    judge.put("c/task.pdf", "%PDF");
    judge.put("c/mini/nora.zip", "PK");
    judge.put("c/paul.zip", "PK");
    judge.script("c/lena", RIGHT);
    judge.put("c/course.toml", "[problem.mini]\n[student.mia]\n");
    let said = stderr(&judge, &["grade", "c", "--marks", "m.csv"]);
    assert_eq!(
        marks(&judge, "m.csv"),
        [
            "anna 100|AC|100",
            "lena |not judged|",
            "mia |not judged|",
            "nora |not judged|",
            "paul |not judged|"
        ]
    );
    let refused = "  c/paul.zip: is an archive (unpack it into a folder of `paul`)\n";
    assert!(said.contains(refused), "{said}");
    assert!(said.contains("c/task.pdf"), "{said}");
}

#[test]
fn what_cannot_be_judged_counts_for_the_problem_that_it_is_for() {
    let judge = judge_of_two();
    judge.put("c/mini/kim/any.sh", RIGHT);
    judge.put("c/maxi-2/kim/hw.zip", "PK");
    judge.put("c/mini/leo/any.sh", RIGHT);
    judge.put("c/maxi-2/leo/any.docx", "PK");
    judge.put("c/max/maxi-2.docx", "PK");
    judge.put("c/mini/bob/any.sh", WRONG);
    judge.put("c/mini/bob/hw.zip", "PK");
    judge.put(
        "c/course.toml",
        "[problem.mini]\n[problem.maxi-2]\npoints = 100\n",
    );
    let ran = judge.run(&["grade", "c"]);
    let expected = [
        "student  mini  maxi-2  of 200",
        "bob         ?       .       ?",
        "kim       100       ?       ?",
        "leo       100       ?       ?",
        "max         .       ?       ?",
        "4 students, 4 not judged",
    ];
    assert_eq!(rows(&ran.stdout), expected, "{}", ran.stderr);
    // Nobody has tried the other, and it is no less unknown.
    judge.put("c/course.toml", "");
    let ran = judge.run(&["grade", "c"]);
    let head = rows(&ran.stdout)[0];
    assert!(head.starts_with("student  maxi-2  mini  "), "{head}");
}

#[test]
fn a_part_of_the_cases_gives_no_points() {
    let judge = judge();
    judge.put("c/anna/x.sh", RIGHT);
    let grade = ["grade", "c", "-p", "mini", "--group", "sample"];
    let ran = judge.run(&[&grade[..], &["--marks", "m.csv"]].concat());
    assert_eq!(rows(&ran.stdout)[1], "anna         10      ?       AC");
    let marks = judge.read("m.csv");
    let anna = "\nanna,anna,,,10,,,AC,the judging is incomplete,x.sh,\r\n";
    assert!(marks.contains(anna), "{marks}");
}

#[test]
fn a_course_of_several_problems_without_settings_is_told_what_it_needs() {
    let judge = judge_of_two();
    let several = ["grade", "c", "-p", "mini", "-p", "maxi-2"];
    let note = "note: this is judged as a contest; a course of several problems needs a `course.toml`, which may be \
                empty\n";
    judge.put("c/anna/task one.sh", RIGHT);
    assert_eq!(judge.run(&several).code, Some(2));
    let said = stderr(&judge, &several);
    assert!(said.starts_with(note), "{said}");
    judge.put("c/ben/mini.sh", RIGHT);
    let said = stderr(&judge, &several);
    assert!(said.contains(note), "{said}");
    judge.put("c/course.toml", "");
    assert!(judge.run(&several).stdout.contains("marks of c"));
}

#[test]
fn the_problems_that_are_asked_for_select_among_the_work_of_a_course() {
    let judge = judge_of_two();
    judge.put("c/anna/mini.sh", RIGHT);
    judge.put("c/anna/maxi-2.sh", WRONG);
    judge.put("c/ben/maxi-2.sh", RIGHT);
    let both = ["mini", "maxi-2"];
    for (settings, asked, judged) in [
        ("[problem.mini]\n[problem.maxi-2]\n", &both[..1], "[1/1] "),
        ("", &both, "[3/3] "),
        ("[problem.mini]\n", &both, "[3/3] "),
    ] {
        judge.put("c/course.toml", settings);
        let mut grade = vec!["grade", "c", "--marks", "m.csv"];
        grade.extend(asked.iter().flat_map(|id| ["-p", id]));
        let said = stderr(&judge, &grade);
        assert!(said.contains(judged), "{settings}: {said}");
        let first = judge.read("m.csv").replace("\r\n", "\n");
        let first = first.lines().nth(1).unwrap();
        assert!(first.starts_with("anna,anna,,,10,90,100,,AC,"), "{first}");
        let is_of_both = first.contains("maxi-2.sh");
        assert_eq!(is_of_both, asked.len() == 2, "{first}");
    }
}

#[test]
fn pages_that_are_left_of_an_earlier_run_are_named() {
    let judge = judge();
    let grade = ["grade", "c", "-p", "mini", "--feedback", "f"];
    judge.put("c/anna/x.sh", RIGHT);
    judge.put("c/ben/x.sh", RIGHT);
    let said = stderr(&judge, &grade);
    assert!(!said.contains("of this run"), "{said}");
    fs::remove_dir_all(judge.path("c/ben")).unwrap();
    let said = stderr(&judge, &grade);
    let note = "note: f has pages of an earlier run, perhaps of somebody who has left:\n  ben.html\n";
    assert!(said.contains(note), "{said}");
}

#[test]
fn an_archive_may_hold_the_homework_for_every_problem() {
    let judge = judge_of_two();
    judge.put("c/anna/mini.sh", RIGHT);
    judge.put("c/anna/all.zip", "PK");
    judge.put("c/course.toml", "[problem.mini]\n[problem.maxi-2]\n");
    judge.run(&["grade", "c", "--marks", "m.csv"]);
    let marks = judge.read("m.csv");
    assert!(marks.contains("all.zip: is an archive"), "{marks}");
    assert!(marks.ends_with(",\r\n"), "{marks}");
}

#[test]
fn what_was_not_judged_yet_is_no_zero_and_students_get_no_pages() {
    let judge = judge();
    for student in ["anna", "ben", "cleo"] {
        judge.put(format!("c/{student}/x.sh"), WRONG);
    }
    let course = ["grade", "c", "-p", "mini", "-j1", "--marks", "m.csv"];
    let ran =
        judge.run(&[&course[..], &["--stop-after", "1", "--feedback", "f"]].concat());
    assert!(
        ran.stderr
            .contains("students get pages only when everything was judged"),
        "{}",
        ran.stderr
    );
    assert!(!judge.path("f").exists());
    let unknown = marks(&judge, "m.csv");
    assert!(
        unknown.contains(&"cleo |not judged|".to_owned()),
        "{unknown:?}"
    );
    assert!(unknown.iter().all(|row| row.ends_with('|')), "{unknown:?}");
    judge.run(&["grade", "c", "-p", "mini", "--log", "log"]);
    judge.refuses(
        &[&course[..], &["--failed", "log"]].concat(),
        "error: m.csv: there are no marks of a part of the attempts\n\
         hint: judge all of them: what was judged before comes from the cache",
    );
}

#[test]
fn no_single_name_turns_a_course_into_a_contest_or_a_contest_into_a_course() {
    let judge = judge();
    judge.put("c/anna/src/x.sh", RIGHT);
    judge.put("c/ben/v@2.sh", RIGHT);
    judge.put("c/ben/v#1.sh", RIGHT);
    let ran = judge.run(&["grade", "c", "-p", "mini"]);
    assert_eq!(rows(&ran.stdout).len(), 4, "{}{}", ran.stdout, ran.stderr);
    judge.put("t/alpha/mini@30.sh", RIGHT);
    judge.put("t/beta/mini@10.sh", RIGHT);
    fs::create_dir(judge.path("t/z_1_assignsubmission_file_")).unwrap();
    let ran = judge.run(&["grade", "t"]);
    assert!(ran.stdout.contains("standings of t"), "{}", ran.stdout);
    judge.put("t/course.toml", "");
    judge.put("t/contest.toml", "");
    judge.refuses(
        &["grade", "t"],
        "error: t/course.toml: is beside a `contest.toml`: is it a course, or a contest?\n\
         hint: delete one of the two",
    );
}

#[test]
fn a_student_has_a_number_for_each_assignment_and_shares_a_name_with_others() {
    let judge = judge();
    let spec = judge.read("problems/mini/problem.toml");
    judge.put("problems/maxi/problem.toml", spec);
    for ending in ["in", "ans"] {
        for case in ["sample/001-one", "secret/002-two"] {
            let text = judge.read(&format!("cases/mini/{case}.{ending}"));
            judge.put(format!("cases/maxi/{case}.{ending}"), text);
        }
    }
    judge.put("c/mini/Anna Ek_111_assignsubmission_file_/x.sh", RIGHT);
    judge.put("c/maxi/Anna Ek_222_assignsubmission_file_/x.sh", RIGHT);
    judge.put("c/maxi/Ben Lund_8_assignsubmission_file_/x.sh", RIGHT);
    judge.put("c/maxi/Ben Lund_9_assignsubmission_file_/x.sh", WRONG);
    judge.run(&["grade", "c", "--marks", "m.csv"]);
    let text = judge.read("m.csv");
    let totals = text.lines().skip(1).map(|line| {
        let cells: Vec<_> = line.split(',').collect();
        format!("{} {}", cells[0], cells.last().unwrap())
    });
    assert_eq!(
        totals.collect::<Vec<_>>(),
        ["Anna Ek 200", "Ben Lund (8) 100", "Ben Lund (9) 0"]
    );
}

#[test]
fn the_last_attempt_is_told_by_the_times_of_files_even_if_nothing_is_due() {
    let judge = judge();
    judge.put("c/anna/a_new.sh", RIGHT);
    judge.put("c/anna/z_old.sh", WRONG);
    date(&judge, "c/anna/a_new.sh", 20);
    date(&judge, "c/anna/z_old.sh", 10);
    judge.put(
        "c/course.toml",
        "count = \"last\"\n[problem.mini]\n[student.zoe]\n",
    );
    judge.run(&["grade", "c", "--marks", "m.csv"]);
    // A class list may name students who have handed in nothing.
    assert_eq!(marks(&judge, "m.csv"), ["anna 100|AC|100", "zoe 0||0"]);
}

/// Grades a folder whose first program takes a while, and replaces `path` by a link to
/// `target` in the meantime.
pub(super) fn grade_while_linking(
    judge: &Judge,
    arguments: &[&str],
    path: &str,
    target: &str,
) -> Ran {
    let log = judge.path("log.jsonl");
    let arguments =
        [arguments, &["-j1", "--log", "log.jsonl", "--no-cache"]].concat();
    let mut grading = judge.command(&arguments);
    let grading = grading
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The plan is made when the log begins.
    while log.metadata().map_or(0, |found| found.len()) == 0 {
        thread::sleep(Duration::from_millis(5));
    }
    fs::rename(judge.path(path), judge.path("aside")).unwrap();
    judge.link(path, target);
    judge.ran(grading.wait_with_output().unwrap())
}

#[test]
fn what_becomes_a_link_while_a_course_or_a_contest_is_judged_is_not_read() {
    let slow = format!("sleep 2\n{RIGHT}");
    for (file, path, target) in [
        ("course/ben/b.sh", "course/ben/b.sh", "../../secret.sh"),
        ("course/ben/in/b.sh", "course/ben/in", "../anna"),
        (
            "contest/ben/mini@5.sh",
            "contest/ben/mini@5.sh",
            "../anna/mini@1.sh",
        ),
    ] {
        let judge = judge();
        judge.put("secret.sh", RIGHT).put("course/anna/a.sh", &slow);
        judge.put("contest/anna/mini@1.sh", &slow);
        judge.put(file, RIGHT);
        judge.put("course/cleo/c.sh", RIGHT);
        judge.put("contest/cleo/mini@7.sh", RIGHT);
        let folder = file.split('/').next().unwrap();
        let ran = grade_while_linking(
            &judge,
            &["grade", folder, "-p", "mini"],
            path,
            target,
        );
        assert_eq!(ran.code, Some(0), "{path}: {}", ran.stderr);
        let reason =
            "the file has become a link, or a folder around it has, and is not read";
        assert!(judge.read("log.jsonl").contains(reason), "{path}: {ran:?}");
        let results = judge.read("log.jsonl");
        let refused = results.lines().filter(|line| {
            line.contains("\"CE\"") && line.contains("submission_finished")
        });
        assert_eq!(refused.count(), 1, "{path}: {results}");
    }
}

#[test]
fn an_autograder_is_told_of_one_student_and_never_of_the_best_of_several() {
    let judge = judge();
    judge.put("c/anna/a.sh", RIGHT).put("c/ben/b.sh", WRONG);
    judge.run(&["grade", "c", "-p", "mini", "--log", "log.jsonl"]);
    for option in ["--gradescope", "--prairielearn", "--autolab"] {
        let ran = judge.run(&["report", "log.jsonl", option, "result"]);
        assert_eq!(ran.code, Some(3), "{option}: {}", ran.stderr);
        let said = "these are several: `anna`, `ben`; judge the files of one, or write `--marks`";
        assert!(ran.stderr.contains(said), "{option}: {}", ran.stderr);
        assert!(!judge.path("result").exists(), "{option}");
    }
    let graded = ["grade", "c", "-p", "mini", "--gradescope", "result"];
    let said = judge.run(&graded).stderr;
    assert!(!said.contains("judge again"), "{said}");
    fs::remove_dir_all(judge.path("c/ben")).unwrap();
    let ran = judge.run(&graded);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(judge.path("result").exists());
}

#[test]
fn accents_in_another_code_make_no_other_student() {
    let judge = judge();
    let [one, taken_apart] = ["Zo\u{eb}", "Zoe\u{308}"];
    let spec = judge.read("problems/mini/problem.toml");
    judge.put("problems/maxi/problem.toml", spec);
    for case in [
        "sample/001-one.in",
        "sample/001-one.ans",
        "secret/002-two.in",
        "secret/002-two.ans",
    ] {
        let text = judge.read(&format!("cases/mini/{case}"));
        judge.put(format!("cases/maxi/{case}"), text);
    }
    judge.put(format!("c/mini/{one}/x.sh"), RIGHT);
    judge.put(format!("c/maxi/{taken_apart}/x.sh"), RIGHT);
    judge.put(
        "c/course.toml",
        format!("[student.\"{taken_apart}\"]\nid = \"7\"\n"),
    );
    judge.run(&["grade", "c", "--marks", "m.csv"]);
    let text = judge.read("m.csv");
    let rows: Vec<_> = text.lines().skip(1).collect();
    assert!(
        rows.len() == 1 && rows[0].starts_with("Zo\u{eb},Zo\u{eb},7,"),
        "{text}"
    );
    judge.put(format!("c/mini/{taken_apart}/x.sh"), WRONG);
    let ran = judge.run(&["grade", "c", "--marks", "m.csv"]);
    let said = "only its accents are coded otherwise";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn times_are_shown_in_the_zone_of_what_is_due_and_a_date_in_the_future_is_called_wrong()
 {
    let judge = judge();
    judge.put(
        "c/course.toml",
        "due = \"2026-11-03 00:00 +01:00\"\n[problem.mini]\n",
    );
    judge.put("c/anna/a.sh", RIGHT).put("c/ben/b.sh", RIGHT);
    date(&judge, "c/anna/a.sh", 40);
    // In the year 2049.
    date(&judge, "c/ben/b.sh", 200_000);
    let ran = judge.run(&["grade", "c", "--feedback", "f"]);
    assert!(
        ran.stdout.contains("\ndue 2026-11-03 00:00 +01:00\n"),
        "{}",
        ran.stdout
    );
    let note = "\n1 file dated after it was judged, so the dates are wrong\n";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    let anna = judge.read("f/anna.md");
    assert!(anna.contains("2026-11-02 17:00 +01:00"), "{anna}");
    let ben = judge.read("f/ben.md");
    assert!(ben.contains("which is after it was judged"), "{ben}");
}

#[test]
fn the_example_of_a_course_has_a_right_a_wrong_and_a_late_student() {
    let judge = Judge::new();
    let output = judge
        .command(&["grade", "examples/course"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let rows = rows(&stdout);
    let of = |row: usize| rows[row].split_whitespace().collect::<Vec<_>>();
    assert_eq!(of(1), ["Anna", "Ek", "10", "AC"]);
    assert_eq!(of(2), ["Ben", "Lund", "0", "WA"]);
    let late = of(3);
    assert_eq!(late[..3], ["Chlo\u{e9}", "Martin", "8"], "{stdout}");
    assert_eq!(late.last(), Some(&"AC"));
    assert!(rows[4].ends_with(", 1 late"), "{stdout}");
    assert!(
        stderr.contains("names of Moodle are shortened: 3"),
        "{stderr}"
    );
}

#[test]
fn marks_of_very_many_groups_take_no_longer_for_each() {
    let judge = judge();
    judge.put("c/anna/a.sh", RIGHT);
    judge.run(&["grade", "c", "-p", "mini", "--log", "log.jsonl"]);
    let log = judge.read("log.jsonl");
    let lines = log.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        if event["event"] == "submission_finished" {
            let group = event["score"]["groups"][0].clone();
            let groups = (0..60_000).map(|number| {
                let mut group = group.clone();
                group["name"] = format!("group{number}").into();
                group
            });
            event["score"]["groups"] = groups.collect();
        }
        event.to_string() + "\n"
    });
    judge.put("many.jsonl", lines.collect::<String>());
    // It takes a second of processor time; where each group was looked for among all, it
    // took minutes.
    let report = "ulimit -t 20; exec \"$0\" report many.jsonl --marks m.csv";
    let mut command = judge.command_of("sh", &["-c", report]);
    command.arg(env!("CARGO_BIN_EXE_gridjudge"));
    assert_eq!(judge.ran(command.output().unwrap()).code, Some(0));
    let header = judge.read("m.csv");
    assert!(header.lines().next().unwrap().contains(",group59999,"));
}
