// Puts a string where a number belongs: CE.
fn main() {
    let cases: u32 = "three";
    println!("Case #{cases}:");
}
