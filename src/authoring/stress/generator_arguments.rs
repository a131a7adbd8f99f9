//! The arguments of a generator for each input: words in which `{seed}` is replaced by a number
//! that differs for each input, and `{size}` by one that grows.

/// How many inputs have the same size.
const INPUTS_OF_A_SIZE: u64 = 10;

/// The names of the placeholders, without their braces.
pub const PLACEHOLDERS: [&str; 2] = ["seed", "size"];

/// Words with placeholders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratorArguments {
    words: Vec<String>,
    seed: u64,
}

impl GeneratorArguments {
    /// Splits a text into words at white space. If none contains `{seed}`, the seed is appended as
    /// a word, because otherwise all inputs would be the same.
    ///
    /// # Errors
    /// Returns the name of an unknown placeholder.
    pub fn read(text: &str, seed: u64) -> Result<Self, String> {
        let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        if !text.contains("{seed}") {
            words.push("{seed}".to_owned());
        }
        let unknown = placeholders(text).find(|name| !PLACEHOLDERS.contains(name));
        unknown.map_or(Ok(Self { words, seed }), |name| Err(name.to_owned()))
    }

    /// The arguments for an input. Its seed is the first seed plus its number. The size is 1 for
    /// the first ten inputs, 2 for the next ten, and so on, so that the first failing input is
    /// small.
    pub fn of_input(&self, number: u64) -> Vec<String> {
        let seed = self.seed.wrapping_add(number).to_string();
        let size = (1 + number / INPUTS_OF_A_SIZE).to_string();
        self.words
            .iter()
            .map(|word| word.replace("{seed}", &seed).replace("{size}", &size))
            .collect()
    }
}

/// The names between braces.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ_and_sizes_grow() {
        let arguments = GeneratorArguments::read(" n={size}  x --seed={seed} ", 40).unwrap();
        assert_eq!(arguments.of_input(0), ["n=1", "x", "--seed=40"]);
        assert_eq!(arguments.of_input(9), ["n=1", "x", "--seed=49"]);
        assert_eq!(arguments.of_input(10), ["n=2", "x", "--seed=50"]);
        assert_eq!(GeneratorArguments::read("", 7).unwrap().of_input(1), ["8"]);
        assert_eq!(
            GeneratorArguments::read("10 {size}", 7)
                .unwrap()
                .of_input(1),
            ["10", "1", "8"]
        );
    }

    #[test]
    fn an_unknown_placeholder_is_named() {
        assert_eq!(GeneratorArguments::read("{sed}", 1).unwrap_err(), "sed");
        assert_eq!(GeneratorArguments::read("{seed} {}", 1).unwrap_err(), "");
        assert!(GeneratorArguments::read("{ seed", 1).is_ok());
    }
}
