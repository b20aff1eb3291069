import * as loadingTexts from '#messages/service/loading.ts';
import { dirname, parse, resolve } from 'node:path';
import type { Database, Transaction } from '#server/database/database.ts';
import { changeTables } from '#server/database/change-tables.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Actor } from '../history/history.service.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { viewProblems } from '../views/view-problems.ts';
import { addLoadedViews } from '../views/views.service.ts';
import { BadRows } from './bad-rows.ts';
import { readDefinition, type ReadDefinition } from '../definition-files/definition-reader.ts';
import { rowsOfDatasets, rowsOfDocuments } from './inline-rows.ts';
import {
  stateOfArchive,
  stateOfTable,
  type DefinitionState,
} from '../definitions/definition-state.ts';
import {
  findDefined,
  defineOrExtend,
  assertValidDefinitions,
  warnAboutOptions,
  type DefinedCollection,
} from './load-definitions.ts';
import { sortByLookups } from './load-order.ts';
import { loadRows, type CollectionRows, type LoadContext } from './load-collection.ts';
import { loadGroups } from './load-groups.ts';
import { loadUsers } from './load-users.ts';
import { LoadError } from '../definition-files/load-error.ts';
import type { LoadReport } from './load-report.ts';
import type { RowCounts } from './row-loader.ts';

export interface LoadOptions {
  /**
   * null: a bad row prevents loading its archive or table. Otherwise bad rows are written to this CSV file, or if the
   * path is null to `NAME-bad-rows.csv` next to the definition file
   */
  readonly skipBadRows: { readonly path: string | null } | null;
  /** in which the day begins for rules of checks */
  readonly timeZone: string;
}

export interface LoadResult {
  /** whether everything except skipped rows is loaded */
  readonly complete: boolean;
  /** by table and archive, in the order of loading; without those that were not loaded */
  readonly collections: readonly ({
    readonly name: string;
    readonly bad: number;
  } & Readonly<RowCounts>)[];
}

/**
 * Loads a definition file (docs/interface/decisions.md, section 9): new archives, tables, users, documents and datasets.
 * Existing content is never changed. Each archive and table has its own transaction.
 * @param path of the definition file
 * @throws {LoadError} if the file cannot be read or is invalid; nothing is loaded then
 */
export async function loadDefinition(
  database: Database,
  files: FileStore,
  path: string,
  options: LoadOptions,
  report: LoadReport,
): Promise<LoadResult> {
  const definition = await readDefinition(path);
  const [archives, tables] = [archiveLoads(definition), tableLoads(definition)];
  const states = [...archives, ...tables].map(({ wanted }) => wanted);
  await database.read((db) => assertValidDefinitions(db, states));
  // Rules look up values in tables.
  const loads = [...(await database.read((db) => sortByLookups(db, tables))), ...archives];
  const actor = { userId: null, username: 'load', address: null, call: `load ${definition.name}` };
  const loadsWithRows = loads.filter(({ hasRows }) => hasRows).length;
  const collections: LoadResult['collections'][number][] = [];
  /** the GUIDs of archives and tables that were not defined before */
  const created = new Set<string>();
  let complete = true;
  const context = { database, files, actor, report };
  for (const load of loads) {
    const badRows = badRowsPath(options, load.wanted.name, dirname(path), loadsWithRows > 1);
    const loaded = await loadOne(context, load, options.timeZone, badRows);
    if (loaded?.isNew) created.add(load.wanted.guid);
    if (loaded) collections.push({ name: load.wanted.name, ...loaded.counts });
    else complete = false;
  }
  await database.read((db) => warnAboutOptions(db, states, report));
  const groups = await loadGroups(context, definition.file.groups, created);
  const users = await loadUsers(context, definition.file.users);
  return { complete: complete && groups && users, collections };
}

/** An archive or a table of the file. */
interface CollectionLoad extends Pick<DefinitionFile['archives'][number], 'views'> {
  readonly wanted: DefinitionState;
  readonly hasRows: boolean;
  /** its rows, once it is defined */
  content(collection: Collection): CollectionRows;
}

function archiveLoads({ file, name, directory }: ReadDefinition): CollectionLoad[] {
  return file.archives.map(({ definition, documents, documentsFrom: csv, views }) => ({
    wanted: stateOfArchive(definition),
    views,
    hasRows: documents.length > 0 || csv !== null,
    content(archive) {
      return { name, directory, inline: rowsOfDocuments(archive, documents, directory), csv };
    },
  }));
}

function tableLoads({ file, name, directory }: ReadDefinition): CollectionLoad[] {
  return file.tables.map(({ definition, datasets, datasetsFrom: csv, views }) => ({
    wanted: stateOfTable(definition),
    views,
    hasRows: datasets.length > 0 || csv !== null,
    content: (table) => ({ name, directory, inline: rowsOfDatasets(table, datasets), csv }),
  }));
}

/**
 * Defines or extends an archive or table, and adds the views of the file.
 * @throws {LoadError} as `defineOrExtend`; naming each view with unknown fields
 */
async function define(
  db: Transaction,
  { wanted, views }: CollectionLoad,
  actor: Actor,
): Promise<DefinedCollection> {
  const { collection, isNew, remarks } = await defineOrExtend(db, wanted, actor);
  const problems = views.flatMap(({ name, search }) =>
    viewProblems(collection, search).map((problem) =>
      loadingTexts.viewProblem({ collection: collection.name, view: name.trim(), problem }),
    ),
  );
  if (problems.length > 0) throw new LoadError(problems);
  const added = await addLoadedViews(db, collection, views);
  const ofViews = isNew ? [] : added.map((view) => loadingTexts.viewNew(view));
  return { collection, isNew, remarks: [...remarks, ...ofViews] };
}

/** @returns undefined if nothing was loaded */
async function loadOne(
  context: LoadContext,
  load: CollectionLoad,
  timeZone: string,
  badRowsPath: string | null,
): Promise<{ isNew: boolean; counts: { bad: number } & RowCounts } | undefined> {
  const { database, actor, report } = context;
  const { kind, name } = load.wanted;
  let bad = new BadRows(name, badRowsPath);
  let extended = false;
  try {
    extended = await extendDefinition(context, load);
    const { counts, isNew, remarks, collection } = await database.write(async (db) => {
      // The transaction may be retried.
      await bad.discard();
      bad = new BadRows(name, badRowsPath);
      const { collection, isNew } = await define(db, load, actor);
      const inZone = { ...collection, timeZone };
      const content = load.content(collection);
      const loaded = await loadRows(db, inZone, isNew, content, { ...context, bad });
      return { ...loaded, collection, isNew };
    });
    for (const remark of remarks) report.warn(loadingTexts.remarkOn({ name, remark }));
    for (const line of bad.lines) report.warn(line);
    const skipped = { count: bad.count, files: await bad.publish() };
    report.info(summary(collection, isNew, counts, skipped));
    return { isNew, counts: { bad: bad.count, ...counts } };
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    for (const line of error.lines) report.fail(line);
    report.fail(
      extended
        ? loadingTexts.noRowsLoaded({ kind, name })
        : loadingTexts.nothingLoaded({ kind, name }),
    );
    return undefined;
  } finally {
    await bad.discard();
  }
}

/**
 * Extends the definition of an existing archive or table in a transaction before that of the rows, which may take minutes and
 * would lock the table.
 * @returns whether it exists
 */
async function extendDefinition(
  { database, actor, report }: LoadContext,
  load: CollectionLoad,
): Promise<boolean> {
  const { name } = load.wanted;
  const defined = await changeTables(
    database,
    async (db) => ((await findDefined(db, load.wanted)) ? define(db, load, actor) : null),
    () => report.progress(loadingTexts.waitingForTable(name)),
  );
  if (!defined) return false;
  for (const remark of defined.remarks) {
    report.warn(loadingTexts.remarkOn({ name, remark }));
  }
  await database.completeIndexes(defined.collection, (index) =>
    report.progress(loadingTexts.makingIndex({ name, index })),
  );
  return true;
}

function summary(
  collection: Collection,
  isNew: boolean,
  { added, unchanged, different, deleted, attached }: RowCounts,
  skipped: Parameters<typeof loadingTexts.skippedRows>[0],
): string {
  const { kind, name } = collection;
  const counts = [
    kind === 'archive' ? loadingTexts.newDocuments(added) : loadingTexts.newDatasets(added),
    ...(unchanged > 0 ? [loadingTexts.unchangedRows(unchanged)] : []),
    ...(different > 0 ? [loadingTexts.differentRows(different)] : []),
    ...(deleted > 0 ? [loadingTexts.deletedRows(deleted)] : []),
    ...(attached > 0 ? [loadingTexts.attachedFiles(attached)] : []),
    ...(skipped.count > 0 ? [loadingTexts.skippedRows(skipped)] : []),
  ];
  return isNew
    ? loadingTexts.newSummary({ kind, name, counts })
    : loadingTexts.summary({ kind, name, counts });
}

/** Each archive and table has its own file, because their columns differ. */
function badRowsPath(
  { skipBadRows }: LoadOptions,
  name: string,
  directory: string,
  several: boolean,
): string | null {
  if (!skipBadRows) return null;
  if (skipBadRows.path === null) return resolve(directory, `${name}-bad-rows.csv`);
  const path = resolve(skipBadRows.path);
  if (!several) return path;
  const { dir, name: base, ext } = parse(path);
  return resolve(dir, `${base}-${name}${ext}`);
}
