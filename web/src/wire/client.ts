// The connection to the engine: questions out, answers and news in. It comes back by itself when it is lost.
//
// A question carries an `id`, and its answer is a promise; everything else that arrives is news. What answers a question of an
// earlier connection never arrives: its promise fails, and whoever asked asks again if it still wants to know.
import type { Ask, Head, Tell } from "./types.ts";

/** A question: an `Ask` that carries an `id`. */
export type Question = Extract<Ask, { id: number }>;
/** A question without its number, which the client gives. */
export type Unnumbered<Q> = Q extends { id: number } ? Omit<Q, "id"> : never;

/** A binary message: what it is, and its numbers. */
export interface Chunk {
  head: Head;
  /** The whole message; numbers begin at `start`, a multiple of 8. */
  buffer: ArrayBuffer;
  start: number;
}

export type News = { kind: "tell"; tell: Tell } | { kind: "chunk"; chunk: Chunk };

/** Why a question has no answer. */
export class Refused extends Error {}

interface Waiting {
  resolve: (answer: Tell | Chunk) => void;
  reject: (why: Error) => void;
}

const LONGEST_PAUSE = 5000;

export class Client {
  #socket: WebSocket | null = null;
  #waiting = new Map<number, Waiting>();
  #next = 1;
  #pause = 200;
  /** Bytes of binary messages so far. */
  bytes = 0;
  readonly #url: string;
  readonly #news: (news: News) => void;
  readonly #state: (connected: boolean) => void;

  constructor(url: string, news: (news: News) => void, state: (connected: boolean) => void) {
    this.#url = url;
    this.#news = news;
    this.#state = state;
    this.#connect();
  }

  /** Says something that has no answer of its own. Lost if there is no connection: whoever cares says it again at `welcome`. */
  say(ask: Ask): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(ask));
    return true;
  }

  /** Asks a question. Fails with `Refused` if the engine refuses, and if the connection is lost. */
  ask<Q extends Unnumbered<Question>>(question: Q): Promise<Tell | Chunk> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (!this.say({ ...question, id } as unknown as Ask)) {
        reject(new Refused("not connected"));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
    });
  }

  #connect(): void {
    const socket = new WebSocket(this.#url);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.#pause = 200;
      this.#state(true);
    });
    socket.addEventListener("message", (event: MessageEvent<string | ArrayBuffer>) => this.#take(event.data));
    socket.addEventListener("close", () => {
      this.#socket = null;
      const lost = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const waiting of lost) waiting.reject(new Refused("the connection was lost"));
      this.#state(false);
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    });
    this.#socket = socket;
  }

  #take(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      const tell = JSON.parse(data) as Tell;
      const waiting = "id" in tell ? this.#answered(tell.id) : undefined;
      if (waiting === undefined) this.#news({ kind: "tell", tell });
      else if (tell.tell === "refused") waiting.reject(new Refused(tell.why));
      else waiting.resolve(tell);
      return;
    }
    this.bytes += data.byteLength;
    const chunk = decode(data);
    const waiting = this.#answered(chunk.head.id);
    if (waiting === undefined) this.#news({ kind: "chunk", chunk });
    else waiting.resolve(chunk);
  }

  #answered(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

/** Reads the head of a binary message. */
export function decode(buffer: ArrayBuffer): Chunk {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Head;
  return { head, buffer, start: 4 + length };
}
