import * as texts from '#messages/service/loading.ts';
import type { ArchiveDefinition, TableDefinition } from '#shared/rules/definitions.ts';
import { findByName } from '#shared/rules/names.ts';
import { truncate } from '#shared/values/truncate.ts';

/** How many characters of a definition's part are shown. */
const MAX_SHOWN = 80;

interface Named {
  readonly name: string;
}

/** The differences between an archive's definition in the file and the stored one, one sentence each. */
export function archiveDifferences(old: ArchiveDefinition, wanted: ArchiveDefinition): string[] {
  return [
    ...partDifferences('', pick(old, ARCHIVE_PARTS), pick(wanted, ARCHIVE_PARTS)),
    ...listDifferences('index field', old.indexFields, wanted.indexFields),
    ...listDifferences('keyword field', old.keywordFields, wanted.keywordFields),
  ];
}

/** The same for a table. */
export function tableDifferences(old: TableDefinition, wanted: TableDefinition): string[] {
  return [
    ...partDifferences('', pick(old, TABLE_PARTS), pick(wanted, TABLE_PARTS)),
    ...listDifferences('column', old.columns, wanted.columns),
  ];
}

/** The names that are only in the definition of the file. */
export function newNames(old: readonly Named[], wanted: readonly Named[]): string[] {
  return wanted.flatMap(({ name }) => (findByName(old, name) ? [] : [name]));
}

const ARCHIVE_PARTS = ['table', 'name', 'description'] as const;
const TABLE_PARTS = ['name', 'label', 'description'] as const;

function pick<Key extends string>(
  from: Readonly<Record<Key, unknown>>,
  keys: readonly Key[],
): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}

function listDifferences(what: string, old: readonly Named[], wanted: readonly Named[]): string[] {
  const missing = old.filter(({ name }) => !findByName(wanted, name));
  return [
    ...wanted.flatMap((field) => {
      const before = findByName(old, field.name);
      return before ? partDifferences(`${what} ${before.name}: `, { ...before }, { ...field }) : [];
    }),
    ...missing.map(({ name }) => texts.fieldNotInFile({ what, name })),
  ];
}

function partDifferences(
  whose: string,
  old: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(wanted).flatMap((key) => {
    const [before, after] = [JSON.stringify(old[key] ?? null), JSON.stringify(wanted[key] ?? null)];
    if (before === after) return [];
    return [
      texts.definitionDiffers({
        whose,
        key,
        before: truncate(before, MAX_SHOWN),
        after: truncate(after, MAX_SHOWN),
      }),
    ];
  });
}
