//! The parts of a program. Plain data.

/// A command, and its line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Command {
    pub(super) line: usize,
    pub(super) kind: CommandKind,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CommandKind {
    Space,
    Newline,
    Eof,
    Int { least: Expression, most: Expression, name: Option<Variable> },
    Float { least: Expression, most: Expression, name: Option<Variable>, notation: FloatNotation },
    Text(Expression),
    Regex { pattern: Expression, name: Option<Variable> },
    Assert(CtdTest),
    Set(Variable, Expression),
    Unset(Vec<String>),
    Loop(Box<CtdLoop>),
    If { test: CtdTest, then: Vec<Command>, otherwise: Vec<Command> },
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CtdLoop {
    /// The variable that counts the repetitions, from 0.
    pub(super) counter: Option<Variable>,
    pub(super) bound: LoopBound,
    /// A command that is run between two repetitions.
    pub(super) separator: Option<Command>,
    pub(super) body: Vec<Command>,
}

/// How often a loop is repeated.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) indices: Vec<Expression>,
}

/// An expression, which has a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Value(CtdValue),
    Variable(Variable),
    Negative(Box<Self>),
    /// The length of a string in bytes.
    Length(Box<Self>),
    /// Operands with operators between them, evaluated from the left. A chain of any length adds only one
    /// level of nesting.
    Chain(Box<Self>, Vec<(char, Self)>),
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CtdValue {
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
}

impl CtdValue {
    /// The length of a string; a number has none.
    pub(super) fn bytes(&self) -> usize {
        if let Self::Text(text) = self { text.len() } else { 0 }
    }
}

/// A test, which is true or false.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CtdTest {
    Not(Box<Self>),
    /// Tests joined by operators, evaluated from the left.
    Chain(Box<Self>, Vec<(TestJoint, Self)>),
    Compare(CtdComparison, Expression, Expression),
    IsEof,
    Match(Expression),
    Unique(Vec<String>),
    InArray(Expression, String),
}

/// The operator between two tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestJoint {
    And,
    Or,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CtdComparison {
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Unequal,
}
