import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterTexts } from '#server/modules/value-cleanup/clusters.ts';
import { editDistance } from '#server/modules/value-cleanup/edit-distance.ts';
import { fingerprint } from '#server/modules/value-cleanup/fingerprint.ts';
import { allowedDistance, similarTexts } from '#server/modules/value-cleanup/similar-texts.ts';

const counted = (values: readonly string[]) =>
  values.map((value, i) => ({ value, count: values.length - i }));
const groupsOf = async (values: readonly string[], most: number) =>
  (await clusterTexts(counted(values), most)).clusters.map((cluster) =>
    cluster.values.map(({ value }) => value),
  );

describe('the fingerprint', () => {
  const same: readonly (readonly string[])[] = [
    [
      'Müller GmbH',
      'Mueller GMBH',
      'MÜLLER Gmbh',
      'GmbH Müller',
      ' Müller,  GmbH. ',
      'Mu\u0308ller GmbH',
    ],
    ['Müller GmbH', 'Müller G.m.b.H.', 'Müller Gesellschaft mit beschränkter Haftung'],
    ['Strauß & Söhne', 'Strauss und Soehne', 'STRAUẞ & SÖHNE'],
    [
      'Durand S.A.R.L.',
      'Durand SARL',
      'Durand S.à r.l.',
      'Durand Société à responsabilité limitée',
    ],
    ['Crédit Agricole S.A.', 'Credit Agricole SA', 'CREDIT AGRICOLE S. A.'],
    ['Müller AG', 'Müller Aktiengesellschaft'],
    ["L'Oréal", 'L’Oreal', 'LOREAL'],
    ['Cœur de Lion', 'Coeur de lion'],
    ['Dupont et Cie', 'Dupont & Cie', 'Dupont & Compagnie'],
    ['Acme Ltd.', 'ACME Limited'],
    ['?', '?'],
  ];
  it.each(same)('is the same for %s', (...texts) => {
    expect(new Set(texts.map((text) => fingerprint(text).text)).size).toBe(1);
  });

  const different = [
    ['Müller GmbH', 'Müller AG'],
    ['Bauer', 'Baur'],
    ['Lot 12', 'Lot 21'],
    ['?', '!'],
    ['+', '-'],
  ];
  it.each(different)('differs for %s and %s', (a, b) => {
    expect(fingerprint(a ?? '').text).not.toBe(fingerprint(b ?? '').text);
  });
});

/** The definition of optimal string alignment, cell by cell. */
function plainDistance(a: string, b: string): number {
  const cells: number[][] = [];
  const at = (i: number, j: number) => cells[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i++) {
    cells.push([]);
    for (let j = 0; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const all = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost];
      cells[i]?.push(
        i + j === 0 ? 0 : Math.min(...all, isExchange ? at(i - 2, j - 2) + 1 : Infinity),
      );
    }
  }
  return at(a.length, b.length);
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'e'), maxLength: 14 });
const most = fc.constantFrom(0, 1, 2);

describe('the distance', () => {
  it('is that of the definition up to its bound, in both directions', () => {
    fc.assert(
      fc.property(word, word, most, (a, b, bound) => {
        const expected = Math.min(plainDistance(a, b), bound + 1);
        expect(editDistance(a, b, bound)).toBe(expected);
        expect(editDistance(b, a, bound)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('similar texts', () => {
  it('are all that a comparison of each with each finds', async () => {
    const texts = fc.uniqueArray(word, { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(texts, most, async (all, bound) => {
        const prints = all.map((text) => ({ text, marks: '' }));
        const { neighbours } = await similarTexts(prints, bound);
        for (const [i, a] of all.entries()) {
          const expected = all.flatMap((b, j) => {
            const allowed = allowedDistance(Math.min(a.length, b.length), bound);
            const distance = plainDistance(a, b);
            return i !== j && distance <= allowed ? [[j, distance]] : [];
          });
          const found = [...(neighbours[i] ?? [])].sort(([x], [y]) => x - y);
          expect(found).toEqual(expected);
        }
      }),
      { numRuns: 150 },
    );
  });
});

const phrase = fc
  .array(
    fc.constantFrom('Müller', 'Mueller', 'Miller', 'GmbH', 'Gmbh', 'AG', 'Söhne', '12', '13'),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .chain((words) => fc.constantFrom(words.join(' '), words.join(', ').toUpperCase()));
const phrases = fc.uniqueArray(fc.oneof(phrase, word), { maxLength: 30 });

describe('clusters', () => {
  it('hold no two values whose fingerprints differ by more than was allowed, nor in a mark', async () => {
    await fc.assert(
      fc.asyncProperty(phrases, most, async (values, bound) => {
        const groups = await groupsOf(values, bound);
        for (const group of groups) {
          expect(group.length).toBeGreaterThan(1);
          for (const a of group.map(fingerprint)) {
            for (const b of group.map(fingerprint)) {
              const allowed = allowedDistance(Math.min(a.text.length, b.text.length), bound);
              expect(plainDistance(a.text, b.text)).toBeLessThanOrEqual(allowed);
              expect(a.marks).toBe(b.marks);
            }
          }
        }
        // Each value is in one cluster at most, and all of one fingerprint are together.
        const members = groups.flat();
        expect(new Set(members).size).toBe(members.length);
        for (const value of values) {
          const twins = values.filter((one) => fingerprint(one).text === fingerprint(value).text);
          if (twins.length < 2) continue;
          const group = groups.find((one) => one.includes(value)) ?? [];
          expect(twins.filter((twin) => !group.includes(twin))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('do not depend on the order of the values', async () => {
    const shuffled = phrases.chain((values) =>
      fc.tuple(
        fc.constant(values.map((value, i) => ({ value, count: 1 + (i % 3) }))),
        fc.shuffledSubarray([...values.keys()], { minLength: values.length }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, most, async ([values, order], bound) => {
        const other = order.flatMap((place) => values[place] ?? []);
        expect(await clusterTexts(other, bound)).toEqual(await clusterTexts(values, bound));
      }),
      { numRuns: 300 },
    );
  });

  it('propose the most used value, then one in capitals and small letters', async () => {
    const { clusters } = await clusterTexts(
      [
        { value: 'ACME', count: 2 },
        { value: 'Acme', count: 2 },
        { value: 'acme', count: 1 },
        { value: 'BETA', count: 9 },
        { value: 'Beta', count: 7 },
      ],
      0,
    );
    // Those first whose correction changes most records.
    expect(clusters).toEqual([
      {
        distance: 0,
        count: 16,
        values: [
          { value: 'BETA', count: 9 },
          { value: 'Beta', count: 7 },
        ],
      },
      {
        distance: 0,
        count: 5,
        values: [
          { value: 'Acme', count: 2 },
          { value: 'ACME', count: 2 },
          { value: 'acme', count: 1 },
        ],
      },
    ]);
  });

  it('do not join neighbours of neighbours', async () => {
    expect(await groupsOf(['aaaaaaaa', 'aaaaaaab', 'aaaaaabb'], 1)).toEqual([
      ['aaaaaaaa', 'aaaaaaab'],
    ]);
  });

  it('join exchanged letters, but not digits or legal forms', async () => {
    expect(
      await groupsOf(
        [
          'Mueller Transporte',
          'Muelelr Transporte',
          'Meyer KG',
          'Meyer AG',
          'Room 101',
          'Room 102',
        ],
        2,
      ),
    ).toEqual([['Mueller Transporte', 'Muelelr Transporte']]);
  });

  it('say that they are not complete where there is too much to compare', async () => {
    // The pieces of one letter are found in each other text at several positions.
    const letters = 'bcdefghijklmnopqrstuvwxyz';
    const endOf = (i: number) => [1, 25, 625].map((n) => letters[Math.floor(i / n) % 25]).join('');
    const values = Array.from(
      { length: 2_000 },
      (_, i) => `${'a'.repeat(20)}${endOf(i)}${endOf(i * 7)}`,
    );
    expect((await clusterTexts(counted(values.slice(0, 100)), 2)).isComplete).toBe(true);
    expect((await clusterTexts(counted(values), 2)).isComplete).toBe(false);
  });
});
