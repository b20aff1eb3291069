import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { answerParent } from '../child.ts';
import { partBelow } from '../figures.ts';
import { fill, nextFiller } from '../load/fill.ts';
import { rawJobSchema, type RawJob, type RawTimes } from './raw-job.ts';

/* Floor (c): the same statements by node:sqlite alone, in a process of its own on the service's core. */

function carryOut({ file, units, ids, commit, seconds, times: wanted }: RawJob): RawTimes {
  const database = new DatabaseSync(file, { timeout: 5000, readOnly: commit === 'none' });
  try {
    if (commit !== 'none') database.exec('pragma synchronous = full');
    database.exec('pragma cache_size = -32768');
    const statements = new Map<string, StatementSync>();
    const prepare = (sql: string) => {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    };
    const prepared = units.map((unit) =>
      unit.map(({ sql, parameters }) => ({ statement: prepare(sql), parameters })),
    );
    const times: number[] = [];
    const end = performance.now() + seconds * 1000;
    const start = performance.now();
    if (commit === 'once') database.exec('begin immediate');
    const goesOn = () => (wanted === undefined ? performance.now() < end : times.length < wanted);
    while (times.length === 0 || goesOn()) {
      const from = performance.now();
      const filler = nextFiller(ids);
      if (commit === 'each') database.exec('begin immediate');
      for (const { statement, parameters } of prepared[times.length % prepared.length] ?? []) {
        statement.all(
          ...parameters.map((value) => (typeof value === 'string' ? fill(value, filler) : value)),
        );
      }
      if (commit === 'each') database.exec('commit');
      times.push(performance.now() - from);
    }
    if (commit === 'once') database.exec('commit');
    const all = performance.now() - start;
    times.sort((a, b) => a - b);
    return { all, perSecond: (times.length / all) * 1000, p50: partBelow(times, 0.5) };
  } finally {
    database.close();
  }
}

answerParent(async (message) => carryOut(rawJobSchema.parse(message)));
