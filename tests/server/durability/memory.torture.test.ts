import { readFile, writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService } from '#tests/support/service-process.ts';
import { buildWorkbook } from '#tests/support/workbooks.ts';
import { ARCHIVE, DATASETS, prepareLedger, USERNAME } from './ledger-content.ts';

const MIB = 1024 * 1024;
/** Megabytes that the process may take with all its threads, whatever is sent. */
const MOST = 450;
const TABLE = DATASETS.replace(/\/datasets$/, '');

interface Sent {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

describeOnOneDatabase('a service that is sent what unpacks to much', (_open, databases) => {
  test('keeps below 450 MB', { timeout: 1_800_000 }, async () => {
    const config = await databases.prepare();
    await prepareLedger(config);
    // Without what the first line of the program sets.
    const service = await startService({
      ...config,
      args: ['--empty'],
      under: [process.execPath],
    });
    onTestFinished(() => service.kill());
    const client = new ServiceClient(service.url);
    await client.signIn(USERNAME, PASSWORD);

    const send = async ({ path, type, body }: Sent) => {
      const headers = { cookie: client.cookie, 'content-type': type };
      const url = `${client.url}/api/rest/v2/${path}`;
      const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
      await response.arrayBuffer();
      return response.status;
    };
    const upload = (path: string, name: string, bytes: Buffer): Sent => {
      const { body, headers } = formOf([['files[0]', { name, bytes }]]);
      return { path, type: headers['content-type'], body };
    };
    const inspect = (name: string, bytes: Buffer) =>
      upload(`${TABLE}/imports/inspections`, name, bytes);
    const json = (body: string): Sent => ({
      path: DATASETS,
      type: 'application/json',
      body: Buffer.from(body),
    });
    const peaks: string[] = [];
    /** Sends all at once. @returns the largest memory meanwhile, in megabytes */
    const peakOf = async (name: string, all: readonly Sent[]) => {
      // Starts the largest memory anew (proc(5)).
      await writeFile(`/proc/${service.pid}/clear_refs`, '5');
      const statuses = new Set(
        await Promise.all(all.map((one) => send(one).catch(() => 'closed'))),
      );
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
      const peak = Math.round(Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024);
      peaks.push(`${name}: ${peak} MB (${[...statuses].join(', ')})`);
      console.log(peaks.at(-1));
      return peak;
    };
    const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
    const list = (entry: string, count: number) => times(count, entry).join();

    const cell = (length: number) => `<c t="inlineStr"><is><t>${'x'.repeat(length)}</t></is></c>`;
    const small = '{"token":"a","note":"b"}';
    const cases: Readonly<Record<string, readonly Sent[]>> = {
      'six XLSX of 400 MB': times(
        6,
        inspect(
          'a.xlsx',
          await buildWorkbook({ rows: repeated(`<row>${cell(350).repeat(900)}</row>`, 400) }),
        ),
      ),
      'six XLSX with many shared strings': times(
        6,
        inspect('a.xlsx', await buildWorkbook({ strings: repeated('<si><t>a</t></si>', 400) })),
      ),
      'six XLSX with long shared strings': times(
        6,
        inspect(
          'a.xlsx',
          await buildWorkbook({ strings: repeated(`<si><t>${'ä€'.repeat(10_000)}</t></si>`, 400) }),
        ),
      ),
      'six XLSX with many styles': times(
        6,
        inspect(
          'a.xlsx',
          await buildWorkbook({
            styles: ['<cellXfs>', ...repeated('<xf numFmtId="0"/>', 400), '</cellXfs>'],
          }),
        ),
      ),
      'six CSV of one line': times(
        6,
        inspect('a.csv', Buffer.from(`token,note\n${','.repeat(50 * MIB)}`)),
      ),
      'six CSV with a quoted text': times(
        6,
        inspect('a.csv', Buffer.from(`token,note\n"${'a\n'.repeat(25 * MIB)}"`)),
      ),
      'eight bodies of small datasets': times(8, json(`{"datasets":[${list(small, 770_000)}]}`)),
      'eight bodies of numbers': times(8, json(`{"datasets":[${list('1', 14_000_000)}]}`)),
      'eight bodies of one text': times(
        8,
        json(`{"datasets":[{"token":"${'x'.repeat(28 * MIB)}"}]}`),
      ),
      'sixty bodies of 9,000 datasets': times(60, json(`{"datasets":[${list(small, 9_000)}]}`)),
      'six PDFs of 1 GB': times(6, upload(`${ARCHIVE}/documents`, 'a.pdf', pdfOf(1_024))),
    };
    const found: Record<string, number> = {};
    for (const [name, all] of Object.entries(cases)) found[name] = await peakOf(name, all);
    found['all'] = await peakOf(
      'all',
      Object.values(cases).flatMap((all) => all.slice(0, 3)),
    );
    expect(Object.entries(found).filter(([, peak]) => peak >= MOST)).toEqual([]);
  });
});

/** A page whose content unpacks to so many megabytes. */
function pdfOf(megabytes: number): Buffer {
  const content = deflateSync(Buffer.alloc(megabytes * MIB, ' '));
  const head = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>> endobj
4 0 obj <</Length ${content.length}/Filter/FlateDecode>> stream\n`;
  const end = '\nendstream endobj\ntrailer <</Root 1 0 R>>\n';
  return Buffer.concat([Buffer.from(head), content, Buffer.from(end)]);
}

/** XML of so many megabytes that repeats a piece. */
function* repeated(piece: string, megabytes: number): Generator<string> {
  const block = piece.repeat(Math.ceil(MIB / Buffer.byteLength(piece)));
  for (let i = 0; i < megabytes; i += 1) yield block;
}
