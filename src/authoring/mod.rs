//! What setters of problems use: cases are made, their strength is measured, and programs are searched for faults.

pub mod generate;
pub mod strength;
pub mod stress;
