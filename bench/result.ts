/** What a benchmark measured. */
export interface BenchResult {
  readonly name: string;
  /** by what was measured; milliseconds where the name says nothing else */
  readonly figures: Readonly<Record<string, number>>;
}
