//! One program for each language that needs no configuration. Each is right on every
//! case of the problem `mini` if the limits leave room for its runtime.

/// The name of a language, the file of a right program, and its source.
pub(crate) const RIGHT_PROGRAMS: [(&str, &str, &str); 7] = [
    (
        "C",
        "right.c",
        "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); while (n--) puts(\"1234\\n3412\\n2143\\n4321\"); }\n",
    ),
    (
        "C++",
        "right.cpp",
        "#include <cstdio>\nint main() { int n; std::scanf(\"%d\", &n); while (n--) std::puts(\"1234\\n3412\\n2143\\n4321\"); }\n",
    ),
    (
        "Rust",
        "right.rs",
        r#"fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    print!("{}", "1234\n3412\n2143\n4321\n".repeat(line.trim().parse().unwrap()));
}
"#,
    ),
    (
        "Python",
        "right.py",
        "for _ in range(int(input())):\n    print('1234\\n3412\\n2143\\n4321')\n",
    ),
    (
        "JavaScript",
        "right.js",
        "const n = parseInt(require('fs').readFileSync(0));\nconsole.log('1234\\n3412\\n2143\\n4321\\n'.repeat(n).trim());\n",
    ),
    (
        "Java",
        "right.java",
        r#"class Main {
    public static void main(String[] words) {
        int n = new java.util.Scanner(System.in).nextInt();
        System.out.print("1234\n3412\n2143\n4321\n".repeat(n));
    }
}
"#,
    ),
    (
        "Go",
        "right.go",
        r#"package main

import "fmt"

func main() {
	var n int
	for fmt.Scan(&n); n > 0; n-- {
		fmt.Print("1234\n3412\n2143\n4321\n")
	}
}
"#,
    ),
];
