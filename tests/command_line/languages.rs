//! Judges programs in all languages of this machine: texts beyond ASCII, sources that
//! cannot be parsed, and versions of languages.

use crate::judge::{Judge, needs_cc};

/// Programs that print a letter beyond ASCII and their input. Kotlin, whose compiler
/// takes ten seconds, runs like Java.
const ECHOES: [(&str, &str); 19] = [
    ("a.bash", "read -r line\nprintf 'é %s\\n' \"$line\"\n"),
    (
        "a.c",
        "#include <locale.h>\n#include <stdio.h>\n#include <wchar.h>\nint main(void) { wchar_t line[99]; setlocale(LC_ALL, \"\"); fgetws(line, 99, stdin); wprintf(L\"\\u00e9 %ls\", line); }\n",
    ),
    (
        "a.cpp",
        "#include <iostream>\n#include <locale>\n#include <string>\nint main() { std::locale::global(std::locale(\"\")); std::wcin.imbue({}); std::wcout.imbue({}); std::wstring s; std::getline(std::wcin, s); std::wcout << L\"é \" << s << L\"\\n\"; }\n",
    ),
    (
        "a.cs",
        "class A { static void Main() { System.Console.WriteLine(\"é \" + System.Console.ReadLine()); } }\n",
    ),
    (
        "a.f90",
        "program a\n  character(99) :: line\n  read '(a)', line\n  print '(a)', 'é ' // trim(line)\nend program\n",
    ),
    (
        "a.go",
        "package main\nimport (\"bufio\"; \"fmt\"; \"os\")\nfunc main() { s := bufio.NewScanner(os.Stdin); s.Scan(); fmt.Println(\"é \" + s.Text()) }\n",
    ),
    ("a.hs", "main = getLine >>= putStrLn . (\"é \" ++)\n"),
    (
        "a.java",
        "import java.util.Scanner;\nclass A { public static void main(String[] a) { System.out.println(\"é \" + new Scanner(System.in).nextLine()); } }\n",
    ),
    (
        "a.js",
        "console.log('é ' + require('fs').readFileSync(0, 'utf8').trim());\n",
    ),
    ("a.lisp", "(format t \"é ~a~%\" (read-line))\n"),
    ("a.lua", "print('é ' .. io.read('l'))\n"),
    ("a.ml", "let () = print_endline (\"é \" ^ read_line ())\n"),
    (
        "a.pas",
        "var line: string; begin readln(line); writeln('é ', line); end.\n",
    ),
    ("a.php", "<?php echo 'é ', fgets(STDIN);\n"),
    ("a.pl", "print 'é ', scalar <STDIN>;\n"),
    ("a.py", "print('é', input())\n"),
    ("a.rb", "puts ['é', *gets.split(' ')].join(' ')\n"),
    (
        "a.rs",
        "fn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); print!(\"é {line}\"); }\n",
    ),
    ("a.sh", "read -r line\nprintf 'é %s\\n' \"$line\"\n"),
];

/// Sources that cannot be parsed, with the line of the first error.
const UNPARSABLE: [(&str, &[u8], u64); 13] = [
    ("open.py", b"n = int(input())\nif n > 3\n    print(n)\n", 2),
    ("latin1.py", b"n = 1\n# \xfcber\nprint(n)\n", 2),
    ("zero.py", b"print(1)\nprint('\0')\n", 2),
    ("open.js", b"const n = 1;\nconsole.log(2 * n;\n", 2),
    (
        "open.mjs",
        b"import fs from 'fs';\nconsole.log(2 * fs;\n",
        2,
    ),
    ("twice.pl", b"my $n = <STDIN>;\nprint 2 * $n 3;\n", 2),
    ("close.rb", b"n = gets.to_i\nputs 2 * n)\n", 2),
    ("twice.php", b"<?php\necho 2 2;\n", 2),
    ("word.lua", b"local n = 1\nprint(n n)\n", 2),
    ("open.lisp", b"(print 1)\n(print (+ 1 2)\n", 2),
    ("close.lisp", b"(print 1)\n(print 2))\n", 2),
    ("open.sh", b"read n\nif (\n", 3),
    ("open.bash", b"read n\nif (( n > 2 ); then\necho 1\nfi\n", 2),
];

/// A package that asks for a letter beyond ASCII and the input.
fn package() -> Judge {
    let judge = Judge::new();
    judge
        .put("pkg/problem.yaml", "name: Echo\n")
        .put("pkg/.timelimit", "10\n");
    judge
        .put("pkg/data/sample/1.in", "Zoë 数独\n")
        .put("pkg/data/sample/1.ans", "é Zoë 数独\n");
    judge
}

/// The verdicts that `grade` gives to these files, by their names; without languages
/// that this machine lacks.
fn verdicts(judge: &Judge, names: &[&str]) -> Vec<(String, String)> {
    let output = judge
        .command(&["grade", "-p", "./pkg", "--log", "log.jsonl"])
        .args(names)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    names
        .iter()
        .filter_map(|name| {
            let line = said.lines().find(|line| {
                line.contains(&format!(" {name}")) && line.starts_with('[')
            })?;
            let verdict = line
                .split(']')
                .nth(1)?
                .split_whitespace()
                .next()?
                .to_owned();
            (verdict != "-").then(|| ((*name).to_owned(), verdict))
        })
        .collect()
}

#[test]
fn texts_beyond_ascii_are_read_and_printed_in_every_language() {
    needs_cc();
    let judge = package();
    for (name, text) in ECHOES {
        judge.put(name, text);
    }
    let found = verdicts(&judge, &ECHOES.map(|row| row.0));
    assert!(found.len() > 2, "{found:?}");
    let wrong: Vec<_> = found
        .iter()
        .filter(|(_, verdict)| verdict != "AC")
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_source_that_cannot_be_parsed_is_a_compile_error_with_its_line() {
    let judge = package();
    for (name, text, _) in UNPARSABLE {
        std::fs::write(judge.path(name), text).unwrap();
    }
    let found = verdicts(&judge, &UNPARSABLE.map(|row| row.0));
    let wrong: Vec<_> = found
        .iter()
        .filter(|(_, verdict)| verdict != "CE")
        .collect();
    assert!(wrong.is_empty() && !found.is_empty(), "{wrong:?}");
    judge
        .command(&["report", "log.jsonl", "--junit", "junit.xml"])
        .output()
        .unwrap();
    let report = judge.read("junit.xml");
    for (name, _, line) in UNPARSABLE
        .iter()
        .filter(|row| found.iter().any(|(name, _)| name == row.0))
    {
        assert!(report.contains(&format!("line {line}")), "{name}: {report}");
    }
}
