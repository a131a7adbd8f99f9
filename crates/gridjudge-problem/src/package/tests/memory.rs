//! What a package of many cases takes of the memory.

use super::*;

/// The bytes that a package holds for its cases and files, without those of the
/// allocator.
fn bytes_held(package: &Package) -> usize {
    let of_case = |case: &crate::model::Case| {
        size_of_val(case)
            + case.name.capacity()
            + case.input.capacity()
            + case.answer.capacity()
    };
    // A node of the map may be half empty.
    package.cases.iter().map(of_case).sum::<usize>()
        + package
            .files
            .iter()
            .map(|(name, path)| {
                2 * (size_of_val(name) + size_of_val(path))
                    + name.capacity()
                    + path.capacity()
            })
            .sum::<usize>()
}

#[test]
fn a_package_holds_less_than_a_kilobyte_for_each_case_however_many_there_are() {
    let held = [100, 400].map(|count| {
        let cases = (0..count).flat_map(|case| {
            [".in", ".ans"].map(|ending| {
                format!("data/secret/group1/{case:03}-largest-of-all{ending}")
            })
        });
        let names: Vec<_> = cases.collect();
        let files: Vec<_> = names.iter().map(|name| (&**name, "1\n")).collect();
        let package = read(&with("name: Old\n", &files));
        assert_eq!(package.cases.len(), count + 2);
        bytes_held(&package)
    });
    let each = (held[1] - held[0]) / 300;
    assert!((200..1000).contains(&each), "{each} bytes for each case");
}
