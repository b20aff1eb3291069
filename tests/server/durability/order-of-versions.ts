/**
 * One call on one record, as its client saw it. Times are of one clock, in milliseconds.
 * - `read`: it held `value` at `version`
 * - `written`: it made `version` with `value`, over the version before
 * - `refused`: the record was not at the version `over` which the client wanted to write
 * - `unknown`: `value` may have been written, at any time after `begin`, or never
 */
export type Call = { readonly begin: number } & (
  | {
      readonly kind: 'read' | 'written';
      readonly end: number;
      readonly version: number;
      readonly value: string;
    }
  | { readonly kind: 'refused'; readonly end: number; readonly over: number }
  | { readonly kind: 'unknown'; readonly value: string }
);

/**
 * Whether the calls on a record can be put in one order in which each takes effect at once, at a moment between
 * its begin and its end: linearisability (Herlihy and Wing, 1990). Versions say in which order writes took
 * effect, so that it can be decided without trying orders: each version has one value and one writer, nobody
 * sees a version before its write has begun, and no version after a later one was known to be there.
 * @returns what is wrong
 */
export function violations(
  calls: readonly Call[],
  first: { version: number; value: string },
): string[] {
  const found: string[] = [];
  const values = new Map([[first.version, first.value]]);
  /** by version, when its write had begun */
  const begun = new Map([[first.version, Number.NEGATIVE_INFINITY]]);
  const writers = new Map<string, number>();
  for (const call of calls) {
    if (call.kind === 'refused' || call.kind === 'read') continue;
    if (writers.has(call.value)) found.push(`${call.value} is written by two calls`);
    writers.set(call.value, call.begin);
    if (call.kind === 'unknown') continue;
    if (values.has(call.version)) found.push(`version ${call.version} was made twice`);
    values.set(call.version, call.value);
    begun.set(call.version, call.begin);
  }
  for (const call of calls) {
    if (call.kind !== 'read') continue;
    const known = values.get(call.version);
    const begin = writers.get(call.value);
    if (known === undefined) {
      // Then a write of unknown outcome made it.
      if (begin === undefined) found.push(`nobody wrote ${call.value}`);
      else begun.set(call.version, begin);
      values.set(call.version, call.value);
    } else if (known !== call.value) {
      found.push(`version ${call.version} is ${known} and ${call.value}`);
    }
  }

  const shown = calls.flatMap((call) =>
    call.kind === 'read' || call.kind === 'written' ? [call] : [],
  );
  for (const { kind, version, end } of shown) {
    if ((begun.get(version) ?? 0) > end)
      found.push(`version ${version} was ${kind} before its write`);
  }
  const byEnd = shown.toSorted((a, b) => a.end - b.end);
  const latest = { version: first.version, next: 0 };
  for (const call of calls.toSorted((a, b) => a.begin - b.begin)) {
    for (let one = byEnd[latest.next]; one && one.end < call.begin; one = byEnd[latest.next]) {
      latest.version = Math.max(latest.version, one.version);
      latest.next += 1;
    }
    if (call.kind === 'read' && call.version < latest.version) {
      found.push(`version ${call.version} was read after ${latest.version}`);
    }
    if (call.kind === 'written' && call.version <= latest.version) {
      found.push(`version ${call.version} was made after ${latest.version}`);
    }
  }
  const versions = [...begun].sort(([a], [b]) => a - b);
  for (const call of calls) {
    if (call.kind !== 'refused') continue;
    // Some later version must have been there by its end.
    const may = versions.some(([version, begin]) => version > call.over && begin < call.end);
    const unknown = calls.some((one) => one.kind === 'unknown' && one.begin < call.end);
    if (!may && !unknown) found.push(`over ${call.over} was refused, and nothing had changed it`);
  }
  return found;
}
