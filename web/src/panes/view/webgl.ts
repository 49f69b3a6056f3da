// Asks the browser for WebGL. Where there is no graphics card, edges are not smoothed and shadows are coarse: that would halve the
// number of pictures.

function looksSoftware(): boolean {
  const probe = document.createElement("canvas").getContext("webgl2");
  const info = probe?.getExtension("WEBGL_debug_renderer_info") ?? null;
  if (probe === null || info === null) return false;
  const name = String(probe.getParameter(info.UNMASKED_RENDERER_WEBGL));
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

let known: boolean | null = null;

/** Whether pictures are made without a graphics card. */
export function isSoftware(): boolean {
  known ??= looksSoftware();
  return known;
}

/** Nothing, if there is no WebGL. */
export function contextOf(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  return canvas.getContext("webgl2", { alpha: true, antialias: !isSoftware(), depth: true, stencil: true });
}
