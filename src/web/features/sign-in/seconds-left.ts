import { useEffect, useState } from 'react';
import type { ApiFailure } from '#web/api/failure.ts';

/**
 * Counts the seconds until the next attempt is allowed, once per second.
 * @param since when the failed attempt was sent, in milliseconds since 1970
 * @returns whole seconds left, 0 at the end
 */
export function useSecondsLeft(failure: ApiFailure | undefined, since: number): number {
  const [now, setNow] = useState(() => Date.now());
  const isThrottled = failure?.kind === 'api' && failure.status === 429;
  const seconds = isThrottled ? (failure.retryAfter ?? 0) : 0;
  const until = since + seconds * 1000;
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const tick = () => {
      const time = Date.now();
      setNow(time);
      if (time >= until) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [seconds, until]);
  // `now` may be older than the answer; the result never exceeds `seconds`.
  return seconds <= 0 ? 0 : Math.min(seconds, Math.max(0, Math.ceil((until - now) / 1000)));
}
