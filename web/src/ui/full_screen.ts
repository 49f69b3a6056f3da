// The whole screen for the page. A browser may refuse; then the page stays as it is.

export function toggleFullScreen(): void {
  if (document.fullscreenElement === null) document.documentElement.requestFullscreen?.().catch(() => {});
  else leaveFullScreen();
}

export function leaveFullScreen(): void {
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {});
}
