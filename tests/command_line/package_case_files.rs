//! Files of cases that programs cannot read as they are meant, in packages and in
//! problems of texts.

use crate::judge::Judge;

#[test]
fn files_of_cases_that_programs_cannot_read_are_named_by_what_they_are() {
    let judge = Judge::new();
    judge.put(
        "pkg/problem.yaml",
        "name: Twice\nlimits: {time_limit: 10}\n",
    );
    judge
        .put("pkg/data/sample/1.in", "1\n")
        .put("pkg/data/sample/1.ans", "2\n");
    let wide: Vec<u8> = "10\n".bytes().flat_map(|byte| [byte, 0]).collect();
    for (name, answer) in [
        ("3", [b"\xff\xfe", &wide[..]].concat()),
        ("4", b"\xef\xbb\xbf8\n".to_vec()),
        ("5", b"8\n\x1a".to_vec()),
        ("6", vec![]),
        ("7", b" \n\n".to_vec()),
        ("8", b"caf\xe9\n".to_vec()),
    ] {
        judge.put(format!("pkg/data/secret/{name}.in"), format!("{name}\n"));
        std::fs::write(judge.path(format!("pkg/data/secret/{name}.ans")), answer)
            .unwrap();
    }
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    for line in [
        "error    1 file of cases is UTF-16 text, which programs cannot read: ./pkg/data/secret/3.ans",
        "error    1 file of cases begins with a byte order mark: ./pkg/data/secret/4.ans",
        "error    1 file of cases ends with Ctrl-Z (byte 0x1A): ./pkg/data/secret/5.ans",
        "warning  1 file of cases is empty: ./pkg/data/secret/6.ans",
        "warning  1 file of cases is blank: ./pkg/data/secret/7.ans",
        "warning  1 file of cases is not UTF-8 text: ./pkg/data/secret/8.ans",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
}

#[test]
fn an_answer_of_a_problem_of_texts_that_begins_with_a_byte_order_mark_is_an_error() {
    let judge = Judge::new();
    judge.put(
        "problems/twice/problem.toml",
        "name = \"Twice\"\n[task]\nkind = \"tokens\"\n",
    );
    judge
        .put("cases/twice/sample/1.in", "1\n")
        .put("cases/twice/sample/1.ans", "\u{feff}2\n");
    let ran = judge.run(&["verify", "twice"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let line = "error    1 file of cases begins with a byte order mark: cases/twice/sample/1.ans";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}
