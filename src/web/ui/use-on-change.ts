import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls a function with the value before after each change of a value, not with the first value. */
export function useOnChange<Value>(value: Value, onChange: (before: Value) => void): void {
  const last = useRef(value);
  const run = useEffectEvent(onChange);
  useEffect(() => {
    const before = last.current;
    if (Object.is(before, value)) return;
    last.current = value;
    run(before);
  }, [value]);
}
