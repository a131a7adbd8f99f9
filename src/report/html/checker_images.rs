//! Shows the pictures that a checker has drawn, or says why one is not shown. Trusts neither their
//! names nor their contents, since both are the choice of a checker.

use data_encoding::BASE64;
use maud::{Markup, PreEscaped, html};

use crate::model::CheckerImage;
use crate::report::html::image_type::ImageType;
use crate::report::html::text;

/// The most pictures of a case.
const MOST_IMAGES: usize = 4;

/// The pictures that can be shown, each with its name below it.
pub(super) fn figures(images: &[CheckerImage]) -> Markup {
    html! {
        @for image in images.iter().take(MOST_IMAGES) {
            @if let Ok(element) = element(image) {
                figure { (element) figcaption { "Drawn by the checker: " (text::line(&image.name)) } }
            }
        }
    }
}

/// The names of the others, each with the reason.
pub(super) fn left_out(images: &[CheckerImage]) -> Markup {
    html! {
        @for image in images.iter().take(MOST_IMAGES) {
            @if let Err(reason) = element(image) {
                p.soft { (text::line(&image.name)) " of " (image.bytes) " bytes is not shown: " (reason) }
            }
        }
    }
}

/// The element that shows a picture. A browser runs nothing inside of it and loads nothing for it.
fn element(image: &CheckerImage) -> Result<Markup, &'static str> {
    let data = image.data.as_deref().ok_or("there is no room for it")?;
    let bytes = BASE64
        .decode(data.as_bytes())
        .map_err(|_| "the log has no valid base64 for it")?;
    let media_type = ImageType::of(&bytes)?.media_type();
    // The slash makes it valid in XML as well. What decodes as base64 needs no escapes.
    let element =
        format!(r#"<img alt="Drawn by the checker" src="data:{media_type};base64,{data}"/>"#);
    Ok(PreEscaped(element))
}
