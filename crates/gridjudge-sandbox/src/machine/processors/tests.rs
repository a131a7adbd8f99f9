//! What is read of the files about processors, and a machine that has such files.

use super::*;

/// A machine for tests: files with their texts.
pub(in crate::machine) fn fake_machine(
    texts: &[(&str, &str)],
) -> (tempfile::TempDir, KernelFiles) {
    let folder = tempfile::tempdir().unwrap();
    let files = KernelFiles {
        root: folder.path().to_owned(),
    };
    for (path, text) in texts {
        let path = files.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (folder, files)
}

#[test]
fn processors_that_share_a_core_count_once() {
    const LIST: &str = "topology/thread_siblings_list";
    let paths = [0, 1, 2, 3]
        .map(|number| format!("/sys/devices/system/cpu/cpu{number}/{LIST}"));
    let lists = ["0,2\n", "1,3\n", "0,2\n", "1,3\n"];
    let texts: Vec<_> = paths.iter().map(String::as_str).zip(lists).collect();
    assert_eq!(cores_in(&fake_machine(&texts).1), Some(2));
    assert_eq!(
        cores_in(&fake_machine(&[("/sys/devices/system/cpu/online", "0-3")]).1),
        None
    );
    assert_eq!(cores_in(&fake_machine(&[]).1), None);
}

#[test]
fn a_processor_has_its_model_name() {
    let name =
        model("processor\t: 0\nmodel name\t: ACME  Fast 9000\nmodel name\t: other\n");
    assert_eq!(name.as_deref(), Some("ACME Fast 9000"));
    assert_eq!(model("processor : 0\nmodel name :\n"), None);
}

#[test]
fn a_guest_is_recognised_by_its_flag_and_not_by_a_name() {
    assert!(is_guest(
        "processor\t: 0\nflags\t\t: fpu ht hypervisor lahf_lm\n"
    ));
    assert!(!is_guest("model name\t: hypervisor\nflags\t\t: fpu ht\n"));
    assert!(!is_guest(""));
}

#[test]
fn stolen_time_is_a_share_of_all_time_and_counts_guests_once() {
    assert_eq!(
        stolen("cpu  10 0 10 70 0 0 0 10 500 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"),
        Some(0.1)
    );
    assert_eq!(stolen("cpu  0 0 0 0 0 0 0 0\n"), None);
    // Before Linux 2.6.11 nothing was stolen.
    assert_eq!(stolen("cpu  10 0 10 70\n"), None);
    assert_eq!(stolen("intr 1 2"), None);
}

#[test]
fn load_and_pressure_are_the_most_recent_averages() {
    assert_eq!(load_average("1.77 1.64 0.83 5/114 30476"), Some(1.77));
    assert_eq!(load_average(""), None);
    let text = "some avg10=45.58 avg60=21.47 avg300=19.47 total=1\nfull avg10=0.00 avg60=0.00 \
                avg300=0.00 total=0";
    assert_eq!(pressure(text), Some(45.58));
    assert_eq!(pressure("full avg10=1.00"), None);
    assert_eq!(stalled(text), Some(Duration::from_micros(1)));
    assert_eq!(stalled("full avg10=1.00 total=2\n"), None);
}
