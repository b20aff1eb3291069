import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';

export interface TateRow {
  readonly values: Record<string, string>;
  /** as it stands in the file, with its line break */
  readonly raw: string;
}

/** The rows of a CSV file as they stand in it: read here on its own, as it is what the load is measured by. */
export async function* rowsOf(path: string): AsyncGenerator<TateRow> {
  const source = createReadStream(path);
  const text = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  const rows: AsyncIterable<{ record: Record<string, string>; raw: string }> = text.pipe(
    parse({ columns: true, raw: true, record_delimiter: ['\r\n', '\n'] }),
  );
  for await (const { record, raw } of rows) yield { values: record, raw };
}
