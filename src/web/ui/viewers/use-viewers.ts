import { useEffect, useRef, useState } from 'react';
import type { Viewer } from '#shared/desk.ts';
import { answers } from '#web/api/answers.ts';
import { request } from '#web/api/request.ts';

/** Whoever steps on quickly has looked at nothing; in milliseconds. */
const FIRST_AFTER = 300;
/** The service forgets after 40 seconds; in milliseconds. */
const AGAIN_AFTER = 15_000;
/** Nobody sits at a tab in which nothing was touched for so long; the session must be able to end. */
const AWAY_AFTER = 30 * 60_000;

const NOBODY: readonly Viewer[] = [];

/**
 * Who else has a record open, by asking again and again, while telling the service that one has.
 * Where it cannot be asked nobody is shown; nothing depends on it.
 * @param path of the record's viewers
 * @param editing whether there are unsaved changes
 */
export function useViewers(path: string, editing: boolean): readonly Viewer[] {
  const [viewers, setViewers] = useState(NOBODY);
  const beat = useRef<() => void>(undefined);
  const edits = useRef(editing);

  useEffect(() => {
    const here = new AbortController();
    const { signal } = here;
    let told = false;
    // One after the other, so that leaving is the last that the service hears.
    let last = Promise.resolve();
    let touched = Date.now();
    const tell = async () => {
      if (signal.aborted) return;
      told = true;
      try {
        const { data } = await request(path, {
          method: 'PUT',
          body: { editing: edits.current },
          // A session that is over is told when the clerk does something.
          gate: false,
          parse: async (raw) => (await answers()).viewersAnswer.parse(raw).viewers,
        });
        if (!signal.aborted) setViewers(data);
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
    const again = setInterval(tellNow, AGAIN_AFTER);
    document.addEventListener('visibilitychange', tellNow, { signal });
    for (const event of ['keydown', 'pointerdown', 'pointermove']) {
      document.addEventListener(event, touch, { signal, passive: true });
    }
    return () => {
      here.abort();
      clearTimeout(first);
      clearInterval(again);
      beat.current = undefined;
      const leave = async () => {
        await last;
        if (told) await request(path, { method: 'DELETE', gate: false, parse: () => undefined });
      };
      // What is not told the service forgets by itself.
      void leave().catch(() => undefined);
    };
  }, [path]);

  useEffect(() => {
    edits.current = editing;
    beat.current?.();
  }, [editing]);
  return viewers;
}
