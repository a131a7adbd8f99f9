//! Decodes and checks the names of entries and the targets of links. Knows no archive.

use std::borrow::Cow;

/// The longest part of a name between slashes, in bytes.
const LONGEST_NAME: usize = 255;
/// The longest name, in bytes. The kernel accepts 4096, which include the folder that is unpacked
/// into.
const LONGEST_PATH: usize = 3072;

/// The characters of the bytes from 128 on in code page 437.
const CODE_PAGE_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
                             └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// Returns the text of a name. Without the flag for UTF-8 it is in code page 437 by the
/// specification of zip; many programs write UTF-8 all the same.
pub(super) fn decoded(bytes: &[u8], has_utf8_flag: bool) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(name) => name.into(),
        Err(_) if has_utf8_flag => String::from_utf8_lossy(bytes),
        Err(_) => bytes
            .iter()
            .map(|byte| match byte {
                0..128 => char::from(*byte),
                _ => CODE_PAGE_437
                    .chars()
                    .nth(usize::from(*byte) - 128)
                    .unwrap_or('?'),
            })
            .collect(),
    }
}

/// Returns the name of an entry, without the slash at the end of a folder.
///
/// # Errors
/// Returns the reason why it is refused, to be printed after the name.
pub(super) fn checked(name: &str) -> Result<&str, &'static str> {
    if name.contains(char::REPLACEMENT_CHARACTER) {
        return Err("has a name that is not UTF-8");
    }
    let name = name.strip_suffix('/').unwrap_or(name);
    if name.is_empty() {
        return Err("has an empty name");
    }
    if name.chars().any(char::is_control) {
        return Err("has a line break or a control character in its name");
    }
    if name.contains('\\') {
        return Err("has a backslash in its name");
    }
    if name.starts_with('/') || has_drive(name) {
        return Err("has an absolute name");
    }
    if name.split('/').any(|part| part == "..") {
        return Err("leads out of the archive by `..`");
    }
    if name.split('/').any(|part| part.is_empty() || part == ".") {
        return Err("has an empty part or `.` in its name");
    }
    if name.len() > LONGEST_PATH || name.split('/').any(|part| part.len() > LONGEST_NAME) {
        return Err("has a name that is too long");
    }
    Ok(name)
}

/// Whether a name begins with a drive, as `C:`.
fn has_drive(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

/// Returns the place that a link leads to, relative to the root.
///
/// # Errors
/// Returns the reason why it is refused: it leads out of the archive, or through a folder that
/// `is_link`, after which `..` would lead elsewhere than the text suggests.
pub(super) fn resolved(
    link: &str,
    target: &str,
    is_link: impl Fn(&str) -> bool,
) -> Result<String, &'static str> {
    const OUT: &str = "is a link that leads out of the archive";
    if target.is_empty()
        || target.starts_with('/')
        || target.contains(['\\', '\0'])
        || has_drive(target)
    {
        return Err(OUT);
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            _ if is_link(&parts.join("/")) => {
                return Err("is a link that leads through another link");
            }
            ".." => drop(parts.pop().ok_or(OUT)?),
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}
