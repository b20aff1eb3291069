import { memoized } from '../values/memoized.ts';
import type { RuleContext } from './compiled-nodes.ts';

/** Making one takes longer than writing hundreds of dates. */
const formatOf = memoized(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    }),
);

/**
 * `today` and `now` of rules (docs/interface/checks.md, section 2).
 * @param at milliseconds since 1970 UTC
 * @param timeZone an IANA name such as `Europe/Berlin`
 */
export function clockOf(at: number, timeZone: string): Pick<RuleContext, 'today' | 'now'> {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? '';
  const today = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  // `GMT+01:00`, or `GMT` alone.
  const offset = part('timeZoneName').slice(3, 9) || '+00:00';
  return { today, now: `${today}T${part('hour')}:${part('minute')}:${part('second')}${offset}` };
}
