/** The whole numbers of a range, inclusive. */
export function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
