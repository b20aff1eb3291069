import { rowsOf, TATE_ARTISTS, type TateRow } from '#tests/support/tate.ts';

/* What is wrong in the files of the Tate collection: computed from their rows, without the language of checks. */

type Test = (value: (name: string) => string) => boolean;

const WORKS: Readonly<Record<string, Test>> = {
  ACQUIRED: (value) =>
    value('ACQUISITIONYEAR') !== '' &&
    value('YEARTO') !== '' &&
    Number(value('ACQUISITIONYEAR')) < Number(value('YEARTO')),
  YEARFROM: (value) => value('YEARFROM') !== '' && !/^\d{4}$/.test(value('YEARFROM')),
  YEARTO: (value) => value('YEARFROM') !== '' && value('YEARTO') === '',
  NOACQUISITION: (value) => value('ACQUISITIONYEAR') === '',
  NOCLASS: (value) => value('CLASSIFICATION') === '',
  TITLE: (value) => /^[ \r\n\t\f]|[ \r\n\t\f]$|[ \r\n\t\f]{2}|[\r\n\t\f]/.test(value('TITLE')),
};

const ARTISTS: Readonly<Record<string, Test>> = {
  BORN: (value) => value('dates').startsWith('born') && value('yearOfDeath') !== '',
  DEATH: (value) => value('placeOfDeath') !== '' && value('yearOfDeath') === '',
  DATES: (value) => value('yearOfBirth') !== '' && value('dates') === '',
};

/** The names of the checks that have to find a work. */
export function mistakesOfWork({ values }: Pick<TateRow, 'values'>): string[] {
  return Object.keys(WORKS).filter((name) => WORKS[name]?.((column) => values[column] ?? ''));
}

/** How many works the checks of the archive have to find, by check. */
export async function countWorks(path: string): Promise<Record<string, number>> {
  const counts = Object.fromEntries(Object.keys(WORKS).map((name) => [name, 0]));
  for await (const row of rowsOf(path)) {
    for (const name of mistakesOfWork(row)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** How many artists the checks of the table have to find, by check. */
export async function countArtists(): Promise<Record<string, number>> {
  const rows: TateRow[] = [];
  for await (const row of rowsOf(TATE_ARTISTS)) rows.push(row);
  const alike = Map.groupBy(rows, ({ values }) =>
    (values['name'] ?? '')
      .normalize('NFD')
      .toLowerCase()
      .replaceAll(/[\p{M}\s\p{P}\p{S}]/gu, ''),
  );
  const several = [...alike.values()].filter(({ length }) => length > 1);
  return {
    ...Object.fromEntries(
      Object.entries(ARTISTS).map(([name, test]) => [
        name,
        rows.filter(({ values }) => test((column) => values[column] ?? '')).length,
      ]),
    ),
    TWICE: several.flat().length,
  };
}
