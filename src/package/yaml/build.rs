//! Builds a tree of nodes from the events of a YAML parser, within bounds. Knows no key and no type.

use std::collections::BTreeMap;
use std::rc::Rc;

use saphyr_parser::Event;
use saphyr_parser::Parser;
use saphyr_parser::ScalarStyle;
use saphyr_parser::ScanError;
use saphyr_parser::Span;
use saphyr_parser::StrInput;

/// The deepest nesting of lists and maps.
const DEEPEST: usize = 100;

/// The most lines, mostly empty ones, between the place where the parser stops and the tab that it stops at.
const LINES_TO_TAB: usize = 20;

/// The most nodes in a file; those that aliases repeat count each time.
const MOST_NODES: usize = 100_000;

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
    /// The number of nodes in it, including itself.
    size: usize,
}

#[derive(Debug)]
pub(super) enum YamlValue {
    /// A scalar, and whether it is written without quotes.
    Scalar(String, bool),
    List(Vec<Rc<YamlNode>>),
    Map(Vec<YamlEntry>),
}

/// A key and its value.
#[derive(Debug)]
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

/// Parses a text into a tree; returns `None` for an empty text.
pub(super) fn tree(text: &str) -> Result<Option<Rc<YamlNode>>, YamlRefusal> {
    let mut builder = TreeBuilder {
        text,
        events: Parser::new_from_str(text),
        anchored: BTreeMap::new(),
        nodes: 0,
        depth: 0,
    };
    let mut root = None;
    loop {
        let (event, span) = builder.next()?;
        match event {
            Event::StreamEnd => return Ok(root),
            Event::DocumentStart(_) if root.is_some() => {
                return Err(refusal(
                    &span,
                    "a second document begins",
                    "keep one, and delete the other `---`",
                ));
            }
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd => {}
            event => root = Some(builder.node(event, &span)?),
        }
    }
}

/// A tree under construction.
struct TreeBuilder<'t> {
    text: &'t str,
    events: Parser<'t, StrInput<'t>>,
    /// The complete nodes with an anchor, which aliases may repeat.
    anchored: BTreeMap<usize, Rc<YamlNode>>,
    nodes: usize,
    depth: usize,
}

impl<'t> TreeBuilder<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), YamlRefusal> {
        match self.events.next_event() {
            Some(event) => event.map_err(|error| syntax(&error, self.text)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// Builds the node that starts with this event.
    fn node(&mut self, event: Event<'t>, span: &Span) -> Result<Rc<YamlNode>, YamlRefusal> {
        let (place, before) = (place(span), self.nodes);
        self.count(1, span)?;
        let (value, anchor) = match event {
            Event::Alias(anchor) => return self.repeated(anchor, span),
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => {
                return Err(refusal(span, "a tag is not allowed here", "write the value without it"));
            }
            Event::Scalar(text, style, anchor, None) => {
                (YamlValue::Scalar(text.into_owned(), style == ScalarStyle::Plain), anchor)
            }
            Event::SequenceStart(anchor, None) => (self.list(span)?, anchor),
            Event::MappingStart(anchor, None) => (self.map(span)?, anchor),
            _ => return Err(refusal(span, "a value is missing", "write one")),
        };
        let node = Rc::new(YamlNode { place, value, size: self.nodes - before });
        if anchor > 0 {
            self.anchored.insert(anchor, Rc::clone(&node));
        }
        Ok(node)
    }

    /// Returns the node that an alias repeats, which must be complete.
    fn repeated(&mut self, anchor: usize, span: &Span) -> Result<Rc<YamlNode>, YamlRefusal> {
        let node = self.anchored.get(&anchor).cloned();
        let node = node
            .ok_or_else(|| refusal(span, "the alias repeats a value that it is part of", "write it out"))?;
        self.count(node.size, span)?;
        Ok(node)
    }

    fn list(&mut self, start: &Span) -> Result<YamlValue, YamlRefusal> {
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

    fn map(&mut self, start: &Span) -> Result<YamlValue, YamlRefusal> {
        self.enter(start)?;
        let mut entries = Vec::new();
        let mut lines = BTreeMap::new();
        loop {
            let (event, span) = self.next()?;
            let key = match event {
                Event::MappingEnd => break,
                Event::Scalar(text, _, _, _) if text != "<<" => text.into_owned(),
                Event::Scalar(..) => return Err(refusal(&span, "`<<` is not read", "write the keys out")),
                _ => return Err(refusal(&span, "the key is not text", "write a word")),
            };
            if let Some(line) = lines.insert(key.clone(), span.start.line()) {
                let message = format!(
                    "the key `{}` appears here and on line {line}",
                    crate::mistake::shortened(&key, 60)
                );
                return Err(refusal(&span, &message, "delete one of the two"));
            }
            let (event, at) = self.next()?;
            entries.push(YamlEntry { key, place: place(&span), value: self.node(event, &at)? });
        }
        self.depth -= 1;
        Ok(YamlValue::Map(entries))
    }

    fn enter(&mut self, span: &Span) -> Result<(), YamlRefusal> {
        self.depth += 1;
        let message = format!("more than {DEEPEST} lists and maps are nested");
        if self.depth > DEEPEST { Err(refusal(span, &message, "write it flat")) } else { Ok(()) }
    }

    fn count(&mut self, nodes: usize, span: &Span) -> Result<(), YamlRefusal> {
        self.nodes += nodes;
        let message = format!("the file comes to more than {MOST_NODES} values");
        if self.nodes > MOST_NODES {
            Err(refusal(span, &message, "write less, and no aliases"))
        } else {
            Ok(())
        }
    }
}

fn place(span: &Span) -> YamlPlace {
    let is_one_line = span.start.line() == span.end.line();
    let length = if is_one_line { span.end.col().saturating_sub(span.start.col()) } else { 0 };
    YamlPlace { line: span.start.line(), column: span.start.col(), length }
}

fn refusal(span: &Span, message: &str, remedy: &'static str) -> YamlRefusal {
    YamlRefusal { place: place(span), message: message.to_owned(), remedy }
}

fn syntax(error: &ScanError, text: &str) -> YamlRefusal {
    // The parser may report a tab at the line before.
    let from = error.marker().line().saturating_sub(1);
    let tab = text.lines().enumerate().skip(from).take(LINES_TO_TAB).find_map(|(number, line)| {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        let column = line[..blanks].find('\t').filter(|_| blanks < line.len())?;
        Some(YamlPlace { line: number + 1, column, length: 1 })
    });
    match tab.filter(|_| error.info().contains("tab")) {
        Some(place) => YamlRefusal {
            place,
            message: "is not YAML: the line is indented with a tab".to_owned(),
            remedy: "indent with spaces",
        },
        None => YamlRefusal {
            place: YamlPlace { line: error.marker().line(), column: error.marker().col(), length: 0 },
            message: format!("is not YAML: {}", error.info()),
            remedy: "correct it; a text with `: ` or ` #` in it needs quotes",
        },
    }
}
