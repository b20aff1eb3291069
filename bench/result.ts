/** What a benchmark measured. */
export interface BenchResult {
  readonly name: string;
  /** by what was measured; milliseconds where the name says nothing else */
  readonly figures: Readonly<Record<string, number>>;
  /** what is told with its floors */
  readonly rows?: readonly Row[];
}

/** A figure beside what is possible at most. */
export interface Row {
  readonly what: string;
  /** revisions, and records, of the database */
  readonly size: number;
  /** null: one request after the other */
  readonly connections: number | null;
  readonly unit: 'per s' | 'ms' | 'MB' | 'KB';
  readonly value: number;
  /** measured in the same run, in the same unit, by name */
  readonly floors: Readonly<Record<string, number>>;
  /** the line of the table in docs/how-fast.md where rows of the same goal stand together, as their slowest; else one of its own */
  readonly line?: string;
  /** whether it should hardly grow with the size */
  readonly constant?: boolean;
  readonly goal?: { readonly says: string; readonly met: boolean };
  /** further figures of the same measurement */
  readonly more?: Readonly<Record<string, number>>;
}

/** A figure with as many digits as mean something. */
export function rounded(value: number): number {
  return Number(value.toPrecision(value >= 1000 ? 4 : 3));
}
