//! Builds a tree from the events of a YAML parser, within bounds. Values are read as by
//! PyYAML, which most judges use: of a key that is there twice the last counts, `<<`
//! merges maps. Hostile texts are refused while they are parsed: deeply nested ones,
//! expanding aliases, several documents. Knows no key and no type.

use std::collections::BTreeMap;
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, StrInput, Tag};

use crate::keys::{FilePlace, KeyDocument, KeyEntries, KeyEntry, KeyNode, KeyValue};
use crate::mistake::{Mistake, quoted};

use Event::{
    Alias, DocumentEnd, DocumentStart, MappingEnd, MappingStart, Nothing, Scalar,
    SequenceEnd, SequenceStart, StreamEnd, StreamStart,
};

/// The deepest nesting of lists and maps.
const DEEPEST: usize = 100;

/// The most lines, mostly empty ones, between the place where the parser stops and the
/// tab that it stops at.
const LINES_TO_TAB: usize = 20;

/// The most nodes in a file; those that aliases repeat count each time.
const MOST_NODES: usize = 100_000;

/// The most bytes of texts and keys in a file; those that aliases repeat count each
/// time, since whoever reads a value copies it. Four times the largest file.
const MOST_BYTES: usize = 4 << 20;

/// The most bytes that are parsed again because a value is glued to its key.
const MOST_PARSED_AGAIN: usize = 16 << 20;

/// The complaint of the parser about a list or map that is glued to its key, as in
/// `{a:[1]}`. It stops at the colon.
const GLUED: &str = "':' may not precede any of `[{`";

/// The key that merges the keys of other maps into a map.
const MERGE: &str = "<<";

/// Parses the text of a document and notes the mistake in its syntax, or what else is
/// odd. A list or map in brackets may be glued to its key, as in PyYAML.
pub(super) fn parse_yaml(document: &KeyDocument) -> Option<Rc<KeyNode>> {
    let text = &document.text;
    let mut separated = text.clone();
    // The byte of the file at which each character of the separated text is.
    let mut bytes: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
    bytes.push(text.len());
    let mut parsed_again = 0;
    loop {
        let mut builder = TreeBuilder {
            document,
            events: Parser::new_from_str(&separated),
            bytes: &bytes,
            anchored: BTreeMap::new(),
            repeated: vec![],
            nodes: 0,
            bytes_of_texts: 0,
            depth: 0,
        };
        let refusal = match builder.root() {
            Ok(root) => {
                for (place, what) in builder.repeated {
                    document.deviation(place, &what);
                }
                return root;
            }
            Err(TreeError::Refused(refusal)) => refusal,
            Err(TreeError::Syntax(error)) => {
                parsed_again += separated.len();
                let glued = glued_value(&error, &separated);
                if let Some((letter, byte)) = glued
                    && parsed_again <= MOST_PARSED_AGAIN
                {
                    separated.insert(byte, ' ');
                    bytes.insert(letter, bytes[letter]);
                    continue;
                }
                syntax(document, &error, &bytes)
            }
        };
        document.note_mistake(refusal);
        return None;
    }
}

/// The character and the byte in a text at which a value begins that is glued to its
/// key, if that is what the parser complains about.
fn glued_value(error: &ScanError, text: &str) -> Option<(usize, usize)> {
    let letter = error.marker().index();
    let byte = text.char_indices().nth(letter)?.0;
    let is_glued =
        error.info().contains(GLUED) && text[byte..].starts_with([':', '[', '{']);
    let colon = usize::from(text[byte..].starts_with(':'));
    is_glued.then_some((letter + colon, byte + colon))
}

/// The reason why no tree is built.
enum TreeError {
    Refused(Mistake),
    Syntax(ScanError),
}

/// A tree under construction.
struct TreeBuilder<'t> {
    document: &'t KeyDocument,
    events: Parser<'t, StrInput<'t>>,
    /// The byte of the file at which each character is.
    bytes: &'t [usize],
    /// The complete nodes with an anchor, which aliases may repeat.
    anchored: BTreeMap<usize, Rc<KeyNode>>,
    /// The keys that a map has twice, of which the last counts, as in PyYAML: its
    /// place, and what is said of it.
    repeated: Vec<(FilePlace, String)>,
    /// What the file has come to so far.
    nodes: usize,
    bytes_of_texts: usize,
    /// The lists and maps around the current place.
    depth: usize,
}

impl<'t> TreeBuilder<'t> {
    /// Builds the tree of the whole file.
    fn root(&mut self) -> Result<Option<Rc<KeyNode>>, TreeError> {
        let mut root = None;
        loop {
            let (event, place) = self.next()?;
            match event {
                StreamEnd => return Ok(root),
                DocumentStart(_) if root.is_some() => {
                    return self.refuse(
                        place,
                        "a second document begins",
                        "keep one, and delete the other `---`",
                    );
                }
                Nothing | StreamStart | DocumentStart(_) | DocumentEnd => {}
                event => root = Some(self.node(event, place)?),
            }
        }
    }

    /// The next event, and its place.
    fn next(&mut self) -> Result<(Event<'t>, FilePlace), TreeError> {
        let Some(event) = self.events.next_event() else {
            return Ok((StreamEnd, FilePlace::default()));
        };
        let (event, span) = event.map_err(TreeError::Syntax)?;
        let place = FilePlace {
            start: byte(self.bytes, span.start.index()),
            end: byte(self.bytes, span.end.index()),
        };
        Ok((event, place))
    }

    /// Builds the node that starts with this event.
    fn node(
        &mut self,
        event: Event<'t>,
        place: FilePlace,
    ) -> Result<Rc<KeyNode>, TreeError> {
        let length = match &event {
            Scalar(text, ..) => text.len(),
            _ => 0,
        };
        self.count(1, length, place)?;
        let (value, anchor) = match event {
            Alias(anchor) => {
                // The node that it repeats must be complete.
                let Some(node) = self.anchored.get(&anchor).cloned() else {
                    return self.refuse(
                        place,
                        "the alias repeats a value that it is part of",
                        "write it out",
                    );
                };
                self.count_again(&node, self.depth, place)?;
                return Ok(node);
            }
            Scalar(text, style, anchor, tag) => {
                let is_plain = match tag {
                    None => style == ScalarStyle::Plain,
                    Some(tag) if is_core(&tag, &["str"]) => false,
                    Some(tag) if is_core(&tag, &["int", "float", "bool", "null"]) => {
                        true
                    }
                    Some(_) => return self.unknown_tag(place),
                };
                let kind = if is_plain {
                    KeyValue::Plain
                } else {
                    KeyValue::Text
                };
                (kind(text.into_owned()), anchor)
            }
            SequenceStart(_, Some(tag)) if !is_core(&tag, &["seq"]) => {
                return self.unknown_tag(place);
            }
            MappingStart(_, Some(tag)) if !is_core(&tag, &["map"]) => {
                return self.unknown_tag(place);
            }
            SequenceStart(anchor, _) => (self.list(place)?, anchor),
            MappingStart(anchor, _) => (self.map(place)?, anchor),
            _ => return self.refuse(place, "a value is missing", "write one"),
        };
        let node = Rc::new(KeyNode { place, value });
        if anchor > 0 {
            self.anchored.insert(anchor, Rc::clone(&node));
        }
        Ok(node)
    }

    fn list(&mut self, place: FilePlace) -> Result<KeyValue, TreeError> {
        self.enter(place)?;
        let mut items = vec![];
        loop {
            match self.next()? {
                (SequenceEnd, _) => break,
                (event, place) => items.push(self.node(event, place)?),
            }
        }
        self.depth -= 1;
        Ok(KeyValue::List(items))
    }

    fn map(&mut self, place: FilePlace) -> Result<KeyValue, TreeError> {
        self.enter(place)?;
        let mut entries = KeyEntries::new();
        let mut merged = vec![];
        loop {
            let (event, place) = self.next()?;
            let (key, style) = match event {
                MappingEnd => break,
                Scalar(text, style, _, _) => (text.into_owned(), style),
                _ => {
                    return self.refuse(place, "the key is not text", "write a word");
                }
            };
            self.count(0, key.len(), place)?;
            let (event, at) = self.next()?;
            let value = self.node(event, at)?;
            if key == MERGE && style == ScalarStyle::Plain {
                merged.push((value, at));
                continue;
            }
            if let Some(before) =
                entries.insert(key.clone(), KeyEntry { place, value })
            {
                let line = self.document.line(before.place);
                let what = format!(
                    "the key {} is on line {line} already, and the one here counts",
                    quoted(&key)
                );
                self.repeated.push((place, what));
            }
        }
        for (value, at) in merged.into_iter().rev() {
            self.merge(&mut entries, &value, at)?;
        }
        self.depth -= 1;
        Ok(KeyValue::Table(entries))
    }

    /// Adds the keys of a map, or of the maps in a list, that are not there yet.
    fn merge(
        &mut self,
        into: &mut KeyEntries,
        value: &KeyNode,
        at: FilePlace,
    ) -> Result<(), TreeError> {
        let entries = match &value.value {
            KeyValue::Table(entries) => entries,
            // Of these, the first counts.
            KeyValue::List(maps) if maps.iter().all(|map| map.table().is_some()) => {
                return maps.iter().try_for_each(|map| self.merge(into, map, at));
            }
            _ => {
                return self.refuse(
                    at,
                    "`<<` must name a map",
                    "write an alias of one, for example `*name`",
                );
            }
        };
        for (key, entry) in entries {
            self.count(1, key.len(), at)?;
            if !into.contains_key(key) {
                self.count_again(&entry.value, self.depth, at)?;
                into.insert(key.clone(), entry.clone());
            }
        }
        Ok(())
    }

    fn enter(&mut self, place: FilePlace) -> Result<(), TreeError> {
        self.depth += 1;
        self.reach(self.depth, place)
    }

    /// Refuses a place so deep. Whoever reads or drops a value goes down its levels.
    fn reach(&self, depth: usize, place: FilePlace) -> Result<(), TreeError> {
        if depth <= DEEPEST {
            return Ok(());
        }
        self.refuse(
            place,
            &format!("more than {DEEPEST} lists and maps are nested"),
            "write it flat",
        )
    }

    /// Counts a part of the file that is repeated within so many lists and maps. Takes
    /// no longer than it counts.
    fn count_again(
        &mut self,
        node: &KeyNode,
        depth: usize,
        place: FilePlace,
    ) -> Result<(), TreeError> {
        self.count(1, node.text().map_or(0, str::len), place)?;
        if node.list().is_some() || node.table().is_some() {
            self.reach(depth + 1, place)?;
        }
        for item in node.list().unwrap_or_default() {
            self.count_again(item, depth + 1, place)?;
        }
        for (key, entry) in node.table().into_iter().flatten() {
            self.count(0, key.len(), place)?;
            self.count_again(&entry.value, depth + 1, place)?;
        }
        Ok(())
    }

    fn count(
        &mut self,
        nodes: usize,
        bytes: usize,
        place: FilePlace,
    ) -> Result<(), TreeError> {
        self.nodes += nodes;
        self.bytes_of_texts += bytes;
        let message = if self.nodes > MOST_NODES {
            format!("the file comes to more than {MOST_NODES} values")
        } else if self.bytes_of_texts > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            format!(
                "the file comes to more than {most} MiB, with what aliases repeat"
            )
        } else {
            return Ok(());
        };
        self.refuse(place, &message, "write less, and no aliases")
    }

    fn refuse<T>(
        &self,
        place: FilePlace,
        message: &str,
        remedy: &str,
    ) -> Result<T, TreeError> {
        let mistake = self.document.mistake(place, message, remedy);
        Err(TreeError::Refused(mistake))
    }

    fn unknown_tag<T>(&self, place: FilePlace) -> Result<T, TreeError> {
        self.refuse(
            place,
            "a tag is not allowed here",
            "write the value without it",
        )
    }
}

/// The byte at which a character is; that after the last one if there is no such
/// character.
fn byte(bytes: &[usize], letter: usize) -> usize {
    bytes[letter.min(bytes.len() - 1)]
}

/// Whether a tag is one of YAML's own, with one of these names.
fn is_core(tag: &Tag, names: &[&str]) -> bool {
    tag.is_yaml_core_schema() && names.contains(&tag.suffix.as_str())
}

/// Words the complaint of the parser about a text.
fn syntax(document: &KeyDocument, error: &ScanError, bytes: &[usize]) -> Mistake {
    let text = &document.text;
    let is_about_tab = error.info().contains("tab");
    // The parser may report a tab at the line before.
    let from = error.marker().line().saturating_sub(1);
    let mut lines = text.split_inclusive('\n').skip(from).take(LINES_TO_TAB);
    let mut start: usize = text.split_inclusive('\n').take(from).map(str::len).sum();
    while is_about_tab && let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let is_blank = line.trim_end_matches(['\r', '\n']).len() == indent.len();
        if !is_blank && let Some(column) = indent.find('\t') {
            let place = (start + column..start + column + 1).into();
            return document.mistake(
                place,
                "is not YAML: the line is indented with a tab",
                "indent with spaces",
            );
        }
        start += line.len();
    }
    let at = byte(bytes, error.marker().index());
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let remedy = if is_indented_oddly(&text[..end]) {
        "indent it by as many spaces as the keys or items around it"
    } else {
        "correct it; a text with `: ` or ` #` in it needs quotes"
    };
    let message = format!("is not YAML: {}", error.info());
    document.mistake((at..at).into(), message, remedy)
}

/// Whether the last line of a text is indented unlike all lines around it: more than
/// the line before, which opens nothing, or between two of those before.
fn is_indented_oddly(text: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    let own = lines.next().map_or(0, indent);
    let before = lines.clone().next().unwrap_or_default();
    if indent(before) < own {
        let is_open = before.trim_end().ends_with(':');
        return !is_open && !before.trim_start().starts_with("- ");
    }
    let mut around = lines.map(indent).filter(|around| *around <= own);
    around.next().is_some_and(|around| around != own)
}
