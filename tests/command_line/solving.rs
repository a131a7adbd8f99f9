//! `gridjudge solve` on the command line.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn gridjudge(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridjudge"));
    command
        .arg("solve")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn solved(arguments: &[&str], input: &str) -> Output {
    let mut child = gridjudge(arguments).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Written in another thread while the output is read; otherwise both processes
    // could block.
    let writer = std::thread::spawn(move || {
        let _ = pipe.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[track_caller]
fn assert_solves(
    arguments: &[&str],
    input: &str,
    code: i32,
    stdout: &str,
    stderr: &str,
) {
    let output = solved(arguments, input);
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn a_list_on_standard_input_is_solved_line_by_line() {
    let input = format!("# two\n{PUZZLE}\r\n\n{},easy\n", PUZZLE.replace('.', "0"));
    for arguments in [&["-q"][..], &["-q", "-j1", "-"], &["-q", "--unique"]] {
        assert_solves(
            arguments,
            &input,
            0,
            &format!("{SOLUTION}\n{SOLUTION}\n"),
            "",
        );
    }
    assert_solves(&["-q", "--count", "3"], &input, 0, "1\n1\n", "");
    let message = String::from_utf8(solved(&[], &input).stderr).unwrap();
    assert!(
        message.starts_with("note: 2 puzzles in ")
            && message.ends_with("0 without the requested answer\n")
    );
}

#[test]
fn an_invalid_line_is_reported_with_its_number_and_a_remedy_and_the_others_are_solved()
 {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("list.txt");
    let dots = ".".repeat(81);
    fs::write(
        &path,
        format!("{PUZZLE}\n123\n{}\n{dots}\n", PUZZLE.replace('8', "x")),
    )
    .unwrap();
    let name = path.to_str().unwrap();
    let stderr = format!(
        "error: {name}:2: expected 81 cells, found 3\n\
         hint: write the 81 cells of a puzzle in one line without spaces; begin a comment with `#`\n\
         error: {name}:3: unexpected `x` at row 3, column 3\n\
         hint: use 1 to 9, and `.`, `0`, `*`, `_`, `?` or `-` for a blank\n\
         error: {name}:4: more than one solution\n\
         hint: add a clue, or take any solution (leave out `--unique`)\n"
    );
    assert_solves(
        &["-q", "--unique", name],
        "",
        1,
        &format!("{SOLUTION}\n{dots}\n{dots}\n{dots}\n"),
        &stderr,
    );
}

#[test]
fn a_list_that_cannot_be_opened_and_a_count_of_zero_are_usage_errors() {
    let folder = TempDir::new().unwrap();
    for (path, why) in [("absent", "cannot be read"), (".", "is a folder")] {
        let output = gridjudge(&[path]).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(why));
    }
    assert_eq!(solved(&["--count", "0"], "").status.code(), Some(2));
}

#[test]
fn a_file_of_a_gibibyte_that_is_no_text_is_refused_at_its_beginning() {
    let folder = TempDir::new().unwrap();
    for (start, why) in [
        ("", "holds no puzzles; its first line is `\\u{0}"),
        (PUZZLE, "is no list of puzzles: a line has more than 16 MiB"),
    ] {
        let start = start.to_owned() + if start.is_empty() { "" } else { "\n" };
        fs::write(folder.path().join("zeros"), start).unwrap();
        let file = fs::OpenOptions::new()
            .write(true)
            .open(folder.path().join("zeros"));
        file.unwrap().set_len(1 << 30).unwrap();
        // To read all of it takes more processor time than this on any machine.
        let output = Command::new("sh")
            .args(["-c", "ulimit -t 2; exec \"$0\" solve zeros"])
            .arg(env!("CARGO_BIN_EXE_gridjudge"))
            .current_dir(&folder)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_program_without_an_error() {
    let mut child = gridjudge(&[]).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let mut first = [0; 81];
    let mut output = child.stdout.take().unwrap();
    // The first answer is written while the input is still open.
    pipe.write_all(format!("{PUZZLE}\n").as_bytes()).unwrap();
    output.read_exact(&mut first).unwrap();
    assert_eq!(first, SOLUTION.as_bytes());
    drop(output);
    // The program notices the closed pipe when it writes.
    while pipe.write_all(format!("{PUZZLE}\n").as_bytes()).is_ok() {}
    let ended = child.wait_with_output().unwrap();
    assert_eq!(
        (ended.status.code(), ended.stderr.is_empty()),
        (Some(0), true)
    );
}
