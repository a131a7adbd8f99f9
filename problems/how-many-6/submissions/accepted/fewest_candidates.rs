// Counts from the cell with the fewest candidates and stops beyond a thousand: AC.
use std::io::Read;

fn are_peers(a: usize, b: usize) -> bool {
    let same_box = a / 12 == b / 12 && a % 6 / 3 == b % 6 / 3;
    a != b && (a / 6 == b / 6 || a % 6 == b % 6 || same_box)
}

fn candidates(grid: &[u8], peers: &[Vec<usize>], cell: usize) -> Vec<u8> {
    (1..=6).filter(|&value| peers[cell].iter().all(|&peer| grid[peer] != value)).collect()
}

fn count(grid: &mut [u8], peers: &[Vec<usize>], most: usize) -> usize {
    let open = (0..36).filter(|&cell| grid[cell] == 0).map(|cell| (candidates(grid, peers, cell), cell));
    let Some((values, cell)) = open.min_by_key(|(values, _)| values.len()) else { return 1 };
    let mut sum = 0;
    for value in values {
        if sum >= most {
            break;
        }
        grid[cell] = value;
        sum += count(grid, peers, most - sum);
    }
    grid[cell] = 0;
    sum
}

fn main() {
    let peers: Vec<Vec<usize>> = (0..36).map(|a| (0..36).filter(|&b| are_peers(a, b)).collect()).collect();
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    for line in text.split_whitespace().skip(1) {
        let mut grid: Vec<u8> = line.bytes().map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' }).collect();
        let clash = |cell: usize| grid[cell] > 0 && peers[cell].iter().any(|&peer| grid[peer] == grid[cell]);
        let solutions = if (0..36).any(clash) { 0 } else { count(&mut grid, &peers, 1001) };
        match solutions {
            0..=1000 => println!("{solutions}"),
            _ => println!("more than 1000"),
        }
    }
}
