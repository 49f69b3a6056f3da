// Words of the page: links.
export const share = {
  "share.share": "Share",
  "share.title": "Share as a link",
  "share.named": "The experiment is in every lab's gallery: the link names it, and the values you have changed.",
  "share.whole": "The whole text is in the link. It works in every lab; nothing is stored anywhere else.",
  "share.carries": "With plots, arrows, camera and moment as they are now",
  "share.link": "Link",
  "share.copy": "Copy",
  "share.copied": "The link is copied.",
  "share.not_copied": "Your browser did not let the link be copied; it is selected, copy it by hand.",
  "share.came": "This experiment came with the link. It is in no file yet.",
  "share.stopped": "This experiment came with the link. It was stopped after {seconds} s, because nobody here has asked for more.",
  "share.damaged": "The text of the link is damaged and was not opened. Copy the link again, whole.",
  "share.too_long": "The text of the link is longer than {size} MiB and was not opened.",
  "share.run_whole": "Run it to its end",
} as const;
