// Candidate masks with naked and hidden singles, guessing in the smallest cell: AC.
use std::io::Read;

type Masks = [u16; 81];

fn unit(u: usize) -> [usize; 9] {
    std::array::from_fn(|k| match u / 9 {
        0 => u * 9 + k,
        1 => k * 9 + u - 9,
        _ => ((u - 18) / 3 * 3 + k / 3) * 9 + (u - 18) % 3 * 3 + k % 3,
    })
}

fn units_of(cell: usize) -> [usize; 3] {
    [cell / 9, 9 + cell % 9, 18 + cell / 27 * 3 + cell % 9 / 3]
}

struct Solver {
    units: [[usize; 9]; 27],
}

impl Solver {
    /// Fixes one cell and clears its peers; false as soon as a cell is left without candidates.
    fn place(&self, masks: &mut Masks, cell: usize, bit: u16) -> bool {
        masks[cell] = bit;
        for peer in units_of(cell).into_iter().flat_map(|u| self.units[u]) {
            if peer == cell || masks[peer] & bit == 0 {
                continue;
            }
            masks[peer] ^= bit;
            match masks[peer].count_ones() {
                0 => return false,
                1 if !self.place(masks, peer, masks[peer]) => return false,
                _ => {}
            }
        }
        true
    }

    /// Places each digit that has one place left in a unit, until there is none; false on a
    /// contradiction.
    fn hidden_singles(&self, masks: &mut Masks) -> bool {
        loop {
            let mut changed = false;
            for unit in &self.units {
                for digit in 0..9 {
                    let bit = 1 << digit;
                    let mut places = unit.iter().filter(|&&cell| masks[cell] & bit != 0);
                    match (places.next(), places.next()) {
                        (None, _) => return false,
                        (Some(&cell), None) if masks[cell] != bit => {
                            changed = true;
                            if !self.place(masks, cell, bit) {
                                return false;
                            }
                        }
                        _ => {}
                    }
                }
            }
            if !changed {
                return true;
            }
        }
    }

    fn solve(&self, mut masks: Masks) -> Option<Masks> {
        if !self.hidden_singles(&mut masks) {
            return None;
        }
        let open = (0..81).filter(|&cell| masks[cell].count_ones() > 1);
        let Some(cell) = open.min_by_key(|&cell| masks[cell].count_ones()) else {
            return Some(masks);
        };
        (0..9).map(|digit| 1 << digit).filter(|bit| masks[cell] & bit != 0).find_map(|bit| {
            let mut trial = masks;
            self.place(&mut trial, cell, bit).then(|| self.solve(trial)).flatten()
        })
    }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let solver = Solver { units: std::array::from_fn(unit) };
    let mut masks = [0x1ff; 81];
    for (cell, symbol) in input.bytes().filter(|b| !b.is_ascii_whitespace()).enumerate() {
        if symbol != b'.' {
            solver.place(&mut masks, cell, 1 << (symbol - b'1'));
        }
    }
    let answer = solver.solve(masks).expect("the puzzle has a solution");
    for row in answer.chunks(9) {
        let line: String = row.iter().map(|mask| (mask.trailing_zeros() + 1).to_string()).collect();
        println!("{line}");
    }
}
