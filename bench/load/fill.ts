/** Counts all requests and statements of this process, so that a value that was once written is never written again. */
let count = Math.floor(Date.now() % 1_000_000_000);

export interface Filler {
  readonly n: number;
  readonly id: number;
}

/** The next number, and one of the ids 1 to `ids`, scattered. */
export function nextFiller(ids: number): Filler {
  count += 1;
  return { n: count, id: 1 + ((count * 7919) % ids) };
}

/** Puts them in the places of `{n}` and `{id}`. */
export function fill(text: string, { n, id }: Filler): string {
  if (!text.includes('{')) return text;
  return text.replaceAll('{n}', String(n)).replaceAll('{id}', String(id));
}
