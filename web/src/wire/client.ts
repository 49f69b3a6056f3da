// The connection to the engine: questions out, answers and news in. It comes back by itself when it is lost.
//
// A question carries an `id`, and its answer is a promise; everything else that arrives is news. What answers a question of an
// earlier connection never arrives: its promise fails, and whoever asked asks again if it still wants to know.
//
// A stranger is not connected: the engine would refuse, and a browser does not say why. `reconnect` tries again.
import { type Access, readAccess } from "./access.ts";
import { type ChunkHead, MAX_REQUEST_BYTES, type Reply, type Request } from "./types.ts";

/** A request: a `Request` that carries an `id`. */
export type NumberedRequest = Extract<Request, { id: number }>;
/** A question without its number, which the client gives. */
export type Unnumbered<Q> = Q extends { id: number } ? Omit<Q, "id"> : never;

/** A binary message: what it is, and its numbers. */
export interface Chunk {
  head: ChunkHead;
  /** The whole message; numbers begin at `start`, a multiple of 8. */
  buffer: ArrayBuffer;
  start: number;
}

export type Message = { kind: "reply"; reply: Reply } | { kind: "chunk"; chunk: Chunk };

/** Why a question has no answer. */
export class Refused extends Error {}

interface Waiting {
  resolve: (answer: Reply | Chunk) => void;
  reject: (why: Error) => void;
}

const MIN_RETRY_DELAY = 200;
const MAX_RETRY_DELAY = 5000;

export class Client {
  #socket: WebSocket | null = null;
  #waiting = new Map<number, Waiting>();
  #next = 1;
  #retryDelay = MIN_RETRY_DELAY;
  /** Bytes of binary messages so far. */
  bytes = 0;
  readonly #url: string;
  readonly #onMessage: (message: Message) => void;
  readonly #onConnection: (connected: boolean) => void;
  readonly #onAccess: (access: Access) => void;

  constructor(url: string, onMessage: (message: Message) => void, onConnection: (connected: boolean) => void, onAccess: (access: Access) => void) {
    this.#url = url;
    this.#onMessage = onMessage;
    this.#onConnection = onConnection;
    this.#onAccess = onAccess;
    void this.#connect();
  }

  /** Connects anew, as after the secret was shown: the engine looks at it when a connection begins. */
  reconnect(): void {
    // The end of a connection begins the next one.
    this.#retryDelay = 0;
    if (this.#socket !== null) this.#socket.close();
    else void this.#connect();
  }

  /** Says something that has no answer of its own. Lost if there is no connection: whoever cares says it again at `welcome`. */
  send(request: Request): "sent" | "lost" | "too long" {
    if (this.#socket?.readyState !== WebSocket.OPEN) return "lost";
    const message = JSON.stringify(request);
    // The engine would end the connection, and get the same again from the next one.
    if (!fits(message)) return "too long";
    this.#socket.send(message);
    return "sent";
  }

  /** Asks a question. Fails with `Refused` if the engine refuses, and if the connection is lost. */
  request<Q extends Unnumbered<NumberedRequest>>(request: Q): Promise<Reply | Chunk> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const sent = this.send({ ...request, id } as unknown as Request);
      if (sent === "sent") this.#waiting.set(id, { resolve, reject });
      else reject(new Refused(sent === "lost" ? "not connected" : "this is longer than the engine reads"));
    });
  }

  async #connect(): Promise<void> {
    try {
      const access = await readAccess();
      this.#onAccess(access);
      if (access === "stranger" || this.#socket !== null) return;
    } catch {
      this.#retry();
      return;
    }
    const socket = new WebSocket(this.#url);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.#retryDelay = MIN_RETRY_DELAY;
      this.#onConnection(true);
    });
    socket.addEventListener("message", (event: MessageEvent<string | ArrayBuffer>) => this.#receive(event.data));
    socket.addEventListener("close", () => {
      this.#socket = null;
      const lost = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const waiting of lost) waiting.reject(new Refused("the connection was lost"));
      this.#onConnection(false);
      this.#retry();
    });
    this.#socket = socket;
  }

  #retry(): void {
    setTimeout(() => void this.#connect(), this.#retryDelay);
    this.#retryDelay = Math.min(Math.max(2 * this.#retryDelay, MIN_RETRY_DELAY), MAX_RETRY_DELAY);
  }

  #receive(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      const reply = JSON.parse(data) as Reply;
      const waiting = "id" in reply ? this.#takeWaiting(reply.id) : undefined;
      if (waiting === undefined) this.#onMessage({ kind: "reply", reply });
      else if (reply.type === "refused") waiting.reject(new Refused(reply.why));
      else waiting.resolve(reply);
      return;
    }
    this.bytes += data.byteLength;
    const chunk = decode(data);
    const waiting = this.#takeWaiting(chunk.head.id);
    if (waiting === undefined) this.#onMessage({ kind: "chunk", chunk });
    else waiting.resolve(chunk);
  }

  #takeWaiting(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

/** Whether the engine reads a message of this length. */
function fits(message: string): boolean {
  // A character is at most three bytes.
  return 3 * message.length <= MAX_REQUEST_BYTES || new TextEncoder().encode(message).length <= MAX_REQUEST_BYTES;
}

/** Reads the head of a binary message. */
export function decode(buffer: ArrayBuffer): Chunk {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as ChunkHead;
  return { head, buffer, start: 4 + length };
}
