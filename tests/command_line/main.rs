//! Runs the real program in folders made for each test. A test belongs here if it needs
//! no more than the command line and what it prints.

#[path = "../format_examples/mod.rs"]
mod format_examples;
#[path = "../judge/mod.rs"]
mod judge;
#[path = "../judge/right_programs.rs"]
mod right_programs;

mod at_a_terminal;
mod autograders;
mod bad_arguments;
mod bad_input;
mod broken_specs;
mod caching;
mod checkers;
mod ci;
mod commands;
mod comparing;
mod compiling;
mod completing;
mod container;
mod contest;
mod conveniences;
mod course;
mod damaged_logs;
mod docs;
mod exporting;
mod finding_problems;
mod generating;
mod giving_files;
mod grading;
mod grading_by_programs;
mod inheriting;
mod interacting;
mod interacting_polygon;
mod interrupting;
mod java_classes;
mod judging_grids;
mod killing;
mod languages;
mod new;
mod outputs;
mod package_case_files;
mod package_checks;
mod package_expectations;
mod package_programs;
mod package_sources;
mod package_static_validators;
mod package_table;
mod packages;
mod packages_dmoj;
mod packages_of_two_formats;
mod packages_with_points;
mod polygon_points_and_files;
mod polygon_standard;
mod polygon_validation;
mod pty;
mod releasing;
mod reporting;
mod scheduling;
mod several_passes;
mod sharding;
mod solving;
mod strength;
mod stressing;
mod stressing_programs;
mod submitting_answers;
mod suggesting;
mod terminal;
mod text_problems;
mod toolchains;
mod verify_reports;
mod watching;
mod working_folders;
