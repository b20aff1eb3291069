import { setTimeout } from 'node:timers/promises';
import { startService } from '#tests/support/service-process.ts';
import { ON_SERVICE_CORE } from '../cores.ts';
import { memoryOf } from '../process.ts';
import { copyOfData } from '../data/databases.ts';
import { median } from '../figures.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { ENVIRONMENT, inRounds, startBare, startGenerator, startMeasured } from '../rig.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { change, exportOf, PAGES } from './requests.ts';

/** Connections of the load under which memory is looked at. */
const CONNECTIONS = 64;

/** How long a start takes, and the memory that the service holds before, under and after load. */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await measure(size)));
  return { name: 'starts', figures: {}, rows };
}

async function measure(size: number): Promise<Row[]> {
  const { dataDir, remove } = await copyOfData(size);
  try {
    return [await measureStart(dataDir, size), ...(await measureMemory(dataDir, size))];
  } finally {
    await remove();
  }
}

async function measureStart(dataDir: string, size: number): Promise<Row> {
  console.error(`  start with ${size}`);
  const rounds = await inRounds(async () => {
    const from = performance.now();
    const service = await startService({
      dataDir,
      under: ON_SERVICE_CORE,
      environment: ENVIRONMENT,
    });
    const own = performance.now() - from;
    await service.stop();
    const then = performance.now();
    const bare = await startBare({});
    const floor = performance.now() - then;
    await bare.stop();
    return { own, floor };
  });
  const value = median(rounds.map(({ own }) => own));
  return {
    what: 'start until it listens',
    size,
    connections: null,
    unit: 'ms',
    value: rounded(value),
    floors: { a: rounded(median(rounds.map(({ floor }) => floor))) },
    goal: { says: '≤ 1 s', met: value <= 1000 },
  };
}

async function measureMemory(dataDir: string, size: number): Promise<Row[]> {
  console.error(`  memory with ${size}`);
  const row = (what: string, value: number, most?: number): Row => ({
    what: `memory ${what}`,
    size,
    connections: null,
    unit: 'MB',
    value: rounded(value),
    floors: {},
    ...(most === undefined ? {} : { goal: { says: `≤ ${most} MB`, met: value <= most } }),
  });
  const [generator, exporter] = [startGenerator(), startGenerator()];
  const { process, url, headers } = await startMeasured({ dataDir });
  try {
    await setTimeout(SECONDS * 2000);
    const idle = await memoryOf(process.pid);
    const load = { url, headers, ids: size, seconds: SECONDS * 10 };
    const requests = [...PAGES, change];
    let over = false;
    const loaded = Promise.all([
      generator.run({ ...load, connections: CONNECTIONS, requests }),
      exporter.run({ ...load, connections: 1, requests: [exportOf('csv')] }),
    ]).finally(() => (over = true));
    let most = idle;
    // It is set above, while this waits.
    const goesOn = () => !over;
    while (goesOn()) {
      most = Math.max(most, await memoryOf(process.pid));
      await setTimeout(20);
    }
    await loaded;
    await setTimeout(SECONDS * 10_000);
    const after = await memoryOf(process.pid);
    return [
      row('before load', idle, 120),
      row('under load, at most', most, 350),
      row('after load', after),
    ];
  } finally {
    await process.stop();
    await generator.stop();
    await exporter.stop();
  }
}
