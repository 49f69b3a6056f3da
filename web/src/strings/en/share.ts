// Words of the page: links.
export const share = {
  "share.share": "Share",
  "share.title": "Share as a link",
  "share.named": "The experiment is in every lab's gallery: the link names it, and the values you have changed.",
  "share.whole": "The whole text is in the link. It works in every lab; nothing is stored anywhere else.",
  "share.link": "Link",
  "share.copy": "Copy",
  "share.copied": "The link is copied.",
  "share.not_copied": "Your browser did not let the link be copied; it is selected, copy it by hand.",
} as const;
