import { setTimeout } from 'node:timers/promises';
import { definedArchivesAnswer } from '#shared/contract/configuration-definitions.ts';
import { BUILT_IN_CHECKS } from '#shared/rules/check-words.ts';
import { ARCHIVE } from '../data/databases.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import type { Job, Load } from '../load/job.ts';
import { inRounds, withRig, type MeasuredService } from '../rig.ts';
import { ROUNDS, SIZES } from '../settings.ts';
import { API, archivePath, change } from './requests.ts';
import { allCounted, call, checksOf } from '../service-calls.ts';

/** How long after a save its count may be right. */
const FOLLOWED = 2_000;
/** How long a new check of a million records may be counted. */
const COUNTED = 10_000;
/** How much longer a save may take with checks than without. */
const DEARER = 1.15;
/** How long a save may take while a check is counted. */
const DELAYED = 100;
/** Saves that are each waited for. */
const SAVES = 20;
/** Saves beside a count. */
const STEADY = { rate: 10, seconds: 10 } as const;

const rule = (name: string, text: string) => ({ name, label: name, rule: text });

/** Thirteen rules, of which most find a few records; with duplicates and the built-in checks there are twenty. */
const RULES = [
  rule('NET', 'NET >= 100'),
  rule('SUM', 'NET + TAX <= 23700'),
  rule('DISCOUNT', 'DISCOUNT <= NET or DISCOUNT < 49'),
  rule('POSITIONS', 'POSITIONS < 199'),
  rule('PAGES', 'PAGES between 1 and 30'),
  rule('YEAR', 'YEAR in (2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025)'),
  rule('FORM', "NUMBER matches 'R-[0-9]{10}'"),
  rule('ACCOUNT', "ACCOUNT matches '4[0-9]{4}'"),
  rule('DUE', 'DUE >= DATED or days(DATED, DUE) < -100'),
  rule('SCANNED', 'SCANNED <= now'),
  rule('REMARK', "not REMARK contains 'wrong'"),
  rule('SUPPLIER', "lower(SUPPLIER) starts with 'supplier'"),
  rule('PAID', 'if(PAID, GROSS >= 10, true)'),
];
const TWICE = { name: 'TWICE', label: 'TWICE', duplicates: [['NUMBER']] };
const IGNORED = { ignore: ['case', 'spaces', 'punctuation'] };
/** Finds none, as in well-kept archives. */
const FOLDED = {
  name: 'FOLDED',
  label: 'FOLDED',
  duplicates: [['SUPPLIER', 'NUMBER']],
  ...IGNORED,
};
/** FOLDED, changed so that it finds every record: as many findings are stored as there are records. */
const FOUND_EVERYWHERE = {
  name: 'FOLDED',
  label: 'FOLDED',
  duplicates: [['SUPPLIER', 'DATED', 'POSITIONS']],
  ...IGNORED,
};

/** A service with a million revisions, and what sends requests to it from one connection. */
export interface Measured {
  readonly service: MeasuredService;
  readonly size: number;
  load(job: Pick<Job, 'requests'> & Partial<Job>): Promise<Load>;
}

/** Counts of twenty checks: how soon they are there, how soon they follow a save, and what a save costs more. */
export async function run(): Promise<BenchResult> {
  const size = Math.max(...SIZES);
  const rows = await withRig(size, (plain) => withRig(size, (rig) => measureChecks(rig, plain)));
  return { name: 'checks', figures: {}, rows };
}

/**
 * @param plain has no checks: both save in turn, as other work on the machine makes both slower
 * @param on the database, as a part of what is measured
 */
export async function measureChecks(measured: Measured, plain: Measured, on = ''): Promise<Row[]> {
  const { service, size } = measured;
  const row = (what: string, value: number, most: number | null, more: Row['more'] = {}): Row => ({
    what: what + on,
    size,
    connections: null,
    unit: 'ms',
    value: rounded(value),
    floors: {},
    ...(most !== null && {
      goal: {
        says: most < 1000 ? `≤ ${most} ms` : `≤ ${most / 1000} s`,
        met: value <= most,
      },
    }),
    more,
  });
  for (const one of [service, plain.service]) {
    await define(one, { checks: [], checksOff: [...BUILT_IN_CHECKS] });
    await allCounted(one);
  }
  console.error(`  rules and built-in checks, ${size} revisions`);
  const all = await timed(service, { checks: RULES, checksOff: [] });
  const changed = RULES.map((check) =>
    check.name === 'NET' ? { ...check, rule: 'NET >= 101' } : check,
  );
  const one = await timed(service, { checks: changed, checksOff: [] });
  const exact = await timed(service, { checks: [...changed, TWICE], checksOff: [] });
  const folded = await timed(service, { checks: [...changed, TWICE, FOLDED], checksOff: [] });
  const everywhere = await timed(service, {
    checks: [...changed, TWICE, FOUND_EVERYWHERE],
    checksOff: [],
  });
  console.error('  saves, and their counts');
  const rounds = await inRounds(
    async () => ({ without: await saves(plain), with: await saves(measured) }),
    ROUNDS,
  );
  const withChecks = at(
    rounds.map((round) => round.with),
    0.5,
  );
  const without = at(
    rounds.map((round) => round.without),
    0.5,
  );
  await allCounted(service);
  const followed = await follow(measured);
  console.error('  saves beside a count');
  const alone = await measured.load({ requests: [change], ...STEADY });
  await allCounted(service);
  const again = { ...FOUND_EVERYWHERE, when: 'PAGES > 0' };
  const [beside] = await Promise.all([
    measured.load({ requests: [change], ...STEADY }),
    timed(service, { checks: [...changed, TWICE, again], checksOff: [] }),
  ]);
  return [
    row('a changed check, until it is counted', one, COUNTED),
    row('a new check on exact duplicates, until it is counted', exact, COUNTED),
    row('a new check on folded duplicates, until it is counted', folded, COUNTED),
    row('the same where each record is one, until it is counted', everywhere, COUNTED),
    row('eighteen new checks, until all are counted', all, null),
    row('from the answer of a save until its count is right, p95', at(followed, 0.95), FOLLOWED, {
      p50: rounded(at(followed, 0.5)),
      most: rounded(at(followed, 1)),
    }),
    row('a save while a check on duplicates is counted, p95', beside.p95, DELAYED, {
      p50: rounded(beside.p50),
      most: rounded(beside.most),
      'p95 alone': rounded(alone.p95),
    }),
    {
      what: `PATCH one revision with twenty checks, p50${on}`,
      size,
      connections: 1,
      unit: 'ms',
      value: rounded(withChecks),
      floors: { 'without checks': rounded(without) },
      goal: { says: '≤ 1.15 × without checks', met: withChecks <= without * DEARER },
    },
  ];
}

/** Milliseconds of saves one after the other, their median. */
async function saves(measured: Measured): Promise<number> {
  return (await measured.load({ requests: [change] })).p50;
}

/** Corrects and breaks one revision, and waits each time until the count says so. */
async function follow({ service, size }: Measured): Promise<number[]> {
  const times: number[] = [];
  const countOf = async () =>
    (await checksOf(service)).find(({ name }) => name === 'REMARK')?.count;
  const before = (await countOf()) ?? 0;
  for (let save = 0; save < SAVES; save++) {
    const isWrong = save % 2 === 0;
    const value = isWrong ? 'wrong amount' : `right ${save}`;
    const body = { indexFields: [{ name: 'REMARK', value }] };
    await call(
      service,
      'PATCH',
      `${archivePath}/documents/${Math.min(4711, size)}/indexdata`.slice(API.length),
      body,
    );
    const answered = performance.now();
    while ((await countOf()) !== before + (isWrong ? 1 : 0)) await setTimeout(20);
    times.push(performance.now() - answered);
  }
  return times;
}

/** Changes the checks. @returns milliseconds from the answer until all are counted */
async function timed(service: MeasuredService, changes: Definition): Promise<number> {
  await define(service, changes);
  const answered = performance.now();
  await allCounted(
    service,
    changes.checks.map(({ name }) => name),
  );
  return performance.now() - answered;
}

interface Definition {
  readonly checks: readonly { readonly name: string }[];
  readonly checksOff: readonly string[];
}

async function define(service: MeasuredService, changes: Definition): Promise<void> {
  const path = `/configuration/archives/${ARCHIVE}`;
  const [archive] = definedArchivesAnswer.parse(await call(service, 'GET', path)).archives;
  if (!archive) throw new Error('There is no archive.');
  const body = { archive: { ...archive, ...changes } };
  await call(service, 'PUT', path, body, { 'if-match': `"${archive.version}"` });
}

/** @param part 0 to 1 */
function at(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
