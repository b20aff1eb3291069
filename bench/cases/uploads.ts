import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { copyOfData } from '../data/databases.ts';
import { revisionValues } from '../data/revisions.ts';
import { processorTime } from '../process.ts';
import { rounded, type BenchResult } from '../result.ts';
import { startBare, startMeasured, type MeasuredService } from '../rig.ts';
import { rowsOr } from '../settings.ts';
import { archivePath } from './requests.ts';

const FILES = 10_000;
const FILE_BYTES = 200 * 1024;
/** As many at a time as the web admin sends. */
const AT_A_TIME = 6;
const MIN_SHARE = 0.5;

/**
 * Documents of one file each, beside a bare program that stores such files durably, and beside writing and flushing
 * them to the same disk.
 */
export async function run(): Promise<BenchResult> {
  const count = rowsOr(FILES);
  const { dataDir, remove } = await copyOfData(100);
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-uploads-copy-'));
  try {
    const written = await perSecond(count, (i) => write(join(folder, `${i}.pdf`)));
    const bare = await startBare({ folder: join(folder, 'bare') });
    let stored: number;
    try {
      await perSecond(AT_A_TIME, () => sendTo(bare.at.url));
      stored = await perSecond(count, () => sendTo(bare.at.url));
    } finally {
      await bare.stop();
    }
    const service = await startMeasured({ dataDir });
    let uploaded: number;
    let spent: number;
    try {
      await perSecond(AT_A_TIME, () => upload(service));
      const before = await processorTime(service.process.pid);
      uploaded = await perSecond(count, () => upload(service));
      spent = (await processorTime(service.process.pid)) - before;
    } finally {
      await service.process.stop();
    }
    const share = uploaded / written;
    return {
      name: 'uploads',
      figures: {},
      rows: [
        {
          what: 'documents with a file of 200 KB, uploaded',
          size: count,
          connections: AT_A_TIME,
          unit: 'per s',
          value: rounded(uploaded),
          floors: {
            'files stored by a bare program': rounded(stored),
            'files written and flushed': rounded(written),
          },
          goal: { says: `≥ ${MIN_SHARE} × files written and flushed`, met: share >= MIN_SHARE },
          more: {
            'MB per s': rounded((uploaded * FILE_BYTES) / 1e6),
            'processor (ms each)': rounded(spent / count),
          },
        },
      ],
    };
  } finally {
    await remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function perSecond(count: number, work: (i: number) => Promise<void>): Promise<number> {
  const limit = pLimit(AT_A_TIME);
  const begun = performance.now();
  await Promise.all(Array.from({ length: count }, (_, i) => limit(() => work(i))));
  return (count / (performance.now() - begun)) * 1000;
}

// Each file has other bytes: files are stored by their digest.
async function write(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(randomBytes(FILE_BYTES));
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sendTo(url: string): Promise<void> {
  const answer = await fetch(`${url}/files`, {
    method: 'POST',
    headers: { 'content-type': 'application/pdf' },
    body: randomBytes(FILE_BYTES),
  });
  if (answer.status !== 201) throw new Error(`Not stored: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function upload({ url, headers }: MeasuredService): Promise<void> {
  const form = new FormData();
  Object.entries(revisionValues(4711)).forEach(([name, value], i) => {
    form.set(`indexFields[${i}][name]`, name);
    form.set(`indexFields[${i}][value]`, String(value ?? ''));
  });
  const file = new Blob([randomBytes(FILE_BYTES)], { type: 'application/pdf' });
  form.set('files[0]', file, 'letter.pdf');
  const answer = await fetch(`${url}${archivePath}/documents`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': randomUUID() },
    body: form,
  });
  if (answer.status !== 201) throw new Error(`Not uploaded: ${await answer.text()}`);
  await answer.arrayBuffer();
}
