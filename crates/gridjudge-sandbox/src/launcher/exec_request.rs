//! Translates a request for the kernel: C strings, resource limits, file access. Knows
//! launches and limits; starts nothing.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::Resource;

use crate::confine::inherited::{self, OPEN_FILES};
use crate::confine::landlock::AccessGrant;
use crate::launcher::assignment::Assignment;
use crate::protocol::RunRequest;
use crate::sys::ChildSpec;
use crate::{AddressSpace, Fault, Limits, Role};

/// The most signals and timers that may be pending where no control group counts the
/// memory that they take. The kernel counts those of all processes of a user, which
/// includes the runs of other slots where all runs have the judge's user.
const PENDING_SIGNALS: u64 = 4096;

/// Rounds the limit up to whole seconds and adds two: the launcher must act first, and
/// the kernel's clock for this limit is so coarse that it may fire early.
const CPU_BACKSTOP: Duration = Duration::from_millis(2999);

/// Room for the stack to exceed the memory limit, so that a run that fills its memory
/// by recursion breaks that limit.
const STACK_BEYOND_MEMORY_BYTES: u64 = 1 << 20;

/// Less than any core file, so none is written; with 0 the kernel would still start a
/// core-dump handler program if the machine has one. Source: core(5).
const SMALLEST_CORE_BYTES: u64 = 1;

/// The number of resources that the kernel limits. Source: getrlimit(2).
const RESOURCES: usize = 16;

/// A run with a limit of at most this, or a little more, can touch that much before it
/// is looked at for the first time, even on a busy machine.
const SMALL_LIMIT_BYTES: u64 = 64 << 20;

/// Translates a request into the process to start, so far without anything that
/// isolates it. For `other_threads` see [`resource_limits`].
///
/// # Errors
/// Returns a [`Fault`] that says what is wrong with the request.
pub(super) fn child_of<'a>(
    assignment: &Assignment,
    streams: &'a [OwnedFd],
    folder: &Path,
    other_threads: Option<u64>,
) -> Result<ChildSpec<'a>, Fault> {
    let request = assignment.request;
    if !request
        .command
        .first()
        .is_some_and(|program| program.starts_with('/'))
    {
        return Err(assignment.refused("the program has no absolute path"));
    }
    let [input, output, errors] = streams else {
        return Err(assignment.refused("the judge sent no streams"));
    };
    let works_in = request.role.works_in().unwrap_or(folder);
    let string = |text: &[u8]| {
        CString::new(text).map_err(|error| assignment.refused(error.to_string()))
    };
    let strings = |texts: &[String]| {
        let strings = texts.iter().map(|text| string(text.as_bytes()));
        strings.collect::<Result<_, _>>()
    };
    Ok(ChildSpec {
        program: None,
        command: strings(&request.command)?,
        environment: strings(&environment(request, folder))?,
        folder: string(works_in.as_os_str().as_bytes())?,
        streams: [input.as_fd(), output.as_fd(), errors.as_fd()],
        limits: resource_limits(&request.limits, other_threads),
        user: None,
        ruleset: None,
        filter: None,
        may_read_own_proc: false,
        mounts: None,
        mounts_proc: false,
        numbers: None,
        // So that it touches as many pages each time. Others read what a hostile
        // program wrote, and are harder to take over if their addresses are random.
        has_fixed_addresses: request.role == Role::Submission,
        has_highest_oom_score: false,
        // It must be traced, and may have ended before it is looked at.
        stops_after_exec: request.limits.frequent_samples
            && request.limits.memory_bytes <= SMALL_LIMIT_BYTES,
    })
}

/// The files that a request grants, the program itself, and the folders that it writes
/// to and works in.
pub(super) fn access_grant_of(request: &RunRequest, folder: &Path) -> AccessGrant {
    let program = request.command.first().map(PathBuf::from);
    let works_in = request.role.works_in().map(Path::to_owned);
    let readable = request
        .readable
        .iter()
        .cloned()
        .chain(program)
        .chain(works_in)
        .collect();
    let is_tool = request.role.folder().is_some();
    let is_compiler = matches!(request.role, Role::Tool { .. });
    AccessGrant::new(readable, folder.to_owned(), is_tool, is_compiler)
}

/// The requested variables and, if missing, two more, without which many programs look
/// up the user's home folder, which does not exist.
fn environment(request: &RunRequest, folder: &Path) -> Vec<String> {
    let given = request
        .environment
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let added = ["HOME", "TMPDIR"]
        .into_iter()
        .filter(|name| request.environment.iter().all(|(given, _)| given != name));
    given
        .chain(added.map(|name| format!("{name}={}", folder.display())))
        .collect()
}

/// The kernel's own limits, none above what this process may grant. They are backstops,
/// except for output: one byte more than allowed can be written, so that the breach is
/// seen.
///
/// `other_threads` is how many threads the run's user has on this machine outside the
/// run: the kernel counts all of them, also those of a judge in another container that
/// has given its runs the same user. So where a control group counts the processes of
/// the run alone, it is `None`, and the group alone limits them, and the signals that
/// are pending by their memory.
fn resource_limits(
    limits: &Limits,
    other_threads: Option<u64>,
) -> Vec<(Resource, u64)> {
    let seconds = limits.cpu.saturating_add(CPU_BACKSTOP).as_secs();
    let stack = match limits.address_space {
        None => limits
            .memory_bytes
            .saturating_add(STACK_BEYOND_MEMORY_BYTES),
        // The C library reserves as much for the stack of each thread, unless it is
        // unlimited.
        Some(_) => u64::MAX,
    };
    let mut wanted = vec![
        (Resource::Core, SMALLEST_CORE_BYTES),
        (Resource::Fsize, limits.output_bytes.saturating_add(1)),
        (Resource::Stack, stack),
        (Resource::Cpu, seconds),
        (Resource::Nofile, OPEN_FILES),
        (
            Resource::Sigpending,
            if other_threads.is_some() {
                PENDING_SIGNALS
            } else {
                u64::MAX
            },
        ),
        (
            Resource::Nproc,
            other_threads
                .map_or(u64::MAX, |others| others + u64::from(limits.processes)),
        ),
        // A run that may raise its priority, or choose a real-time scheduler, could
        // starve its launcher. Some systems let ordinary users, and so the judge, do
        // both.
        (Resource::Nice, 0),
        (Resource::Rtprio, 0),
    ];
    if let Some(AddressSpace {
        total_bytes,
        data_bytes,
    }) = limits.address_space
    {
        wanted.extend([(Resource::As, total_bytes), (Resource::Data, data_bytes)]);
    }
    for (resource, limit) in &mut wanted {
        *limit = (*limit).min(known_hard_limit(*resource));
    }
    wanted
}

/// The hard limit of this process, which does not change after its first run has begun.
fn known_hard_limit(resource: Resource) -> u64 {
    static FOUND: [OnceLock<u64>; RESOURCES] = [const { OnceLock::new() }; RESOURCES];
    *FOUND[resource as usize]
        .get_or_init(|| inherited::hard_limit(resource).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit_of(
        resource: Resource,
        limits: &Limits,
        other_threads: Option<u64>,
    ) -> Option<u64> {
        resource_limits(limits, other_threads)
            .into_iter()
            .find(|(found, _)| *found == resource)
            .map(|(_, limit)| limit)
    }

    fn hard(resource: Resource) -> u64 {
        rustix::process::getrlimit(resource)
            .maximum
            .unwrap_or(u64::MAX)
    }

    const LIMITS: Limits = Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(2),
        memory_bytes: 64 << 20,
        output_bytes: 100,
        processes: 8,
        frequent_samples: false,
        address_space: None,
    };

    #[test]
    fn what_the_kernel_counts_by_user_is_limited_only_where_no_group_counts() {
        assert_eq!(
            limit_of(Resource::Nproc, &LIMITS, Some(3)),
            Some(hard(Resource::Nproc).min(11))
        );
        assert_eq!(
            limit_of(Resource::Nproc, &LIMITS, None),
            Some(hard(Resource::Nproc))
        );
        let few = hard(Resource::Sigpending).min(PENDING_SIGNALS);
        assert_eq!(limit_of(Resource::Sigpending, &LIMITS, Some(3)), Some(few));
        assert_eq!(
            limit_of(Resource::Sigpending, &LIMITS, None),
            Some(hard(Resource::Sigpending))
        );
    }

    #[test]
    fn reserved_memory_is_limited_only_where_the_limits_say_so_and_then_the_stack_is_not()
     {
        assert_eq!(limit_of(Resource::As, &LIMITS, None), None);
        assert_eq!(
            limit_of(Resource::Stack, &LIMITS, None),
            Some(hard(Resource::Stack).min(65 << 20))
        );
        let space = AddressSpace {
            total_bytes: 96 << 20,
            data_bytes: 64 << 20,
        };
        let limits = Limits {
            address_space: Some(space),
            ..LIMITS
        };
        assert_eq!(limit_of(Resource::As, &limits, None), Some(96 << 20));
        assert_eq!(limit_of(Resource::Data, &limits, None), Some(64 << 20));
        assert_eq!(
            limit_of(Resource::Stack, &limits, None),
            Some(hard(Resource::Stack))
        );
    }
}
