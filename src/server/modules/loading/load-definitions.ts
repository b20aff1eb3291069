import * as texts from '#messages/service/loading.ts';
import type { Transaction } from '#server/database/database.ts';
import { textsOf } from '#shared/contract/errors.ts';
import { findByName, isSameName, nameKey } from '#shared/rules/names.ts';
import { checkProblems } from '../definitions/check-problems.ts';
import { reservedNames } from '../definitions/name-problems.ts';
import { readDefinitionsOf } from '../definitions/stored-definitions.ts';
import type { LookupTable } from '../definitions/collection-checks.ts';
import type { DefinitionState } from '../definitions/definition-state.ts';
import {
  defineCollection,
  extendCollection,
  readDefinitions,
} from '../definitions/definitions.service.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { Actor } from '../history/history.service.ts';
import { definitionDifferences, newNames, type Named } from './definition-differences.ts';
import { LoadError } from '../definition-files/load-error.ts';
import type { LoadReport } from './load-report.ts';

export interface DefinedCollection {
  readonly collection: Collection;
  readonly isNew: boolean;
  /** what was added to the definition, and how it differs from the file */
  readonly remarks: readonly string[];
}

/** The archive or table with the GUID of a definition. */
export async function findDefined(
  db: Transaction,
  { kind, guid }: Pick<DefinitionState, 'kind' | 'guid'>,
): Promise<Collection | undefined> {
  const { archives, tables } = await readDefinitions(db);
  const known: readonly Collection[] = kind === 'archive' ? archives : tables;
  return known.find((collection) => isSameName(collection.guid, guid));
}

/**
 * Defines an archive or table, or adds missing fields and checks to the one with that GUID. Existing ones stay as they are.
 * @throws {LoadError} if another archive or table has the name, or it was retired
 */
export async function defineOrExtend(
  db: Transaction,
  wanted: DefinitionState,
  actor: Actor,
): Promise<DefinedCollection> {
  const old = await findDefined(db, wanted);
  if (!old) {
    await assertFree(db, wanted);
    return { collection: await defineCollection(db, wanted, actor), isNew: true, remarks: [] };
  }
  const fieldNew = wanted.kind === 'archive' ? texts.indexFieldNew : texts.columnNew;
  const newFields = (known: readonly Named[], fields: readonly { readonly field: Named }[]) =>
    newNames(
      known,
      fields.map(({ field }) => field),
    );
  return {
    collection: await extendCollection(db, old, wanted, actor),
    isNew: false,
    remarks: [
      ...newFields(old.fields, wanted.fields).map(fieldNew),
      ...newFields(old.keywordFields, wanted.keywordFields).map(texts.keywordFieldNew),
      ...newNames(old.definedChecks.checks ?? [], wanted.checks).map(texts.checkNew),
      ...definitionDifferences(old, wanted),
    ],
  };
}

async function assertFree(db: Transaction, { kind, guid, name }: DefinitionState): Promise<void> {
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
 * Rejects new fields whose names are reserved, and checks whose rules are invalid or name something unknown; these tables are
 * known in rules.
 * @throws {LoadError}
 */
export async function assertValidDefinitions(
  db: Transaction,
  states: readonly DefinitionState[],
): Promise<void> {
  const ofFile = lookupTables(states);
  const { archives, tables } = await readDefinitions(db);
  const stored = tables.filter(({ guid }) => !ofFile.some((table) => isSameName(table.guid, guid)));
  const knownNames = ({ kind, guid }: DefinitionState) => {
    const collections: readonly Collection[] = kind === 'archive' ? archives : tables;
    const known = collections.find((collection) => isSameName(collection.guid, guid));
    return known?.fields.map(({ name }) => name) ?? [];
  };
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

/** The tables among definitions, in which rules may look up values. */
export function lookupTables(states: readonly DefinitionState[]): LookupTable[] {
  return states.flatMap(({ kind, guid, name, fields }) =>
    kind === 'table' ? [{ guid, name, fields: fields.map(({ field }) => field) }] : [],
  );
}

/** Warns of options from tables and columns that do not exist. */
export async function warnAboutOptions(
  db: Transaction,
  states: readonly DefinitionState[],
  report: LoadReport,
): Promise<void> {
  const { tables } = await readDefinitions(db);
  for (const { name, fields: ofState } of states) {
    const fields = ofState.map(({ field }) => field);
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
