//! Draws what a program has written to a terminal as an SVG picture, from standard input to standard
//! output. `docs/pictures/make` uses it.

use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let text = text.replace('\r', "");
    let terminal = anstyle_svg::Term::new().palette(anstyle_svg::WIN10_CONSOLE);
    print!("{}", terminal.render_svg(&text));
    Ok(())
}
