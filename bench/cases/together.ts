import { bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { median } from '../figures.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { inRounds, startGenerator, withRig, type Rig } from '../rig.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { archivePath, change, exportOf, PAGES } from './requests.ts';

const EDITED = 100_000;
/** Each of so many readers asks for a page a second. */
const READERS = 20;
const SAVES = 20;

/** Saves while an export, a bulk edit and readers have the service busy. */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await withRig(size, measure)));
  return { name: 'together', figures: {}, rows };
}

async function measure(rig: Rig): Promise<Row[]> {
  const { url, headers } = rig.service;
  const [saver, reader] = [startGenerator(), startGenerator()];
  const job = { url, headers, ids: rig.size, seconds: SECONDS * 10 };
  try {
    const alone = await saver.run({ ...job, requests: [change], connections: 4, rate: SAVES });
    const among = await inRounds(async () => {
      const seconds = SECONDS * 2;
      const [pages] = await Promise.all([
        reader.run({ ...job, seconds, requests: PAGES, connections: READERS, rate: READERS }),
        saver.run({ ...job, seconds, requests: [change], connections: 4, rate: SAVES }),
      ]);
      return pages;
    });
    const page = median(among.map(({ p50 }) => p50));
    const slowPage = median(among.map(({ p99 }) => p99));
    let rule = 0;
    const rounds = await inRounds(async () => {
      console.error(`  save beside others of ${rig.size}`);
      const at = await startBulkEdit(rig, ++rule);
      const [saves, pages, exports] = await Promise.all([
        saver.run({ ...job, requests: [change], connections: 4, rate: SAVES }),
        reader.run({ ...job, requests: PAGES, connections: READERS, rate: READERS }),
        rig.load({ requests: [exportOf('csv')], seconds: job.seconds }),
      ]);
      await call(rig, 'POST', `${at}/pause`);
      return { saves, pages, exports };
    });
    const of = (take: (round: (typeof rounds)[number]) => number) => median(rounds.map(take));
    const p99 = of(({ saves }) => saves.p99);
    const pages: Row = {
      what: 'list page among 20 saves a second',
      size: rig.size,
      connections: null,
      unit: 'ms',
      value: rounded(page),
      floors: {},
      goal: { says: 'p50 ≤ 5 ms, p99 ≤ 30 ms', met: page <= 5 && slowPage <= 30 },
      more: { p99: rounded(slowPage) },
    };
    const saves: Row = {
      what: 'save beside an export, a bulk edit and 20 readers, p99',
      size: rig.size,
      connections: null,
      unit: 'ms',
      value: rounded(p99),
      floors: { 'p99 alone': rounded(alone.p99) },
      goal: { says: '≤ 50 ms', met: p99 <= 50 },
      more: {
        p50: rounded(of(({ saves }) => saves.p50)),
        most: rounded(of(({ saves }) => saves.most)),
        'page p50': rounded(of(({ pages }) => pages.p50)),
        'page p99': rounded(of(({ pages }) => pages.p99)),
        'export (ms)': rounded(of(({ exports }) => exports.p50)),
      },
    };
    return [pages, saves];
  } finally {
    await saver.stop();
    await reader.stop();
  }
}

/** Plans a bulk edit of 100,000 revisions and lets it begin. @returns the path of its calls */
async function startBulkEdit(rig: Rig, rule: number): Promise<string> {
  const path = `${archivePath}/bulkedits`;
  const count = Math.min(EDITED, rig.size);
  const revisionIds = Array.from(
    { length: count },
    (_, i) => 1 + Math.floor((i * rig.size) / count),
  );
  const edits = [{ field: 'SUBJECT', do: 'append', text: ` (${rule})` }];
  const planned = await call(rig, 'POST', path, { selection: { revisionIds }, edits });
  const [bulkEdit] = bulkEditsAnswer.parse(planned).bulkedits;
  const at = `${path}/${bulkEdit?.bulkEditId}`;
  await call(rig, 'POST', `${at}/apply`, { onChanged: 'leaveOut' });
  return at;
}

async function call(
  { service }: Rig,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(service.url + path, {
    method,
    headers: { ...service.headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said: unknown = await answer.json();
  // A job that has ended cannot be paused.
  if (!answer.ok && answer.status !== 409) throw new Error(`${path}: ${JSON.stringify(said)}`);
  return said;
}
