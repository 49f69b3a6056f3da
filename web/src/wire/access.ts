// What this browser may do: the engine says it, and gives a cookie for its secret. Scripts cannot read the cookie.

/** `owner` has shown the secret; `guest` may read and run, but not save; `stranger` must show the secret first. */
export type Access = "owner" | "guest" | "stranger";

const path = (): URL => new URL("/access", location.href);

/** Asks what this browser may do. Fails if the engine does not answer. */
export async function readAccess(): Promise<Access> {
  const answer = await fetch(path(), { cache: "no-store" });
  const said = (await answer.text()).trim();
  if (said === "owner" || said === "guest" || said === "stranger") return said;
  throw new Error(`the engine answered ${answer.status}`);
}

/** Shows the secret. `null` if it is the right one, else what the engine says. Fails if the engine does not answer. */
export async function showSecret(secret: string): Promise<string | null> {
  const answer = await fetch(path(), { method: "POST", body: new URLSearchParams({ secret }) });
  return answer.ok ? null : (await answer.text()).trim();
}
