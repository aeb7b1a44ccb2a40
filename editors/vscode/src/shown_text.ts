// Text from the repository (names, paths, lines, messages of commits) as it may be shown: it is text, whatever it holds.

/** What nobody sees, or what turns the order of other characters round. Joiners stay: emoji and scripts need them. */
const UNSEEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Show characters that nobody sees by their numbers: `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (unseen) => `⟨U+${unseen.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** The same where `$(name)` would be an icon: in picks and in the status bar. */
export function withoutIcons(text: string): string {
  return visible(text).replaceAll("$(", "\\$(");
}

/** The same where `[words](target)` would be a link, to a command even: in messages. */
export function withoutLinks(text: string): string {
  return visible(text).replaceAll("](", "] (");
}
