//! Reads the `limits` of a package, and derives a time limit from the times of its
//! submissions if none is given. Defaults are those of the formats, including what they
//! call "typical system default".

use std::time::Duration;

use gridjudge_sandbox::Limits;

use crate::keys::KeyTable;
use crate::model::micros;
use crate::text::round_time;

/// The largest figures that are accepted; anything above is surely a typing error.
const MOST_SECONDS: f64 = 100_000.0;
const MOST_MIB: u64 = 1 << 24;

const MIB: u64 = 1 << 20;

/// The default number of passes in a multi-pass package, and the most that are
/// accepted.
const DEFAULT_PASSES: u32 = 2;
const MOST_PASSES: u64 = 1000;

/// The most processes that a checker may have at once; no format limits them.
const CHECKER_PROCESSES: u32 = 64;

/// The limits that a package sets.
#[derive(Clone, Debug)]
pub struct PackageLimits {
    /// The time limit, if it is given.
    pub time: Option<Duration>,
    /// How it follows from the times of submissions, if it is not given.
    pub rule: TimeRule,
    /// The memory limit of a run.
    pub memory_bytes: u64,
    /// The output limit of a run.
    pub output_bytes: u64,
    /// The size limit of a source, all its files together.
    pub code_bytes: u64,
    /// The time limit for compiling.
    pub compile_time: Duration,
    /// The memory limit for compiling.
    pub compile_memory_bytes: u64,
    /// The limits of a run of a program that checks outputs.
    pub checker: Limits,
    /// The most runs of a submission on a case, in a multi-pass problem.
    pub passes: u32,
}

/// How a time limit follows from the times of submissions.
///
/// It is the smallest multiple of a resolution that leaves room above the slowest
/// accepted submission. Submissions that are expected to be too slow must exceed it by
/// a margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRule {
    /// The room above the slowest accepted submission, as a factor.
    pub factor: f64,
    /// The factor by which submissions that must be too slow exceed the limit.
    pub margin: f64,
    /// The limit is a multiple of this.
    pub resolution: Duration,
    /// Whether a package breaks its format if a submission that must be too slow is
    /// nearly fast enough, as in 2025-09; if not, that is only unwise.
    pub is_strict: bool,
}

/// The limits of one run of a checker with this CPU time.
pub(super) fn checker_limits(
    cpu: Duration,
    memory_bytes: u64,
    output_bytes: u64,
) -> Limits {
    Limits {
        cpu,
        wall: Limits::wall_for(cpu),
        memory_bytes,
        output_bytes,
        processes: CHECKER_PROCESSES,
        frequent_samples: false,
        address_space: None,
    }
}

impl PackageLimits {
    /// The defaults of the older formats.
    pub(super) fn of_legacy() -> Self {
        Self {
            time: None,
            rule: TimeRule::LEGACY,
            memory_bytes: 2048 * MIB,
            output_bytes: 8 * MIB,
            code_bytes: 128 << 10,
            compile_time: Duration::from_secs(60),
            compile_memory_bytes: 2048 * MIB,
            passes: DEFAULT_PASSES,
            checker: checker_limits(Duration::from_secs(60), 2048 * MIB, 8 * MIB),
        }
    }

    /// Reads `limits` of the older formats. DOMjudge also accepts `time_limit` there.
    pub(super) fn read_legacy(limits: &KeyTable) -> Self {
        let default = TimeRule::LEGACY;
        let factor = limits.positive("time_multiplier").unwrap_or(default.factor);
        let margin = limits.positive("time_safety_margin");
        Self {
            rule: TimeRule {
                factor,
                margin: margin.unwrap_or(default.margin),
                ..default
            },
            ..Self::of_legacy().with_figures(limits)
        }
    }

    /// Reads `limits` of 2025-09.
    pub(super) fn read_2025(limits: &KeyTable) -> Self {
        let resolution = limits
            .positive("time_resolution")
            .and_then(seconds_to_duration);
        let multipliers = limits.table_or_empty("time_multipliers");
        let factor =
            |key, default| multipliers.number_from(key, 1.0).unwrap_or(default);
        let default = TimeRule::KATTIS_2025;
        let rule = TimeRule {
            factor: factor("ac_to_time_limit", default.factor),
            margin: factor("time_limit_to_tle", default.margin),
            resolution: resolution.unwrap_or(default.resolution),
            ..default
        };
        multipliers.refuse_the_rest();
        let read = Self {
            rule,
            ..Self::of_legacy().with_figures(limits)
        };
        // Both are whole microseconds here, so no binary fraction gets between them.
        if let (Some(time), Some(resolution)) = (read.time, resolution)
            && !time.as_micros().is_multiple_of(resolution.as_micros())
        {
            let steps = time.as_micros() / resolution.as_micros() + 1;
            let steps = u32::try_from(steps).unwrap_or(u32::MAX);
            let next = resolution.saturating_mul(steps).as_secs_f64();
            limits.refuse_key(
                "time_limit",
                format!(
                    "`time_limit: {}` is not a multiple of `time_resolution`, which is {}",
                    time.as_secs_f64(),
                    resolution.as_secs_f64()
                ),
                format!("write {next}, or delete `time_resolution`"),
            );
        }
        read
    }

    /// Reads the figures that both formats have.
    fn with_figures(self, limits: &KeyTable) -> Self {
        let most = "write seconds, 100000 at most";
        let time = limits.positive("time_limit").and_then(|found| {
            let time = seconds_to_duration(found);
            if time.is_none() {
                limits.refuse_value(
                    "time_limit",
                    format!("`time_limit: {found}` is not a time limit"),
                    most,
                );
            }
            time
        });
        let whole = |key, default, unit| {
            limits
                .whole(key, 1, MOST_MIB)
                .map_or(default, |found| found * unit)
        };
        let seconds = |key, default: Duration| {
            Duration::from_secs(whole(key, default.as_secs(), 1))
        };
        let checker = &self.checker;
        let read = Self {
            time,
            memory_bytes: whole("memory", self.memory_bytes, MIB),
            output_bytes: whole("output", self.output_bytes, MIB),
            code_bytes: whole("code", self.code_bytes, 1 << 10),
            compile_time: seconds("compilation_time", self.compile_time),
            compile_memory_bytes: whole(
                "compilation_memory",
                self.compile_memory_bytes,
                MIB,
            ),
            checker: checker_limits(
                seconds("validation_time", checker.cpu),
                whole("validation_memory", checker.memory_bytes, MIB),
                whole("validation_output", checker.output_bytes, MIB),
            ),
            passes: limits
                .whole("validation_passes", 2, MOST_PASSES)
                .map_or(self.passes, |found| found as u32),
            ..self
        };
        limits.refuse_the_rest();
        read
    }
}

/// The defaults for formats that limit neither outputs nor sources.
impl Default for PackageLimits {
    fn default() -> Self {
        Self {
            output_bytes: 64 * MIB,
            code_bytes: MIB,
            ..Self::of_legacy()
        }
    }
}

impl TimeRule {
    const LEGACY: Self = Self {
        factor: 5.0,
        margin: 2.0,
        resolution: Duration::from_secs(1),
        is_strict: false,
    };
    const KATTIS_2025: Self = Self {
        factor: 2.0,
        margin: 1.5,
        is_strict: true,
        ..Self::LEGACY
    };

    /// Returns the time limit if the slowest accepted submission takes this long.
    pub fn limit_for(self, slowest: Duration) -> Duration {
        // In whole microseconds, and always rounded up: a time that is one microsecond
        // over a step needs the next limit.
        let step = self.resolution.as_micros().max(1);
        let steps = self.room_above(slowest).as_micros().div_ceil(step).max(1);
        duration_of(steps.saturating_mul(step))
    }

    /// The least limit that leaves room above a submission that takes this long, not
    /// rounded to steps.
    pub fn room_above(self, slowest: Duration) -> Duration {
        let micros = slowest
            .as_micros()
            .saturating_mul(millionths(self.factor))
            .div_ceil(1_000_000);
        duration_of(micros)
    }

    /// Describes how the limit follows from the longest time, to be printed after that
    /// time.
    pub fn calculation(self) -> String {
        let factor = self.factor;
        if self.is_strict {
            let step = round_time(micros(self.resolution));
            format!("x {factor}, in steps of {step}")
        } else {
            format!("x {factor}, in whole seconds")
        }
    }

    /// The least time of a submission that is expected to exceed a time limit.
    pub fn slow_from(self, limit: Duration) -> Duration {
        let micros = limit.as_micros().saturating_mul(millionths(self.margin));
        duration_of(micros / 1_000_000)
    }
}

/// This many microseconds, or the most that there can be.
fn duration_of(micros: u128) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

/// Converts seconds to a duration; `None` if it cannot be a time limit.
pub(super) fn seconds_to_duration(seconds: f64) -> Option<Duration> {
    let is_a_limit = seconds > 0.0 && seconds <= MOST_SECONDS;
    if !is_a_limit {
        return None;
    }
    let micros = (seconds * 1e6).round().max(1.0);
    // It is positive and bounded above.
    Some(Duration::from_micros(micros as u64))
}

/// A factor in millionths. It is positive, and none has more digits than fit.
fn millionths(factor: f64) -> u128 {
    (factor * 1e6).round() as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_rounded_up_to_the_resolution_of_the_format() {
        let legacy = TimeRule::LEGACY;
        let seconds = |rule: TimeRule, micros| {
            rule.limit_for(Duration::from_micros(micros)).as_secs_f64()
        };
        assert_eq!(seconds(legacy, 0), 1.0);
        assert_eq!(seconds(legacy, 200_000), 1.0);
        assert_eq!(seconds(legacy, 200_001), 2.0);
        let fine = Duration::from_millis(100);
        let new = TimeRule {
            resolution: fine,
            ..TimeRule::KATTIS_2025
        };
        assert_eq!(seconds(new, 349_999), 0.7);
        assert_eq!(seconds(new, 350_000), 0.7);
        assert_eq!(seconds(new, 350_001), 0.8);
        assert_eq!(seconds(new, 0), 0.1);
        assert_eq!(new.calculation(), "x 2, in steps of 100 ms");
        assert_eq!(legacy.calculation(), "x 5, in whole seconds");
        assert_eq!(
            legacy.slow_from(Duration::from_secs(3)),
            Duration::from_secs(6)
        );
        assert_eq!(
            new.slow_from(Duration::from_secs(3)),
            Duration::from_millis(4500)
        );
        // Extreme factors do not overflow.
        let beyond = TimeRule {
            factor: 1e300,
            margin: 1e300,
            ..TimeRule::LEGACY
        };
        assert!(
            beyond.slow_from(beyond.limit_for(Duration::from_secs(9)))
                > Duration::from_secs(1 << 40)
        );
    }
}
