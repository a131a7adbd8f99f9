//! What the shipped code weighs: its tokens, lines and files, and the constructs that
//! make lines dense. Counted in tokens and in the syntax tree, so that neither
//! formatting nor comments matter.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprMatch, Ident, ImplItemFn, ItemFn, ItemUse, Lit, Local, Macro,
    Pat, Stmt, TraitItemFn,
};

use crate::sources::Source;

/// A file of fewer lines belongs to its neighbour.
const SMALL_FILE_LINES: usize = 40;

/// Figures of all shipped code: without comments, documentation and tests.
#[derive(Default)]
pub(crate) struct Measures {
    pub(crate) files: usize,
    /// The paths of files with fewer than [`SMALL_FILE_LINES`] lines, comments
    /// included.
    pub(crate) small_files: Vec<String>,
    /// Lines with at least one token.
    pub(crate) code_lines: usize,
    pub(crate) use_lines: usize,
    /// Each bracket counts as one token, as in a lexer.
    pub(crate) tokens: usize,
    /// `let (a, b) = (c, d)`, as `cli/screen.rs:12`.
    pub(crate) tuple_lets: Vec<String>,
    /// `match` on `true` and `false`.
    pub(crate) bool_matches: Vec<String>,
    /// Closures that are bound to a name and used once.
    pub(crate) closures_used_once: Vec<String>,
    /// The lines of each function with a body, ascending.
    pub(crate) function_lines: Vec<usize>,
}

impl Measures {
    pub(crate) fn of_sources(sources: &[Source]) -> Self {
        let mut measures = Self::default();
        for source in sources.iter().filter(|source| !source.is_test()) {
            measures.add(source);
        }
        measures.function_lines.sort_unstable();
        measures
    }

    fn add(&mut self, source: &Source) {
        let text = source.shipped();
        self.files += 1;
        if text.lines().count() < SMALL_FILE_LINES {
            self.small_files.push(source.path.clone());
        }
        let stream: TokenStream = text
            .parse()
            .unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let mut lines = BTreeSet::new();
        self.tokens += count_tokens(stream, &mut lines);
        self.code_lines += lines.len();
        let file = syn::parse_file(text)
            .unwrap_or_else(|error| panic!("{}: {error}", source.path));
        FileVisitor {
            path: &source.path,
            measures: self,
        }
        .visit_file(&file);
    }

    /// Lines such that half, and nine tenths, of all functions have at most as many,
    /// and the most of any.
    fn function_percentiles(&self) -> (usize, usize, usize) {
        let at = |percent: usize| {
            self.function_lines[(self.function_lines.len() - 1) * percent / 100]
        };
        (at(50), at(90), at(100))
    }

    /// A row for each figure.
    pub(crate) fn table(&self) -> String {
        let (half, most, all) = self.function_percentiles();
        let rows = [
            ("tokens", self.tokens.to_string()),
            ("code lines", self.code_lines.to_string()),
            (
                "tokens a code line",
                format!("{:.2}", self.tokens as f64 / self.code_lines as f64),
            ),
            ("lines of `use`", self.use_lines.to_string()),
            ("files", self.files.to_string()),
            ("files under 40 lines", self.small_files.len().to_string()),
            ("tuple lets", self.tuple_lets.len().to_string()),
            ("`match` on a bool", self.bool_matches.len().to_string()),
            (
                "named closures used once",
                self.closures_used_once.len().to_string(),
            ),
            ("functions", self.function_lines.len().to_string()),
            (
                "lines of a function, p50, p90, max",
                format!("{half}, {most}, {all}"),
            ),
        ];
        rows.map(|(name, figure)| format!("{name:36} {figure:>12}\n"))
            .concat()
    }
}

/// The tokens of a stream without documentation. The lines that they are on are added
/// to `lines`.
fn count_tokens(stream: TokenStream, lines: &mut BTreeSet<usize>) -> usize {
    let mut count = 0;
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        if is_hash(&tree) && trees.peek().is_some_and(is_documentation) {
            trees.next();
            continue;
        }
        // `//!` is `#`, `!` and brackets.
        if is_hash(&tree)
            && trees.peek().is_some_and(
                |next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'),
            )
        {
            let mark = trees.next();
            if trees.peek().is_some_and(is_documentation) {
                trees.next();
                continue;
            }
            count += usize::from(mark.is_some());
        }
        match tree {
            TokenTree::Group(group) => {
                count += if group.delimiter() == Delimiter::None {
                    0
                } else {
                    2
                };
                lines.insert(group.span_open().start().line);
                lines.insert(group.span_close().end().line);
                count += count_tokens(group.stream(), lines);
            }
            leaf => {
                count += 1;
                lines.extend(leaf.span().start().line..=leaf.span().end().line);
            }
        }
    }
    count
}

fn is_hash(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '#')
}

/// Whether brackets hold `doc = "..."`.
fn is_documentation(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else {
        return false;
    };
    let mut inner = group.stream().into_iter();
    let word = inner.next();
    let equals = inner.next();
    matches!(word, Some(TokenTree::Ident(word)) if word == "doc")
        && matches!(equals, Some(TokenTree::Punct(mark)) if mark.as_char() == '=')
}

struct FileVisitor<'a> {
    path: &'a str,
    measures: &'a mut Measures,
}

impl FileVisitor<'_> {
    fn place(&self, span: Span) -> String {
        format!("{}:{}", self.path, span.start().line)
    }

    fn add_function(&mut self, start: Span, block: &Block) {
        let lines =
            block.brace_token.span.close().end().line - start.start().line + 1;
        self.measures.function_lines.push(lines);
    }
}

impl<'ast> Visit<'ast> for FileVisitor<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let last = item.semi_token.span.end().line;
        self.measures.use_lines += last - item.use_token.span.start().line + 1;
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.add_function(function.sig.fn_token.span, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.add_function(function.sig.fn_token.span, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(block) = &function.default {
            self.add_function(function.sig.fn_token.span, block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let is_tuple = matches!(without_type(&local.pat), Pat::Tuple(_));
        if is_tuple
            && local
                .init
                .as_ref()
                .is_some_and(|init| matches!(*init.expr, Expr::Tuple(_)))
        {
            let place = self.place(local.let_token.span);
            self.measures.tuple_lets.push(place);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        if expression.arms.iter().any(|arm| is_bool(&arm.pat)) {
            let place = self.place(expression.match_token.span);
            self.measures.bool_matches.push(place);
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for (position, statement) in block.stmts.iter().enumerate() {
            let Some(name) = closure_named_in(statement) else {
                continue;
            };
            let mut uses = Uses { name, count: 0 };
            for later in &block.stmts[position + 1..] {
                uses.visit_stmt(later);
            }
            if uses.count == 1 {
                let place = self.place(name.span());
                self.measures
                    .closures_used_once
                    .push(format!("{place}: {name}"));
            }
        }
        visit::visit_block(self, block);
    }
}

fn without_type(pattern: &Pat) -> &Pat {
    if let Pat::Type(typed) = pattern {
        &typed.pat
    } else {
        pattern
    }
}

fn is_bool(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Lit(literal) if matches!(literal.lit, Lit::Bool(_)))
}

/// The name that a statement gives to a closure, if it does.
fn closure_named_in(statement: &Stmt) -> Option<&Ident> {
    let Stmt::Local(local) = statement else {
        return None;
    };
    let Pat::Ident(pattern) = without_type(&local.pat) else {
        return None;
    };
    let init = local.init.as_ref()?;
    matches!(*init.expr, Expr::Closure(_)).then_some(&pattern.ident)
}

/// Counts the uses of a name.
struct Uses<'a> {
    name: &'a Ident,
    count: usize,
}

impl Uses<'_> {
    fn count_in(&mut self, stream: TokenStream) {
        for tree in stream {
            match tree {
                TokenTree::Group(group) => self.count_in(group.stream()),
                TokenTree::Ident(word) => {
                    self.count += usize::from(word == *self.name)
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.count += usize::from(ident == self.name);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.count_in(call.tokens.clone());
    }
}
