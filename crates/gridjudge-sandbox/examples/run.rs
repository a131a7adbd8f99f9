//! Runs a command line under limits, and prints how it ended and what it used:
//!
//! ```sh
//! cargo run -p gridjudge-sandbox --example run -- /bin/echo hi
//! ```

use std::io;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use gridjudge_sandbox::{
    Fault, Input, Launch, LevelChoice, Limits, LinuxSandbox, Role, Sandbox,
    ScratchFiles,
};

fn main() -> ExitCode {
    // The sandbox starts this same program again for its launchers, so this call comes
    // first.
    if let Some(code) = gridjudge_sandbox::become_launcher_if_asked() {
        return code;
    }
    let command: Vec<String> = std::env::args().skip(1).collect();
    if command.is_empty() {
        eprintln!("usage: run /path/to/program [ARGUMENT...]");
        return ExitCode::from(2);
    }
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            if let Some(remedy) = &fault.remedy {
                eprintln!("hint: {remedy}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(command: Vec<String>) -> Result<(), Fault> {
    let sandbox =
        LinuxSandbox::start(Path::new("/proc/self/exe"), 1, LevelChoice::Best)?;
    for note in sandbox.guarantees().notes() {
        eprintln!("note: {note}");
    }
    let launch = Launch {
        command,
        environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        input: Input::Empty,
        readable: vec![],
        role: Role::Submission,
        scratch: ScratchFiles::default(),
    };
    let cpu = Duration::from_secs(2);
    let limits = Limits {
        cpu,
        wall: Limits::wall_for(cpu),
        memory_bytes: 256 << 20,
        output_bytes: 16 << 20,
        processes: 64,
        frequent_samples: false,
        address_space: None,
    };
    let mut run = sandbox.run(&launch, &limits)?;
    io::copy(&mut run.stdout, &mut io::stdout())
        .and_then(|_| io::stderr().write_all(&run.stderr_tail))
        .map_err(|error| Fault::new("writing what the program wrote", error))?;
    println!("level:  {}", sandbox.level());
    println!("exit:   {}", run.exit);
    println!("CPU:    {:?} of {:?}", run.usage.cpu, limits.cpu);
    println!("wall:   {:?} of {:?}", run.usage.wall, limits.wall);
    println!(
        "memory: {} KiB of {} KiB",
        run.usage.peak_memory_bytes >> 10,
        limits.memory_bytes >> 10
    );
    Ok(())
}
