import * as z from 'zod';
import { startChild } from '../child.ts';
import { ON_SERVICE_CORE } from '../cores.ts';
import { processorTime } from '../cpu.ts';
import { ARCHIVE, copyOfData, TABLE } from '../data/databases.ts';
import { revisionValues } from '../data/revisions.ts';
import { recordValues } from '../data/records.ts';
import { median } from '../figures.ts';
import { makeBareTables } from '../floors/bare-tables.ts';
import type { Load, Template } from '../load/job.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { API, inRounds, startGenerator, startMeasured } from '../rig.ts';
import { CONNECTIONS, SECONDS, SIZES } from '../settings.ts';

const ARCHIVE_PATH = `${API}/application/archiveapp/archives/${ARCHIVE}/documents`;
const TABLE_PATH = `${API}/application/dataapp/tables/${TABLE}/datasets`;

interface Save {
  readonly what: string;
  /** where it goes at the service, and at the floor */
  readonly path: string;
  readonly floor: string;
  readonly method: string;
  readonly body: object;
  readonly goal: boolean;
}

const SAVES: readonly Save[] = [
  {
    what: 'PATCH one revision',
    method: 'PATCH',
    path: `${ARCHIVE_PATH}/{id}/indexdata`,
    floor: '/revisions/{id}',
    body: { indexFields: [{ name: 'REMARK', value: 'Asked again, number {n}' }] },
    goal: true,
  },
  {
    what: 'PUT one revision',
    method: 'PUT',
    path: `${ARCHIVE_PATH}/{id}/indexdata`,
    floor: '/revisions/{id}',
    body: {
      indexFields: Object.entries(revisionValues(4711)).map(([name, value]) =>
        name === 'REMARK' ? { name, value: 'Asked again, number {n}' } : { name, value },
      ),
    },
    goal: false,
  },
  {
    what: 'POST one dataset',
    method: 'POST',
    path: TABLE_PATH,
    floor: '/records',
    body: { dataset: { ...recordValues(4711), code: 'N-{n}' } },
    goal: true,
  },
  {
    what: 'PUT one dataset',
    method: 'PUT',
    path: `${TABLE_PATH}/{id}`,
    floor: '/records/{id}',
    body: { dataset: { note: 'Asked again, number {n}' } },
    goal: true,
  },
];

const listening = z.object({ url: z.string(), cookie: z.string() });

/** Saves of one revision or dataset, each flushed to the disk before it is answered, beside floors (a) and (b). */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await measure(size)));
  return { name: 'saves', figures: {}, rows };
}

async function measure(size: number): Promise<Row[]> {
  const { dataDir, remove } = await copyOfData(size);
  const generator = startGenerator();
  const bare = startChild('floors/bare.ts', ON_SERVICE_CORE);
  try {
    const file = await makeBareTables(dataDir);
    const floor = listening.parse(await bare.ask({ file }));
    const service = await startMeasured({ dataDir });
    const rows: Row[] = [];
    const load = (url: string, cookie: string, connections: number, request: Template) =>
      generator.run({ url, headers: { cookie }, connections, requests: [request], ids: size });
    try {
      const { url, headers } = service;
      const requests = SAVES.map(({ method, path, body }) => ({
        method,
        path,
        body: JSON.stringify(body),
      }));
      // Lets the service's code be compiled before anything counts.
      const warmUp = { url, headers, requests, ids: size, connections: 8, seconds: SECONDS * 4 };
      await generator.run(warmUp);
      for (const connections of CONNECTIONS) {
        for (const { what, method, path, floor: floorPath, body: sent, goal } of SAVES) {
          const body = JSON.stringify(sent);
          const at = (path: string) =>
            load(floor.url, floor.cookie, connections, { method, path, body });
          const echo = { method: 'POST', path: '/echo', body };
          const rounds = await inRounds(async () => {
            const before = await processorTime(service.process.pid);
            const own = await load(service.url, service.headers.cookie, connections, {
              method,
              path,
              body,
            });
            const spent = (await processorTime(service.process.pid)) - before;
            return {
              own,
              spent,
              full: await at(`/full${floorPath}`),
              normal: await at(`/normal${floorPath}`),
              echo: await load(floor.url, floor.cookie, connections, echo),
            };
          });
          rows.push(rowOf({ what, size, connections }, rounds, goal));
        }
      }
      return rows;
    } finally {
      await service.process.stop();
    }
  } finally {
    await bare.stop();
    await generator.stop();
    await remove();
  }
}

interface Round {
  readonly own: Load;
  /** milliseconds of processor time of the service */
  readonly spent: number;
  readonly full: Load;
  readonly normal: Load;
  readonly echo: Load;
}

function rowOf(
  about: Pick<Row, 'what' | 'size' | 'connections'>,
  rounds: readonly Round[],
  goal: boolean,
): Row {
  const of = (take: (round: Round) => number) => median(rounds.map(take));
  const value = of(({ own }) => own.perSecond);
  // The ratio of each round, so that what disturbs one round disturbs both sides of it.
  const ofFull = of(({ own, full }) => own.perSecond / full.perSecond);
  const ofNormal = of(({ own, normal }) => own.perSecond / normal.perSecond);
  return {
    ...about,
    unit: 'per s',
    value: rounded(value),
    floors: {
      a: rounded(of(({ echo }) => echo.perSecond)),
      'b-FULL': rounded(of(({ full }) => full.perSecond)),
      'b-NORMAL': rounded(of(({ normal }) => normal.perSecond)),
    },
    ...(goal && about.connections === 1
      ? { goal: { says: '≥ 0.7 × b-FULL', met: ofFull >= 0.7 } }
      : {}),
    ...(goal && about.connections === 32
      ? {
          goal: {
            says: '≥ 2.5 × b-FULL and 0.5 × b-NORMAL',
            met: ofFull >= 2.5 && ofNormal >= 0.5,
          },
        }
      : {}),
    more: {
      '× b-FULL': rounded(ofFull),
      '× b-NORMAL': rounded(ofNormal),
      'p50 (ms)': rounded(of(({ own }) => own.p50)),
      'p99 (ms)': rounded(of(({ own }) => own.p99)),
      'processor (µs each)': rounded(of(({ own, spent }) => (spent / own.requests) * 1000)),
    },
  };
}
