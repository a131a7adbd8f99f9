// Takes a dot for a digit: RE, it panics and ends with exit code 101.
use std::io::Read;

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    for line in input.lines() {
        let row: Vec<u32> = line.chars().map(|symbol| symbol.to_digit(10).unwrap()).collect();
        println!("{row:?}");
    }
}
