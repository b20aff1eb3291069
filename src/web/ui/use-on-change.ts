import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls a function after each change of a value, not with the first value. */
export function useOnChange(value: unknown, onChange: () => void): void {
  const before = useRef(value);
  const run = useEffectEvent(onChange);
  useEffect(() => {
    if (Object.is(before.current, value)) return;
    before.current = value;
    run();
  }, [value]);
}
