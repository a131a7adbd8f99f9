//! The parts of a program. Plain data.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::checktestdata::{CtdFraction, CtdInteger};

/// A command, and its line.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) line: usize,
    pub(super) kind: CommandKind,
}

/// What a command does.
#[derive(Clone, Debug)]
pub(super) enum CommandKind {
    Space,
    Newline,
    Eof,
    Int {
        least: Expression,
        most: Expression,
        name: Option<Variable>,
    },
    Float(Box<FloatCommand>),
    Text(Expression),
    Regex {
        pattern: Expression,
        name: Option<Variable>,
    },
    Assert(CtdTest),
    Set(Vec<(Variable, Expression)>),
    Unset(Vec<String>),
    Loop(Box<CtdLoop>),
    If {
        test: CtdTest,
        then: Vec<Command>,
        otherwise: Vec<Command>,
    },
}

/// What a number that need not be an integer must be.
#[derive(Clone, Debug)]
pub(super) struct FloatCommand {
    pub(super) least: Expression,
    pub(super) most: Expression,
    /// The least and the largest number of decimals, for `FLOATP`.
    pub(super) decimals: Option<(Expression, Expression)>,
    pub(super) name: Option<Variable>,
    pub(super) notation: FloatNotation,
}

/// A loop.
#[derive(Clone, Debug)]
pub(super) struct CtdLoop {
    /// The variable that counts the repetitions, from 0.
    pub(super) counter: Option<Variable>,
    pub(super) bound: LoopBound,
    /// A command that is run between two repetitions.
    pub(super) separator: Option<Command>,
    pub(super) body: Vec<Command>,
}

/// How often a loop is repeated.
#[derive(Clone, Debug)]
pub(super) enum LoopBound {
    Times(Expression),
    While(CtdTest),
}

/// How a number must be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatNotation {
    Any,
    Fixed,
    Scientific,
}

/// A variable, with the indices of one place in it.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) indices: Vec<Expression>,
}

/// An expression, which has a value.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Value(CtdValue),
    Variable(Variable),
    Negative(Box<Self>),
    /// The length of a string in bytes.
    Length(Box<Self>),
    /// Operands with operators between them, evaluated from the left. A chain of any
    /// length adds only one level of nesting.
    Chain(Box<Self>, Vec<(char, Self)>),
}

/// A value.
#[derive(Clone, Debug)]
pub(super) enum CtdValue {
    Int(CtdInteger),
    Float(Arc<CtdFraction>),
    Text(Arc<[u8]>),
}

impl CtdValue {
    /// The value of a small integer.
    pub(super) fn small(number: u64) -> Self {
        Self::Int(i64::try_from(number).map_or_else(
            |_| CtdInteger::from(BigInt::from(number)),
            CtdInteger::Small,
        ))
    }

    /// The bytes that it takes beyond those of any value.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Int(number) => 8 * number.words() as usize,
            Self::Float(number) => 80 + 8 * number.words() as usize,
            Self::Text(text) => text.len(),
        }
    }

    /// A number as one that need not be an integer.
    pub(super) fn fraction(&self) -> Arc<CtdFraction> {
        match self {
            Self::Int(number) => Arc::new(CtdFraction::from_integer(number)),
            Self::Float(number) => Arc::clone(number),
            Self::Text(_) => {
                Arc::new(CtdFraction::from_integer(&CtdInteger::Small(0)))
            }
        }
    }
}

/// Numbers are in order of their size, whatever their type, and strings follow them.
impl Ord for CtdValue {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => left.cmp(right),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Text(_), _) => Ordering::Greater,
            (_, Self::Text(_)) => Ordering::Less,
            (Self::Float(_), _) | (_, Self::Float(_)) => {
                self.fraction().order(&other.fraction())
            }
        }
    }
}

impl PartialEq for CtdValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for CtdValue {}

impl PartialOrd for CtdValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A test, which is true or false.
#[derive(Clone, Debug)]
pub(super) enum CtdTest {
    Not(Box<Self>),
    /// Tests from the left. Each but the first is evaluated only if those before it
    /// come to this: `true` for one after `&&`, `false` for one after `||`.
    Chain(Box<Self>, Vec<(bool, Self)>),
    Compare(CtdComparison, Expression, Expression),
    IsEof,
    Match(Expression),
    Unique(Vec<String>),
    InArray(Expression, String),
}

/// Whether a comparison holds of two values in this order.
pub(super) type CtdComparison = fn(Ordering) -> bool;
