//! Builds a tree of nodes from the events of a YAML parser, within bounds. Knows no key and no
//! type.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

/// The deepest nesting of lists and maps.
const DEEPEST: usize = 100;

/// The most lines, mostly empty ones, between the place where the parser stops and the tab that it
/// stops at.
const LINES_TO_TAB: usize = 20;

/// The most nodes in a file; those that aliases repeat count each time.
const MOST_NODES: usize = 100_000;

/// The most bytes of texts and keys in a file; those that aliases repeat count each time, since
/// whoever reads a value copies it. Four times the largest file.
const MOST_BYTES: usize = 4 << 20;

/// The most bytes that are parsed again because a value is glued to its key.
const MOST_PARSED_AGAIN: usize = 16 << 20;

/// The complaint of the parser about a list or map that is glued to its key, as in `{a:[1]}`. It
/// stops at the colon.
const GLUED: &str = "':' may not precede any of `[{`";

/// The key that merges the keys of other maps into a map.
const MERGE: &str = "<<";

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct YamlPlace {
    /// The line, from 1.
    pub(super) line: usize,
    /// The characters before it on its line.
    pub(super) column: usize,
    /// The characters of it on that line; 0 if it spans several lines.
    pub(super) length: usize,
}

impl YamlPlace {
    /// Its line, from 1.
    pub(crate) fn line(self) -> u64 {
        self.line.max(1) as u64
    }
}

/// A value and its place.
#[derive(Debug)]
pub(crate) struct YamlNode {
    pub(super) place: YamlPlace,
    pub(super) value: YamlValue,
    /// What is in it, including itself.
    size: YamlSize,
}

/// The size of a part of a file, with everything that aliases repeat.
#[derive(Clone, Copy, Debug, Default)]
struct YamlSize {
    nodes: usize,
    /// Bytes of texts and keys.
    bytes: usize,
}

#[derive(Debug)]
pub(super) enum YamlValue {
    /// A scalar, and whether it is written without quotes.
    Scalar(String, bool),
    List(Vec<Rc<YamlNode>>),
    Map(Vec<YamlEntry>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct YamlEntry {
    pub(super) key: String,
    pub(super) place: YamlPlace,
    pub(super) value: Rc<YamlNode>,
}

/// The reason why a text is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct YamlRefusal {
    pub(super) place: YamlPlace,
    pub(super) message: String,
    pub(super) remedy: &'static str,
}

/// A key that a map has twice.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RepeatedKey {
    pub(super) key: String,
    /// The place of the one that counts.
    pub(super) place: YamlPlace,
    /// The line of the one before.
    pub(super) line_before: usize,
}

/// A parsed file.
#[derive(Debug, Default)]
pub(super) struct YamlTree {
    /// Its value; `None` if the file is empty.
    pub(super) root: Option<Rc<YamlNode>>,
    /// Keys that a map has twice. The last counts, as in PyYAML.
    pub(super) repeated: Vec<RepeatedKey>,
}

/// Parses a text into a tree. A list or map in brackets may be glued to its key, as in PyYAML.
pub(super) fn tree(text: &str) -> Result<YamlTree, YamlRefusal> {
    let mut separated = String::new();
    let mut parsed_again = 0;
    loop {
        let text = if separated.is_empty() {
            text
        } else {
            &separated
        };
        let error = match tree_of(text) {
            Ok(tree) => return Ok(tree),
            Err(TreeError::Refused(refusal)) => return Err(refusal),
            Err(TreeError::Syntax(error)) => error,
        };
        parsed_again += text.len();
        let glued = glued_value(&error, text).filter(|_| parsed_again <= MOST_PARSED_AGAIN);
        let Some(place) = glued else {
            return Err(syntax(&error, text));
        };
        separated = format!("{} {}", &text[..place], &text[place..]);
    }
}

/// The byte in a text at which a value begins that is glued to its key, if that is what the parser
/// complains about.
fn glued_value(error: &ScanError, text: &str) -> Option<usize> {
    let place = text.char_indices().nth(error.marker().index())?.0;
    let is_glued = error.info().contains(GLUED) && text[place..].starts_with([':', '[', '{']);
    is_glued.then(|| {
        if text[place..].starts_with(':') {
            place + 1
        } else {
            place
        }
    })
}

/// The reason why no tree is built.
enum TreeError {
    Refused(YamlRefusal),
    Syntax(ScanError),
}

impl From<YamlRefusal> for TreeError {
    fn from(refusal: YamlRefusal) -> Self {
        Self::Refused(refusal)
    }
}

fn tree_of(text: &str) -> Result<YamlTree, TreeError> {
    let mut builder = TreeBuilder {
        events: Parser::new_from_str(text),
        anchored: BTreeMap::new(),
        repeated: Vec::new(),
        size: YamlSize::default(),
        depth: 0,
    };
    let mut root = None;
    loop {
        let (event, span) = builder.next()?;
        match event {
            Event::StreamEnd => {
                return Ok(YamlTree {
                    root,
                    repeated: builder.repeated,
                });
            }
            Event::DocumentStart(_) if root.is_some() => {
                let remedy = "keep one, and delete the other `---`";
                return Err(refusal(&span, "a second document begins", remedy).into());
            }
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd => {}
            event => root = Some(builder.node(event, &span)?),
        }
    }
}

/// A tree under construction.
struct TreeBuilder<'t> {
    events: Parser<'t, StrInput<'t>>,
    /// The complete nodes with an anchor, which aliases may repeat.
    anchored: BTreeMap<usize, Rc<YamlNode>>,
    repeated: Vec<RepeatedKey>,
    /// What the file has come to so far.
    size: YamlSize,
    depth: usize,
}

impl<'t> TreeBuilder<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), TreeError> {
        match self.events.next_event() {
            Some(event) => event.map_err(TreeError::Syntax),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// Builds the node that starts with this event.
    fn node(&mut self, event: Event<'t>, span: &Span) -> Result<Rc<YamlNode>, TreeError> {
        let place = place(span);
        let before = self.size;
        let bytes = if let Event::Scalar(text, ..) = &event {
            text.len()
        } else {
            0
        };
        self.count(YamlSize { nodes: 1, bytes }, span)?;
        let (value, anchor) = match event {
            Event::Alias(anchor) => return self.repeated(anchor, span),
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain =
                    tag.map_or(Ok(style == ScalarStyle::Plain), |tag| is_plain(&tag, span))?;
                (YamlValue::Scalar(text.into_owned(), is_plain), anchor)
            }
            Event::SequenceStart(_, Some(tag)) if !is_core(&tag, "seq") => {
                return Err(unknown_tag(span));
            }
            Event::MappingStart(_, Some(tag)) if !is_core(&tag, "map") => {
                return Err(unknown_tag(span));
            }
            Event::SequenceStart(anchor, _) => (self.list(span)?, anchor),
            Event::MappingStart(anchor, _) => (self.map(span)?, anchor),
            _ => return Err(refusal(span, "a value is missing", "write one").into()),
        };
        let nodes = self.size.nodes - before.nodes;
        let bytes = self.size.bytes - before.bytes;
        let node = Rc::new(YamlNode {
            place,
            value,
            size: YamlSize { nodes, bytes },
        });
        if anchor > 0 {
            self.anchored.insert(anchor, Rc::clone(&node));
        }
        Ok(node)
    }

    /// Returns the node that an alias repeats, which must be complete.
    fn repeated(&mut self, anchor: usize, span: &Span) -> Result<Rc<YamlNode>, TreeError> {
        let node = self.anchored.get(&anchor).cloned();
        let node = node.ok_or_else(|| {
            refusal(
                span,
                "the alias repeats a value that it is part of",
                "write it out",
            )
        })?;
        self.count(node.size, span)?;
        Ok(node)
    }

    fn list(&mut self, start: &Span) -> Result<YamlValue, TreeError> {
        self.enter(start)?;
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => break,
                (event, span) => items.push(self.node(event, &span)?),
            }
        }
        self.depth -= 1;
        Ok(YamlValue::List(items))
    }

    fn map(&mut self, start: &Span) -> Result<YamlValue, TreeError> {
        self.enter(start)?;
        let mut map = MapBuilder::default();
        let mut merged = Vec::new();
        loop {
            let (event, span) = self.next()?;
            let (key, style) = match event {
                Event::MappingEnd => break,
                Event::Scalar(text, style, _, _) => (text.into_owned(), style),
                _ => return Err(refusal(&span, "the key is not text", "write a word").into()),
            };
            self.count(
                YamlSize {
                    nodes: 0,
                    bytes: key.len(),
                },
                &span,
            )?;
            let (event, at) = self.next()?;
            let value = self.node(event, &at)?;
            if key == MERGE && style == ScalarStyle::Plain {
                merged.push((value, at));
                continue;
            }
            let entry = YamlEntry {
                key,
                place: place(&span),
                value,
            };
            if let Some(before) = map.insert(entry.clone()) {
                let line_before = before.line;
                self.repeated.push(RepeatedKey {
                    key: entry.key,
                    place: entry.place,
                    line_before,
                });
            }
        }
        for (value, at) in merged.iter().rev() {
            self.merge(&mut map, value, at)?;
        }
        self.depth -= 1;
        Ok(YamlValue::Map(map.entries))
    }

    /// Adds the keys of a map, or of the maps in a list, that are not there yet.
    fn merge(
        &mut self,
        into: &mut MapBuilder,
        value: &YamlNode,
        at: &Span,
    ) -> Result<(), TreeError> {
        let entries = match &value.value {
            YamlValue::Map(entries) => entries,
            YamlValue::List(maps)
                if maps
                    .iter()
                    .all(|map| matches!(map.value, YamlValue::Map(_))) =>
            {
                // Of these, the first counts.
                return maps.iter().try_for_each(|map| self.merge(into, map, at));
            }
            _ => {
                return Err(refusal(
                    at,
                    "`<<` must name a map",
                    "write an alias of one, as `*name`",
                )
                .into());
            }
        };
        for entry in entries {
            self.count(
                YamlSize {
                    nodes: 1,
                    bytes: entry.key.len(),
                },
                at,
            )?;
            if !into.has(&entry.key) {
                self.count(entry.value.size, at)?;
                into.insert(entry.clone());
            }
        }
        Ok(())
    }

    fn enter(&mut self, span: &Span) -> Result<(), TreeError> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let message = format!("more than {DEEPEST} lists and maps are nested");
        Err(refusal(span, &message, "write it flat").into())
    }

    fn count(&mut self, more: YamlSize, span: &Span) -> Result<(), TreeError> {
        self.size.nodes += more.nodes;
        self.size.bytes += more.bytes;
        let message = match self.size {
            YamlSize { nodes, .. } if nodes > MOST_NODES => {
                format!("the file comes to more than {MOST_NODES} values")
            }
            YamlSize { bytes, .. } if bytes > MOST_BYTES => {
                format!(
                    "the file comes to more than {} MiB, with what aliases repeat",
                    MOST_BYTES >> 20
                )
            }
            _ => return Ok(()),
        };
        Err(refusal(span, &message, "write less, and no aliases").into())
    }
}

/// A map under construction.
#[derive(Default)]
struct MapBuilder {
    entries: Vec<YamlEntry>,
    /// The index of each key among the entries.
    places: HashMap<String, usize>,
}

impl MapBuilder {
    fn has(&self, key: &str) -> bool {
        self.places.contains_key(key)
    }

    /// Adds an entry. If the key is there already, replaces its entry, and returns the place of
    /// that.
    fn insert(&mut self, entry: YamlEntry) -> Option<YamlPlace> {
        match self.places.get(&entry.key) {
            Some(place) => Some(std::mem::replace(&mut self.entries[*place], entry).place),
            None => {
                self.places.insert(entry.key.clone(), self.entries.len());
                self.entries.push(entry);
                None
            }
        }
    }
}

/// Whether a tag is one of YAML's own, with this name.
fn is_core(tag: &Tag, name: &str) -> bool {
    tag.is_yaml_core_schema() && tag.suffix == name
}

/// Whether a scalar with this tag is read like one without quotes.
fn is_plain(tag: &Tag, span: &Span) -> Result<bool, TreeError> {
    let is_one_of = |names: &[&str]| names.iter().any(|name| is_core(tag, name));
    match tag {
        _ if is_one_of(&["str"]) => Ok(false),
        _ if is_one_of(&["int", "float", "bool", "null"]) => Ok(true),
        _ => Err(unknown_tag(span)),
    }
}

fn unknown_tag(span: &Span) -> TreeError {
    refusal(
        span,
        "a tag is not allowed here",
        "write the value without it",
    )
    .into()
}

fn place(span: &Span) -> YamlPlace {
    let is_one_line = span.start.line() == span.end.line();
    let length = if is_one_line {
        span.end.col().saturating_sub(span.start.col())
    } else {
        0
    };
    YamlPlace {
        line: span.start.line(),
        column: span.start.col(),
        length,
    }
}

fn refusal(span: &Span, message: &str, remedy: &'static str) -> YamlRefusal {
    YamlRefusal {
        place: place(span),
        message: message.to_owned(),
        remedy,
    }
}

fn syntax(error: &ScanError, text: &str) -> YamlRefusal {
    // The parser may report a tab at the line before.
    let from = error.marker().line().saturating_sub(1);
    let tab = text
        .lines()
        .enumerate()
        .skip(from)
        .take(LINES_TO_TAB)
        .find_map(|(number, line)| {
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            let column = line[..blanks].find('\t').filter(|_| blanks < line.len())?;
            Some(YamlPlace {
                line: number + 1,
                column,
                length: 1,
            })
        });
    match tab.filter(|_| error.info().contains("tab")) {
        Some(place) => YamlRefusal {
            place,
            message: "is not YAML: the line is indented with a tab".to_owned(),
            remedy: "indent with spaces",
        },
        None => YamlRefusal {
            place: YamlPlace {
                line: error.marker().line(),
                column: error.marker().col(),
                length: 0,
            },
            message: format!("is not YAML: {}", error.info()),
            remedy: "correct it; a text with `: ` or ` #` in it needs quotes",
        },
    }
}
