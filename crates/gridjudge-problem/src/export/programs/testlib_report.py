"""Reads what programs of testlib answer: reports in elements (`-appes`), and the last line on standard error."""

import html
import re


def part(report, code, all_points):
    """The part of the points that the answer in a report gives, as 42 for all and 43 for less. `None` if it gives right or wrong."""
    element = re.search(rb"<result([^>]*)>", report)
    found = dict(re.findall(rb' (\w+) = "([^"]*)"', element[1])) if element else {}
    parts = int(found.get(b"pctype", 0)) if found.get(b"outcome") == b"partially-correct" else None
    if parts is not None and code in (parts % 256, (parts + 50) % 256):
        return 42 if parts == 200 else 43
    if code != 7:
        return None
    return 42 if 0 <= all_points <= float(found.get(b"points", -1)) else 43


def part_on_stderr(said, code, all_points):
    """The same for a program that was given no file for a report."""
    told = re.findall(rb"^(?:points (-?[0-9.]+)|partially correct \((\d+)\))", said, re.MULTILINE)
    if not told:
        return None
    points, parts = told[-1]
    if parts and code in (int(parts) % 256, (int(parts) + 50) % 256):
        return 42 if int(parts) == 200 else 43
    if not points or code != 7:
        return None
    return 42 if 0 <= all_points <= float(points) else 43


def message(report):
    """The text of the element that is the report; everything if there is no element."""
    element = re.search(rb"<result[^>]*>(.*)</result>", report, re.DOTALL)
    return html.unescape(element[1].decode("utf-8", "replace")).encode() if element else report
