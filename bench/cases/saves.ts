import { processorTime } from '../cpu.ts';
import { ARCHIVE, TABLE } from '../data/databases.ts';
import { revisionValues } from '../data/revisions.ts';
import { recordValues } from '../data/records.ts';
import { median } from '../figures.ts';
import { makeBareTables } from '../floors/bare-tables.ts';
import type { Load } from '../load/job.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { API, inRounds, startBare, withRig, type Rig } from '../rig.ts';
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

/** Saves of one revision or dataset, each flushed to the disk before it is answered, beside floors (a) and (b). */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await withRig(size, measure)));
  return { name: 'saves', figures: {}, rows };
}

async function measure(rig: Rig): Promise<Row[]> {
  const bare = await startBare({ file: makeBareTables(rig) });
  try {
    const requestOf = ({ method, path, body }: Save) => ({
      method,
      path,
      body: JSON.stringify(body),
    });
    // Lets the service's code be compiled before anything counts.
    await rig.load({ requests: SAVES.map(requestOf), connections: 8, seconds: SECONDS * 4 });
    const rows: Row[] = [];
    for (const connections of CONNECTIONS) {
      for (const save of SAVES) {
        console.error(`  ${save.what} of ${rig.size}, ${connections} connections`);
        const request = requestOf(save);
        const at = (method: string, path: string) =>
          rig.load({ ...bare.at, connections, requests: [{ ...request, method, path }] });
        const { pid } = rig.service.process;
        const rounds = await inRounds(async () => {
          const before = await processorTime(pid);
          const own = await rig.load({ connections, requests: [request] });
          const spent = (await processorTime(pid)) - before;
          return {
            own,
            spent,
            full: await at(save.method, `/full${save.floor}`),
            normal: await at(save.method, `/normal${save.floor}`),
            echo: await at('POST', '/echo'),
          };
        });
        rows.push(rowOf({ what: save.what, size: rig.size, connections }, rounds, save.goal));
      }
    }
    return rows;
  } finally {
    await bare.stop();
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
