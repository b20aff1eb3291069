/** A number below 2^32, scattered over them, but the same for the same `i` in each run. */
export function scattered(i: number): number {
  return (i * 2654435761) % 4294967296;
}

/** A day of the years 2015 to 2025. */
export function dayOf(number: number): string {
  return new Date(Date.UTC(2015, 0, 1 + (number % 4000))).toISOString().slice(0, 10);
}

/** One of some texts. */
export function one(texts: readonly string[], number: number): string {
  return texts[number % texts.length] ?? '';
}

/** Lines of CSV for the rows 1 to `count`, after one of names, many at a time; no value may need quotes. */
export function* csv(
  names: readonly string[],
  count: number,
  valuesOf: (row: number) => readonly unknown[],
): Generator<string> {
  yield `${names.join(',')}\n`;
  let chunk = '';
  for (let i = 1; i <= count; i++) {
    chunk += `${valuesOf(i).join(',')}\n`;
    if (i % 1000 === 0) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
