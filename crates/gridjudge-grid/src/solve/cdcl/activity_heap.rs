//! Which variable to decide next: the one that stood in the most recent conflicts. A binary heap with places.

/// Activity above which all are scaled down, or they would overflow.
const LARGEST_ACTIVITY: f64 = 1e100;

/// What a conflict counts, relative to the one before it.
const GROWTH: f64 = 1.0 / 0.92;

/// Variables by activity; equal ones by number, so that the order is the same everywhere.
#[derive(Clone, Debug)]
pub(super) struct ActivityHeap {
    activities: Vec<f64>,
    heap: Vec<u32>,
    /// Where a variable stands in the heap; `NOWHERE` if it does not.
    places: Vec<u32>,
    bump: f64,
}

const NOWHERE: u32 = u32::MAX;

impl ActivityHeap {
    pub(super) fn new(variables: usize) -> Self {
        let heap: Vec<u32> = (0..variables as u32).collect();
        Self { activities: vec![0.0; variables], places: heap.clone(), heap, bump: 1.0 }
    }

    /// The most active variable, taken out.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[top as usize] = NOWHERE;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.sink(0);
        }
        Some(top as usize)
    }

    /// Puts a variable in, unless it stands in.
    pub(super) fn put(&mut self, variable: usize) {
        if self.places[variable] == NOWHERE {
            self.heap.push(variable as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Prefers a variable while there is no conflict to learn from.
    pub(super) fn favour(&mut self, variable: usize, weight: f64) {
        self.activities[variable] += weight;
        if self.places[variable] != NOWHERE {
            self.rise(self.places[variable] as usize);
        }
    }

    /// Says that a variable took part in the conflict at hand.
    pub(super) fn raise(&mut self, variable: usize) {
        self.activities[variable] += self.bump;
        if self.activities[variable] > LARGEST_ACTIVITY {
            self.activities.iter_mut().for_each(|activity| *activity /= LARGEST_ACTIVITY);
            self.bump /= LARGEST_ACTIVITY;
        }
        if self.places[variable] != NOWHERE {
            self.rise(self.places[variable] as usize);
        }
    }

    /// Lets later conflicts count more than earlier ones.
    pub(super) fn age(&mut self) {
        self.bump *= GROWTH;
    }

    fn comes_first(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.activities[one as usize], self.activities[other as usize]);
        a > b || (a == b && one < other)
    }

    fn rise(&mut self, mut place: usize) {
        let variable = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.comes_first(variable, self.heap[parent]) {
                break;
            }
            self.set(place, self.heap[parent]);
            place = parent;
        }
        self.set(place, variable);
    }

    fn sink(&mut self, mut place: usize) {
        let variable = self.heap[place];
        loop {
            let left = 2 * place + 1;
            let Some(&first) = self.heap.get(left) else { break };
            let (child, at) = match self.heap.get(left + 1) {
                Some(&second) if self.comes_first(second, first) => (second, left + 1),
                _ => (first, left),
            };
            if !self.comes_first(child, variable) {
                break;
            }
            self.set(place, child);
            place = at;
        }
        self.set(place, variable);
    }

    fn set(&mut self, place: usize, variable: u32) {
        self.heap[place] = variable;
        self.places[variable as usize] = place as u32;
    }
}
