import { useEffect, useRef, useState } from 'react';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { answers } from '#web/api/answers.ts';
import { liveState, onPresence } from '#web/api/live/live.ts';
import { apiPaths, type ListPlace } from '#web/api/paths.ts';
import { newIdempotencyKey, request } from '#web/api/request.ts';

/** Whoever steps on quickly has looked at nothing; in milliseconds. */
const FIRST_AFTER = 300;
/** The service forgets after 40 seconds; in milliseconds. */
const AGAIN_AFTER = 15_000;
/** The same while others' coming and going is heard as it happens. */
const AGAIN_WHILE_HEARD = 30_000;
/** Nobody sits at a tab in which nothing was touched for so long; the session must be able to end. */
const AWAY_AFTER = 30 * 60_000;

const NOBODY: readonly Viewer[] = [];

/**
 * Who else has a record open, as it is heard and by asking again and again, while telling the service that one has.
 * Where it cannot be asked nobody is shown; nothing depends on it.
 * @param list the archive's table name or the table's GUID
 * @param record revisionId or jrid
 * @param editing whether there are unsaved changes
 */
export function usePresence(
  kind: ListPlace['kind'],
  list: string,
  record: string,
  editing: boolean,
): readonly Viewer[] {
  const [viewers, setViewers] = useState(NOBODY);
  const beat = useRef<() => void>(undefined);
  const edits = useRef(editing);

  useEffect(() => {
    const here = new AbortController();
    const { signal } = here;
    // Of two tabs, or of a form that is closed and the next one, each is told of by itself.
    const path = apiPaths.viewers({ kind, id: list }, record, newIdempotencyKey());
    let told = false;
    let toldAt = 0;
    /** how often it was heard who is there, which is newer than an answer under way */
    let heard = 0;
    const stopHearing = onPresence((place, id, now) => {
      if (!told || place.kind !== kind || place.id !== list || id !== record) return;
      heard++;
      setViewers(now);
    });
    // One after the other, so that leaving is the last that the service hears.
    let last = Promise.resolve();
    let touched = Date.now();
    const tell = async () => {
      if (signal.aborted) return;
      told = true;
      toldAt = Date.now();
      const before = heard;
      try {
        const { data } = await request(path, {
          method: 'PUT',
          body: { editing: edits.current },
          // A session that is over is told when the clerk does something.
          gate: false,
          parse: async (raw) => (await answers()).viewersAnswer.parse(raw).viewers,
        });
        if (!signal.aborted && heard === before) setViewers(data);
      } catch {
        if (!signal.aborted) setViewers(NOBODY);
      }
    };
    const tellNow = () => {
      const away = Date.now() - touched > AWAY_AFTER;
      if (document.visibilityState === 'visible' && !away) last = last.then(tell);
    };
    const touch = () => {
      touched = Date.now();
    };
    const first = setTimeout(() => {
      beat.current = tellNow;
      tellNow();
    }, FIRST_AFTER);
    const again = setInterval(() => {
      const pause = liveState.get() === 'open' ? AGAIN_WHILE_HEARD : AGAIN_AFTER;
      // Timers are not exact.
      if (Date.now() - toldAt > pause - AGAIN_AFTER / 2) tellNow();
    }, AGAIN_AFTER);
    document.addEventListener('visibilitychange', tellNow, { signal });
    const close = () =>
      request(path, { method: 'DELETE', keepalive: true, gate: false, parse: () => undefined });
    // The page is closed: nothing here goes on.
    addEventListener('pagehide', () => told && void close().catch(() => undefined), { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && tellNow(), { signal });
    for (const event of ['keydown', 'pointerdown', 'pointermove']) {
      document.addEventListener(event, touch, { signal, passive: true });
    }
    return () => {
      here.abort();
      stopHearing();
      setViewers(NOBODY);
      clearTimeout(first);
      clearInterval(again);
      beat.current = undefined;
      const leave = async () => {
        await last;
        if (told) await close();
      };
      // What is not told the service forgets by itself.
      void leave().catch(() => undefined);
    };
  }, [kind, list, record]);

  useEffect(() => {
    edits.current = editing;
    beat.current?.();
  }, [editing]);
  return viewers;
}
