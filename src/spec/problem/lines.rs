//! Lines that a spec writes out: texts, templates, banners.

use crate::grid::Banner;
use crate::grid::BannerPlace;
use crate::grid::Template;
use crate::spec::table::Placed;
use crate::spec::table::Table;

/// Bytes of a banner. It is read together with its grid, through a window of bounded size.
const LONGEST_BANNER: usize = 1000;

/// The largest number that the first banner may have.
const LARGEST_FIRST: u64 = 1_000_000;

/// Where banners may stand in a text.
pub(super) struct Banners(&'static [(&'static str, BannerPlace)]);

impl Banners {
    pub(super) const OF_INPUTS: Self = Self(&[("own", BannerPlace::Own), ("same", BannerPlace::Same)]);
    pub(super) const OF_OUTPUTS: Self =
        Self(&[("own", BannerPlace::Own), ("same", BannerPlace::Same), ("texts", BannerPlace::BeforeWords)]);
}

/// Reads what is said of banners.
pub(super) fn banner(table: &Table<'_>, banners: &Banners) -> Option<Banner> {
    let found = table.string("banner");
    let place = table.choice("banner_line", banners.0);
    let first = table.number("banner_from", 0, LARGEST_FIRST);
    let Some(found) = found else {
        for key in ["banner_line", "banner_from"].into_iter().filter(|_| !table.has("banner")) {
            if let Some(at) = table.place(key) {
                let message = format!("`{key}` has no meaning without `banner`");
                table.note(&at, message, Some("add `banner`, or delete it"));
            }
        }
        return None;
    };
    let template = template(table, "banner", "n", &found)?;
    if let Some(first) = first.as_ref().filter(|_| template.digits.is_none()) {
        let remedy = Some("write `{n}` where the number stands, or delete it");
        table.note(&first.span, "`banner_from` has no meaning: `banner` does not hold `{n}`", remedy);
    }
    let place = place.map_or(BannerPlace::Own, |found| found.value);
    let banner = Banner { template, first: first.map_or(1, |found| found.value), place };
    if banner.runs_into_what_follows() {
        let remedy = Some("end `banner` in a space, or in whatever parts the two");
        table.note(&found.span, "`banner` runs into what stands behind it on its line", remedy);
    }
    Some(banner)
}

/// A text that must be one line.
pub(super) fn line(table: &Table<'_>, key: &str, found: &Placed<String>) -> Option<String> {
    let text = found.value.trim();
    if text.is_empty() || text != found.value || text.contains(['\n', '\r']) || text.len() > LONGEST_BANNER {
        let message = format!("`{key}` must be one line that neither begins nor ends with a space");
        table.note(&found.span, message, None);
        return None;
    }
    Some(text.to_owned())
}

/// A line by template, in which `{name}` stands for a number.
pub(super) fn template(
    table: &Table<'_>,
    key: &str,
    name: &'static str,
    found: &Placed<String>,
) -> Option<Template> {
    let bytes = found.value.len();
    if bytes > LONGEST_BANNER {
        let message = format!("`{key}` has {bytes} bytes, {LONGEST_BANNER} at most are allowed");
        table.note(&found.span, message, Some("write a shorter one"));
        return None;
    }
    let remedy = match found.value.trim().is_empty() {
        true => "leave it out if there is none".to_owned(),
        false => {
            format!("write `{{{name}}}` for a number, or `{{{name}:02}}` for one of two digits at least")
        }
    };
    let template = Template::parse(&found.value, name);
    template.map_err(|why| table.note(&found.span, format!("`{key}` {why}"), Some(&remedy))).ok()
}
