import { processorTime } from '../process.ts';
import { median } from '../figures.ts';
import { makeBareTables } from '../floors/bare-tables.ts';
import type { Load } from '../load/job.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { inRounds, startBare, withRig, type Rig } from '../rig.ts';
import { CONNECTIONS, SECONDS, SIZES } from '../settings.ts';
import { requestOf, SAVES } from './save-kinds.ts';

/** Saves of one revision or dataset, each flushed to the disk before it is answered, beside floors (a) and (b). */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await withRig(size, measure)));
  return { name: 'saves', figures: {}, rows };
}

async function measure(rig: Rig): Promise<Row[]> {
  const bare = await startBare({ file: makeBareTables(rig) });
  try {
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
    constant: about.connections === 1,
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
