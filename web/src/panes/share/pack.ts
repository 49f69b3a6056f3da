// A text as the characters of an address, and back. What comes back is bounded while it is unpacked: a short link can hold a text
// a thousand times as long.
import { MAX_TEXT_BYTES } from "../../wire/types.ts";

/** A text that is longer than an experiment may be. */
export class TooLong extends Error {}

/** A text in as few characters as an address can hold. */
export async function pack(text: string): Promise<string> {
  const bytes = await collect(slices(new TextEncoder().encode(text)).pipeThrough(new CompressionStream("deflate-raw")), Infinity);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text of a link. Fails with `TooLong`, or with another error if the link is damaged. */
export async function unpack(packed: string, most = MAX_TEXT_BYTES): Promise<string> {
  // Packed bytes are no more than those of the text and a few for each block, and four characters stand for three of them. A longer
  // link holds too much, or blocks of nothing without end.
  if (packed.length > 2 * most + 64) throw new TooLong();
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (it) => it.charCodeAt(0));
  const unpacked = slices(bytes).pipeThrough(new DecompressionStream("deflate-raw"));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await collect(unpacked, most));
  if (!isText(text)) throw new Error("it is no text");
  return text;
}

/** Whether all characters are those of a text. An editor draws each control character as a sign of its own, and a million of them takes minutes. */
export function isText(text: string): boolean {
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);
}

/** Bytes that are handed out at once. Browsers unpack a whole slice before anybody can stop them, to at most 1032 times its size. */
const SLICE_BYTES = 1024;

function slices(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, (at += SLICE_BYTES)));
      },
    },
    { highWaterMark: 0 },
  );
}

/** All bytes of a stream, if there are no more than `most`. */
async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      // Nobody waits for the end of what is not wanted.
      void reader.cancel().catch(() => undefined);
      throw new TooLong();
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
