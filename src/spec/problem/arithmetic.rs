//! Reads the arithmetic of `[grid]`: cages and inequalities. `cages` and `inequalities` parse the
//! keys.

use crate::keys::{FilePlace, FoundValue, KeyTable};
use crate::spec::problem::cages::CageKeys;
use crate::spec::problem::inequalities;
use gridjudge_grid::{Arithmetic, Shape};

/// The keys of `[grid]` for arithmetic, before the order of the grids is known.
pub(super) struct ArithmeticKeys<'d> {
    cages: CageKeys<'d>,
    inequalities: Option<Vec<FoundValue<String>>>,
}

impl<'d> ArithmeticKeys<'d> {
    pub(super) fn read(table: &KeyTable<'d>) -> Self {
        Self {
            cages: CageKeys::read(table),
            inequalities: table.placed_list("inequalities"),
        }
    }

    /// The cages and inequalities that are valid, for grids of the given orders. There must be only
    /// one order.
    pub(super) fn demands(
        &self,
        table: &KeyTable<'_>,
        orders: &FoundValue<Vec<u64>>,
    ) -> Arithmetic {
        let [order] = orders.value[..] else {
            let keys = [
                ("cages", self.cages.are_there()),
                ("inequalities", self.inequalities.is_some()),
            ];
            for (key, _) in keys.into_iter().filter(|(_, is_there)| *is_there) {
                let remedy = "it names cells of one order; give one";
                table.note(
                    orders.place,
                    format!("`{key}` has no meaning for several orders"),
                    remedy,
                );
            }
            return Arithmetic::default();
        };
        let order = order as usize;
        let cages = self.cages.of_order(table, order);
        let listed = self.inequalities.as_deref().unwrap_or_default();
        Arithmetic {
            cages,
            inequalities: inequalities::read(table, order, listed),
        }
    }

    /// Notes symbols that are not the numbers from 1 on, if there are cages or it is a magic
    /// square.
    pub(super) fn agree_with(
        &self,
        table: &KeyTable<'_>,
        symbols: &[String],
        at: FilePlace,
        is_magic: bool,
    ) {
        if (self.cages.are_there() || is_magic)
            && !symbols
                .iter()
                .zip(1..)
                .all(|(symbol, value)| match symbol.len() {
                    1 => {
                        symbol.chars().next().and_then(|letter| letter.to_digit(36)) == Some(value)
                    }
                    _ => symbol.parse() == Ok(value),
                })
        {
            let remedy =
                "write the symbols as \"1-9\" or \"1-9A-G\", where A is 10, or \"numbers\"";
            let key = if is_magic {
                "`magic` needs"
            } else {
                "`cages` need"
            };
            table.note(
                at,
                format!("{key} the numbers from 1 on as symbols"),
                remedy,
            );
        }
    }

    /// Notes houses that cannot have the sum of the cages inside them.
    pub(super) fn agree_with_houses(&self, table: &KeyTable<'_>, shape: &Shape) {
        self.cages.agree_with_houses(table, shape);
    }
}
