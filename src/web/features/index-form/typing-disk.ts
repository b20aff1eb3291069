import type { Pin, Pins } from './carried.ts';
import type { Held, HeldValues } from './held.ts';

/** A revision that was worked on, with what stood in its editors at the end. */
export interface Previous {
  readonly revisionId: string;
  readonly values: HeldValues;
}

/** What outlives a reload of the page: the carried fields, and what ditto copies from. */
export interface KeptTyping {
  /** where the fields are carried on; null: in the list */
  readonly queue: string | null;
  readonly pins: Pins;
  /** the newest first */
  readonly corrected: readonly Previous[];
  readonly lookedAt: readonly Previous[];
}

/** Whoever has been through more since pinning a field does not go back so far. */
const MOST_SETTLED = 2_000;

/** The tab's own; it goes with the tab. */
export function readTyping(username: string, archive: string): KeptTyping {
  try {
    return asKept(JSON.parse(sessionStorage.getItem(keyOf(username, archive)) ?? 'null'));
  } catch {
    // What cannot be read is no more than typed again.
    return asKept(null);
  }
}

/** Keeps it until the tab is closed; where the browser keeps nothing, until the page is left. */
export function writeTyping(username: string, archive: string, kept: KeptTyping): void {
  const pins = [...kept.pins].map(([place, { value, from, settled }]) => ({
    place,
    value,
    from,
    settled: [...settled].slice(-MOST_SETTLED),
  }));
  const { queue } = kept;
  const worked = ({ revisionId, values }: Previous) => ({ revisionId, values: [...values] });
  const corrected = kept.corrected.map(worked);
  const lookedAt = kept.lookedAt.map(worked);
  try {
    sessionStorage.setItem(
      keyOf(username, archive),
      JSON.stringify({ queue, pins, corrected, lookedAt }),
    );
  } catch {
    // Full, or not allowed: it lasts as long as the page.
  }
}

function keyOf(username: string, archive: string): string {
  return `indexdesk-typing ${JSON.stringify([username, archive])}`;
}

/** Anybody may write into the browser's storage: what is not as it should be is left out. */
function asKept(raw: unknown): KeptTyping {
  const queue = at(raw, 'queue');
  return {
    queue: typeof queue === 'string' ? queue : null,
    pins: new Map(listAt(raw, 'pins').flatMap(asPin)),
    corrected: listAt(raw, 'corrected').flatMap(asPrevious),
    lookedAt: listAt(raw, 'lookedAt').flatMap(asPrevious),
  };
}

function asPin(raw: unknown): [string, Pin][] {
  const [place, value, from] = [at(raw, 'place'), at(raw, 'value'), at(raw, 'from')];
  if (typeof place !== 'string' || typeof from !== 'string' || !isHeld(value)) return [];
  const settled = new Set(listAt(raw, 'settled').filter((id) => typeof id === 'string'));
  return [[place, { value, from, settled }]];
}

function asPrevious(raw: unknown): Previous[] {
  const revisionId = at(raw, 'revisionId');
  if (typeof revisionId !== 'string') return [];
  const values = listAt(raw, 'values').flatMap((entry): [string, Held][] => {
    const [place, held]: unknown[] = Array.isArray(entry) ? entry : [];
    return typeof place === 'string' && isHeld(held) ? [[place, held]] : [];
  });
  return [{ revisionId, values: new Map(values) }];
}

function isHeld(raw: unknown): raw is Held {
  if (raw === null || typeof raw === 'string') return true;
  return Array.isArray(raw) && raw.every((each) => typeof each === 'string');
}

function at(raw: unknown, key: string): unknown {
  return typeof raw === 'object' && raw !== null ? Reflect.get(raw, key) : undefined;
}

function listAt(raw: unknown, key: string): unknown[] {
  const list = at(raw, key);
  return Array.isArray(list) ? list : [];
}
