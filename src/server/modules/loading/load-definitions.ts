import * as texts from '#messages/service/loading.ts';
import type { Transaction } from '#server/database/database.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { textsOf } from '#shared/contract/errors.ts';
import { findByName, isSameName, nameKey } from '#shared/rules/names.ts';
import { checkProblems } from '../definitions/check-problems.ts';
import { reservedNames } from '../definitions/name-problems.ts';
import { readDefinitionsOf } from '../definitions/stored-definitions.ts';
import {
  stateOfArchive,
  stateOfTable,
  type DefinitionState,
} from '../definitions/definition-state.ts';
import {
  defineArchive,
  defineTable,
  extendArchive,
  extendTable,
  readDefinitions,
} from '../definitions/definitions.service.ts';
import type { Archive, Table, Collection } from '#server/database/records/collection.ts';
import type { Actor } from '../history/history.service.ts';
import { archiveDifferences, newNames, tableDifferences } from './definition-differences.ts';
import { LoadError } from '../definition-files/load-error.ts';
import type { LoadReport } from './load-report.ts';

type WantedArchive = DefinitionFile['archives'][number]['definition'];
type WantedTable = DefinitionFile['tables'][number]['definition'];

export interface DefinedCollection<Kind extends Collection> {
  readonly collection: Kind;
  readonly isNew: boolean;
  /** what was added to the definition, and how it differs from the file */
  readonly remarks: readonly string[];
}

/** Whether an archive or table has this GUID. */
export async function isDefined(
  db: Transaction,
  kind: Collection['kind'],
  guid: string,
): Promise<boolean> {
  const { archives, tables } = await readDefinitions(db);
  const known: readonly Collection[] = kind === 'archive' ? archives : tables;
  return known.some((collection) => isSameName(collection.guid, guid));
}

/**
 * Defines an archive, or adds missing fields to the one with that GUID. Existing fields stay as they are.
 * @throws {LoadError} if another archive has the name, or the archive was retired
 */
export async function defineOrExtendArchive(
  db: Transaction,
  wanted: WantedArchive,
  actor: Actor,
): Promise<DefinedCollection<Archive>> {
  const { archives } = await readDefinitions(db);
  return defineOrExtend(db, wanted, {
    kind: 'archive',
    name: wanted.table,
    known: archives,
    define: () => defineArchive(db, wanted, actor),
    extend: (old) => extendArchive(db, old, wanted, actor),
    added: ({ definition: { indexFields, keywordFields } }) => [
      ...newNames(indexFields, wanted.indexFields).map(texts.indexFieldNew),
      ...newNames(keywordFields, wanted.keywordFields).map(texts.keywordFieldNew),
    ],
    differences: ({ definition }) => archiveDifferences(definition, wanted),
  });
}

/** The same for a table. */
export async function defineOrExtendTable(
  db: Transaction,
  wanted: WantedTable,
  actor: Actor,
): Promise<DefinedCollection<Table>> {
  const { tables } = await readDefinitions(db);
  return defineOrExtend(db, wanted, {
    kind: 'table',
    name: wanted.name,
    known: tables,
    define: () => defineTable(db, wanted, actor),
    extend: (old) => extendTable(db, old, wanted, actor),
    added: ({ definition: { columns } }) => newNames(columns, wanted.columns).map(texts.columnNew),
    differences: ({ definition }) => tableDifferences(definition, wanted),
  });
}

/** What differs between archives and tables when one is defined. */
interface DefinitionSteps<Kind extends Archive | Table> {
  readonly kind: Collection['kind'];
  readonly name: string;
  /** all that are defined */
  readonly known: readonly Kind[];
  readonly define: () => Promise<Kind>;
  readonly extend: (old: Kind) => Promise<Kind>;
  /** remarks on the fields that are added to the old definition */
  readonly added: (old: Kind) => readonly string[];
  /** remarks on the differences that stay */
  readonly differences: (old: Kind) => readonly string[];
}

async function defineOrExtend<Kind extends Archive | Table>(
  db: Transaction,
  { guid: wantedGuid, checks = [] }: Pick<WantedArchive | WantedTable, 'guid' | 'checks'>,
  { kind, name, known, define, extend, added, differences }: DefinitionSteps<Kind>,
): Promise<DefinedCollection<Kind>> {
  const old = known.find(({ guid }) => isSameName(guid, wantedGuid));
  if (!old) {
    await assertFree(db, kind, wantedGuid, name);
    return { collection: await define(), isNew: true, remarks: [] };
  }
  return {
    collection: await extend(old),
    isNew: false,
    remarks: [
      ...added(old),
      ...newNames(old.definition.checks ?? [], checks).map(texts.checkNew),
      ...differences(old),
    ],
  };
}

async function assertFree(
  db: Transaction,
  kind: Collection['kind'],
  guid: string,
  name: string,
): Promise<void> {
  const known = await readDefinitionsOf(db, kind);
  if (known.some(({ state }) => isSameName(state.guid, guid))) {
    throw new LoadError(texts.collectionRetired({ kind, name }));
  }
  const other = known.find(({ state }) => isSameName(state.name, name));
  if (other) {
    const retired = other.retiredAt !== null;
    throw new LoadError(
      texts.nameOfOtherGuid({ name, kind, guid: nameKey(other.state.guid), retired }),
    );
  }
}

/**
 * Rejects new fields whose names are reserved, and checks whose rules are invalid or name something unknown; the tables of
 * the file are known in rules.
 * @throws {LoadError}
 */
export async function assertValidDefinitions(db: Transaction, file: DefinitionFile): Promise<void> {
  const ofFile = file.tables.map(({ definition }) => ({
    guid: definition.guid,
    name: definition.name,
    fields: definition.columns,
  }));
  const { archives, tables } = await readDefinitions(db);
  const stored = tables.filter(({ guid }) => !ofFile.some((table) => isSameName(table.guid, guid)));
  const knownNames = ({ kind, guid }: DefinitionState) => {
    const collections: readonly Collection[] = kind === 'archive' ? archives : tables;
    const known = collections.find((collection) => isSameName(collection.guid, guid));
    return known?.fields.map(({ name }) => name) ?? [];
  };
  const states = [
    ...file.archives.map(({ definition }) => stateOfArchive(definition)),
    ...file.tables.map(({ definition }) => stateOfTable(definition)),
  ];
  const lines = states.flatMap((state) => {
    const problems = {
      ...reservedNames(state, knownNames(state)),
      ...checkProblems(state, [...ofFile, ...stored]),
    };
    return Object.entries(textsOf(problems)).flatMap(([path, found]) =>
      found.map((problem) => texts.definitionProblem({ name: state.name, path, problem })),
    );
  });
  if (lines.length > 0) throw new LoadError(lines);
}

/** Warns of options from tables and columns that do not exist. */
export async function warnAboutOptions(
  db: Transaction,
  file: DefinitionFile,
  report: LoadReport,
): Promise<void> {
  const { tables } = await readDefinitions(db);
  const owners = [
    ...file.archives.map(({ definition }) => ({
      name: definition.table,
      fields: definition.indexFields,
    })),
    ...file.tables.map(({ definition }) => ({ name: definition.name, fields: definition.columns })),
  ];
  for (const { name, fields } of owners) {
    for (const { name: field, optionsFrom } of fields) {
      if (!optionsFrom) continue;
      const table = findByName(tables, optionsFrom.table);
      if (!table) {
        report.warn(texts.noTableOfOptions({ name, field, table: optionsFrom.table }));
        continue;
      }
      for (const column of [optionsFrom.column, ...Object.values(optionsFrom.fills)]) {
        if (!findByName(table.fields, column)) {
          report.warn(texts.noColumnOfOptions({ name, field, table: table.name, column }));
        }
      }
      for (const filled of Object.keys(optionsFrom.fills)) {
        if (!findByName(fields, filled)) {
          report.warn(texts.noFieldToFill({ name, field, filled }));
        }
      }
    }
  }
}
