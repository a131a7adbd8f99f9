//! Has a browser lay out pages, and reads what a script in a frame around them has
//! measured.
//!
//! `GRIDJUDGE_BROWSER` names the browser, which must then exist. Without it, `chromium`
//! is used if it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The browser that lays out pages, if any. Without one, says that `what` was not
/// tested.
pub(crate) fn browser(what: &str) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("GRIDJUDGE_BROWSER") {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join("chromium"))
        .find(|file| file.exists());
    if found.is_none() {
        eprintln!(
            "NO BROWSER: the layout of {what} was NOT tested; install chromium, or set GRIDJUDGE_BROWSER"
        );
    }
    found
}

/// The list that the script of a file has written after `noted` into its document.
pub(crate) fn noted(browser: &Path, folder: &Path, file: &str) -> Vec<Value> {
    let dumped = dumped(browser, folder, file);
    let noted = dumped
        .split("noted ")
        .last()
        .unwrap()
        .split("</body>")
        .next()
        .unwrap();
    let noted = noted
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
    serde_json::from_str(noted.trim())
        .unwrap_or_else(|error| panic!("{error}: {dumped}"))
}

/// The document of a file after a browser has loaded it.
fn dumped(browser: &Path, folder: &Path, file: &str) -> String {
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--allow-file-access-from-files",
        "--virtual-time-budget=20000",
        "--dump-dom",
    ];
    let output = Command::new(browser)
        .args(flags)
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("file://{}", folder.join(file).display()))
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", browser.display()));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}
