// Copying what stands in a field: a link, or a result to send.
const COPIED = "The link is copied.";
const SELECTED = "The link is selected. Copy it with Ctrl+C, or press and hold it.";

// Pages over https may write to the clipboard; over http some browsers can only copy what is selected.
export async function copied(link, what = "link") {
  let done = false;
  if (navigator.clipboard) done = await navigator.clipboard.writeText(link.value).then(() => true, () => false);
  if (!done) {
    link.focus();
    link.select();
    done = document.execCommand("copy");
  }
  return done ? COPIED.replace("link", what) : SELECTED.replace("link", what);
}
