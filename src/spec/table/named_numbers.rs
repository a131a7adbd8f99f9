//! Tables of whole numbers whose keys the user chose, as `[points]`.

use crate::spec::table::Placed;
use crate::spec::table::Table;
use crate::spec::table::integer;

impl<'d> Table<'d> {
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All whole numbers inside this table, none over a bound, by their keys.
    pub(crate) fn numbers_by_name(&self, most: u64) -> Vec<(&'d str, Placed<u64>)> {
        let mut numbers = Vec::new();
        for (key, value) in self.entries {
            let name: &'d str = key.get_ref();
            self.chosen.borrow_mut().push(name);
            let Some(found) = self.typed(key, value, "a whole number", integer) else { continue };
            match u64::try_from(found.value).ok().filter(|number| *number <= most) {
                Some(value) => numbers.push((name, Placed { value, span: found.span })),
                None => {
                    let message = format!("`{name} = {}` must be 0 to {most}", found.value);
                    self.note(&found.span, message, None);
                }
            }
        }
        numbers
    }
}
