import { useEffect, useState } from 'react';

/**
 * Counts down once per second.
 * @param seconds duration from `since` on
 * @param since milliseconds since 1970
 * @returns whole seconds left, 0 at the end
 */
export function useSecondsLeft(seconds: number, since: number): number {
  const [now, setNow] = useState(() => Date.now());
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
