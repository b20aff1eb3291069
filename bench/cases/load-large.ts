import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { openDatabase } from '#server/database/open-database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { rounded, type BenchResult } from '../result.ts';
import { rowsOr } from '../settings.ts';

const INDEXDESK = fileURLToPath(new URL('../../bin/indexdesk.js', import.meta.url));
/** More than a Map can hold (2^24). */
const ROWS = 20_000_000;
const GOAL_MEMORY = 1_024;

/** A load of more rows than fit into memory: the time, and the memory of the process at its highest. */
export async function run(): Promise<BenchResult> {
  const size = rowsOr(ROWS);
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-load-large-copy-'));
  const dataDir = join(folder, 'data');
  try {
    console.error(`  writing ${size} rows`);
    await pipeline(Readable.from(linesOf(size)), createWriteStream(join(folder, 'rows.csv')));
    const columns = [{ name: 'no', type: 'integer', unique: true }];
    const datasetsFrom = { csv: 'rows.csv', jrid: 'jrid' };
    const table = { guid: '7c4e52a1-3b0f-4f3e-9d2b-0a6f7b1f2c55', name: 'LARGE' };
    const definition = join(folder, 'definition.json');
    await writeFile(definition, JSON.stringify({ tables: [{ ...table, columns, datasetsFrom }] }));
    console.error(`  loading ${size} rows`);
    const begun = performance.now();
    const memory = await loadMeasured(['load', definition, '--data', dataDir]);
    const took = performance.now() - begun;
    await checkCount(dataDir, size);
    return {
      name: 'load-large',
      figures: {},
      rows: [
        {
          what: 'load of small rows with ids and a unique column, SQLite: memory at most',
          size,
          connections: null,
          unit: 'MB',
          value: rounded(memory),
          floors: {},
          constant: true,
          goal: { says: `≤ ${GOAL_MEMORY} MB`, met: memory <= GOAL_MEMORY },
          more: {
            'seconds in all': rounded(took / 1000),
            'rows per s': rounded((size / took) * 1000),
          },
        },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function* linesOf(rows: number): Generator<string> {
  yield 'jrid,no\n';
  let text = '';
  for (let i = 1; i <= rows; i++) {
    text += `${i},${rows - i}\n`;
    if (text.length < 1_000_000) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Runs a command. @returns its highest memory in MB (Linux) */
async function loadMeasured(args: readonly string[]): Promise<number> {
  const child = spawn(INDEXDESK, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let highest = 0;
  const watching = setInterval(() => {
    void highestMemoryOf(child.pid ?? 0).then((memory) => {
      highest = Math.max(highest, memory);
      return highest;
    });
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(watching);
  if (code !== 0) throw new Error(`The load ended with ${code}.`);
  return highest;
}

async function highestMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function checkCount(dataDir: string, size: number): Promise<void> {
  const database = await openDatabase({ dataDir }, { access: 'read' });
  try {
    const { tables } = await database.read(readDefinitions);
    const [table] = tables;
    if (!table) throw new Error('The table was not loaded.');
    const { rows } = await database.read((db) =>
      sql<{ count: number }>`select count(*) as count from ${sql.table(tableName(table))}`.execute(
        db.k,
      ),
    );
    if (rows[0]?.count !== size) throw new Error(`${rows[0]?.count} of ${size} rows were loaded.`);
  } finally {
    await database.close();
  }
}
