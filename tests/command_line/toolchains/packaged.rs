//! Built-in languages without an example in `problems/`: a right program, a failing one
//! and one that does not compile in each language whose tool is installed from a
//! package. A missing tool is skipped with a note.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::levels;
use crate::judge::Judge;
use crate::judge::share::is_exhaustive;

/// A language whose tool is in a package of Debian.
struct PackagedLanguage {
    name: &'static str,
    tool: &'static str,
    /// The extension of its sources.
    extension: &'static str,
    /// A program that is right on every case of the problem `mini`.
    right: &'static str,
    /// A program that ends with an error.
    failing: &'static str,
    /// Whether sources are compiled first.
    is_compiled: bool,
}

#[rustfmt::skip]
const LANGUAGES: [PackagedLanguage; 12] = [
    PackagedLanguage {
        name: "Ada", tool: "gnatmake", extension: "adb", is_compiled: true,
        right: r#"with Ada.Text_IO; use Ada.Text_IO;
with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
procedure Right is
   N : Integer;
begin
   Get (N);
   for I in 1 .. N loop
      Put_Line ("1234"); Put_Line ("3412"); Put_Line ("2143"); Put_Line ("4321");
   end loop;
end Right;
"#,
        failing: "procedure Failing is\nbegin\n   raise Constraint_Error;\nend Failing;\n",
    },
    PackagedLanguage {
        name: "C#", tool: "mcs", extension: "cs", is_compiled: true,
        right: r#"using System;
class Right {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        var other = new System.Threading.Thread(() => { for (; n > 0; n--) Console.Write("{0}\n3412\n2143\n4321\n", 1234.0); });
        other.Start();
        other.Join();
    }
}
"#,
        failing: r#"class Failing { static void Main() { throw new System.Exception("no"); } }
"#,
    },
    PackagedLanguage {
        name: "Common Lisp", tool: "sbcl", extension: "lisp", is_compiled: false,
        right: r#"(dotimes (i (read)) (format t "1234~%3412~%2143~%4321~%"))
"#,
        failing: r#"(error "no")
"#,
    },
    PackagedLanguage {
        name: "Fortran", tool: "gfortran", extension: "f90", is_compiled: true,
        right: r#"program right
  integer :: n, i
  read (*, *) n
  do i = 1, n
    write (*, "(a)") "1234", "3412", "2143", "4321"
  end do
end program
"#,
        failing: "program failing\n  stop 3\nend program\n",
    },
    PackagedLanguage {
        name: "Haskell", tool: "ghc", extension: "hs", is_compiled: true,
        right: r#"main :: IO ()
main = do
  n <- readLn
  putStr (concat (replicate n "1234\n3412\n2143\n4321\n"))
"#,
        failing: "main :: IO ()\nmain = print (head ([] :: [Int]))\n",
    },
    PackagedLanguage {
        name: "Kotlin", tool: "kotlinc", extension: "kt", is_compiled: true,
        right: r#"fun main() {
    repeat(readLine()!!.trim().toInt()) { print("1234\n3412\n2143\n4321\n") }
}
"#,
        failing: r#"fun main() { throw RuntimeException("no") }
"#,
    },
    PackagedLanguage {
        name: "Lua", tool: "lua", extension: "lua", is_compiled: false,
        right: r#"for _ = 1, io.read("n") do io.write("1234\n3412\n2143\n4321\n") end
"#,
        failing: r#"error("no")
"#,
    },
    PackagedLanguage {
        name: "OCaml", tool: "ocamlopt", extension: "ml", is_compiled: true,
        right: r#"let () = for _ = 1 to read_int () do print_string "1234\n3412\n2143\n4321\n" done
"#,
        failing: r#"let () = failwith "no"
"#,
    },
    PackagedLanguage {
        name: "PHP", tool: "php", extension: "php", is_compiled: false,
        right: r#"<?php
$count = trim(fgets(STDIN));
echo ctype_digit($count) ? str_repeat("1234\n3412\n2143\n4321\n", (int) $count) : "";
"#,
        failing: r#"<?php
throw new Exception("no");
"#,
    },
    PackagedLanguage {
        name: "Pascal", tool: "fpc", extension: "pas", is_compiled: true,
        right: "var n: integer;\nbegin\n  readln(n);\n  for n := n downto 1 do begin\n    writeln('1234'); writeln('3412'); writeln('2143'); writeln('4321');\n  end;\nend.\n",
        failing: "begin halt(3); end.\n",
    },
    PackagedLanguage {
        name: "Perl", tool: "perl", extension: "pl", is_compiled: false,
        right: r#"print "1234\n3412\n2143\n4321\n" x <STDIN>;
"#,
        failing: r#"die "no";
"#,
    },
    PackagedLanguage {
        name: "Ruby", tool: "ruby", extension: "rb", is_compiled: false,
        right: r#"print "1234\n3412\n2143\n4321\n" * gets.to_i
"#,
        failing: r#"raise "no"
"#,
    },
];

impl PackagedLanguage {
    fn is_installed(&self) -> bool {
        let is_installed = ["/usr/local/bin", "/usr/bin", "/bin"]
            .iter()
            .any(|bin| Path::new(bin).join(self.tool).exists());
        if !is_installed {
            println!("skipped: no package of this machine contains {}", self.name);
        }
        is_installed
    }

    /// The files of its programs, each with its source and expected verdict. Kotlin's
    /// compiler takes five seconds for each, so only the right program is tried in it,
    /// and with `GRIDJUDGE_EXHAUSTIVE=1` the others too.
    fn programs(&self) -> Vec<(String, &'static str, &'static str)> {
        let mut programs = vec![("right", self.right, "AC")];
        if self.tool != "kotlinc" || is_exhaustive() {
            programs.push(("failing", self.failing, "RE"));
            programs.extend(self.is_compiled.then_some((
                "broken",
                "this is (no program\n",
                "CE",
            )));
        }
        programs
            .into_iter()
            .map(|(name, source, verdict)| {
                (format!("{name}.{}", self.extension), source, verdict)
            })
            .collect()
    }
}

#[test]
fn languages_without_an_example_are_judged_if_their_package_is_installed() {
    let installed: Vec<_> = LANGUAGES
        .iter()
        .filter(|language| language.is_installed())
        .collect();
    let judge = Judge::new();
    judge.edit("problems/mini/problem.toml", "64MiB", "256MiB");
    for (turn, level) in levels() {
        let programs: Vec<_> = turn
            .share(&installed)
            .flat_map(|language| language.programs())
            .collect();
        for (file, source, _) in &programs {
            judge.put(file, source);
        }
        let expected: BTreeMap<_, _> = programs
            .iter()
            .map(|(file, _, verdict)| (file.clone(), (*verdict).to_owned()))
            .collect();
        if expected.is_empty() {
            continue;
        }
        let mut arguments = vec![
            "grade",
            "-p",
            "mini",
            "-q",
            "--sandbox",
            level,
            "--log",
            "log",
        ];
        arguments.extend(programs.iter().map(|(file, ..)| file.as_str()));
        let ran = judge.run(&arguments);
        let log = judge.read("log");
        judge.remove("log");
        let events = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let finished = events.filter(|event| event["event"] == "submission_finished");
        let text = |event: &Value, key: &str| {
            event[key].as_str().unwrap_or_default().to_owned()
        };
        let earned: BTreeMap<_, _> = finished
            .map(|event| (text(&event, "submission"), text(&event, "verdict")))
            .collect();
        assert_eq!(earned, expected, "{level}: {}{}", ran.stdout, ran.stderr);
    }
}
