import { useEffect, useEffectEvent } from 'react';

/**
 * Calls a function once a value has been the same for some time; also with the first value.
 * @param delay in milliseconds
 */
export function useDebouncedEffect<Value>(
  value: Value,
  delay: number,
  effect: (value: Value) => void,
): void {
  const run = useEffectEvent(effect);
  useEffect(() => {
    const timer = setTimeout(() => run(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
}
