import { type RefObject, useEffect, useRef } from 'react';

/**
 * A ref to the value of the last render, for stable functions that are called later. Functions that only effects call
 * are `useEffectEvent`.
 */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
