import type { CollectionKind } from '#shared/rules/names.ts';
import { settings } from './settings.ts';

type Part = string | number;

/** A path of the API from its parts, each escaped. */
export function applicationPath(...parts: readonly Part[]): string {
  return apiPath('application', ...parts);
}
/** The calls of administrators. */
export const configurationPath = (...parts: readonly Part[]) => apiPath('configuration', ...parts);
/** A path with parameters; empty ones are left out. */
function withQuery(path: string, query: Readonly<Record<string, string | number>>): string {
  const present = Object.entries(query).filter(([, value]) => value !== '');
  const parameters = new URLSearchParams(present.map(([name, value]) => [name, String(value)]));
  return present.length === 0 ? path : `${path}?${parameters.toString()}`;
}
function apiPath(...parts: readonly Part[]): string {
  return settings().base + parts.map(encodeURIComponent).join('/');
}
const archivePath = (archive: string, ...parts: readonly Part[]) =>
  applicationPath(settings().archiveModule, 'archives', archive, ...parts);
const tablePath = (guid: string, ...parts: readonly Part[]) =>
  applicationPath(settings().dataModule, 'tables', guid, ...parts);

/** The description of the REST interface, a page of the service. */
export const documentationAddress = () => `${settings().base}docs`;

/** A list of the web admin: an archive by its table name, or a data table by its GUID. */
export interface CollectionRef {
  readonly kind: CollectionKind;
  readonly id: string;
}
const collectionPath = ({ kind, id }: CollectionRef, ...parts: readonly Part[]) =>
  kind === 'archive' ? archivePath(id, ...parts) : tablePath(id, ...parts);
const recordPath = (collection: CollectionRef, id: string, ...parts: readonly Part[]) =>
  collectionPath(
    collection,
    collection.kind === 'archive' ? 'documents' : 'datasets',
    id,
    ...parts,
  );
const fieldPath = (collection: CollectionRef, field: string, ...parts: readonly Part[]) =>
  collectionPath(
    collection,
    collection.kind === 'archive' ? 'indices' : 'columns',
    field,
    ...parts,
  );

const definitionPath = (kind: CollectionKind, ...parts: readonly Part[]) =>
  configurationPath(`${kind}s`, ...parts);
const definedFieldPath = (kind: CollectionKind, id: string, field: string, what: string) =>
  definitionPath(kind, id, kind === 'archive' ? 'fields' : 'columns', field, what);

/**
 * The addresses of the calls (docs/interface/rest-interface.md, section 4; docs/interface/decisions.md, sections
 * 2, 6 and 7). `archive` is the table name or the GUID.
 */
export const apiPaths = {
  sessions: () => applicationPath('sessions'),
  /** @param next where to continue: a path of this origin */
  startProviderSignIn: (next: string) => withQuery(applicationPath('oidc', 'start'), { next }),
  providerSignOut: () => applicationPath('oidc', 'sign-out'),
  events: () => applicationPath('events'),
  people: () => applicationPath('users'),
  password: (username: string) => applicationPath('users', username, 'password'),

  storageKey: (username: string) => applicationPath('users', username, 'storagekey'),

  archives: (username: string) => applicationPath('users', username, 'archives'),
  archive: (username: string, archive: string) =>
    applicationPath('users', username, 'archives', archive),
  index: (archive: string) => archivePath(archive, 'index'),
  indexIds: (archive: string) => archivePath(archive, 'index', 'ids'),
  indexCount: (archive: string) => archivePath(archive, 'index', 'count'),
  indexExport: (archive: string) => archivePath(archive, 'index', 'export'),
  importInspections: (collection: CollectionRef) =>
    collectionPath(collection, 'imports', 'inspections'),
  imports: (collection: CollectionRef) => collectionPath(collection, 'imports'),
  checks: (collection: CollectionRef) => collectionPath(collection, 'checks'),
  figures: (collection: CollectionRef, days: number) =>
    withQuery(collectionPath(collection, 'checks', 'figures'), { days }),
  /** the duplicates that a check finds */
  duplicateGroups: (
    collection: CollectionRef,
    check: string,
    query: Readonly<Record<string, string | number>>,
  ) => withQuery(collectionPath(collection, 'checks', check, 'groups'), query),
  /** the exception that a record is right although a check finds it */
  checkException: (collection: CollectionRef, id: string, check: string) =>
    recordPath(collection, id, 'exceptions', check),
  /** records of a table that are merged into one; `plan`: a preview of the changes */
  merges: (guid: string, ...what: readonly ('plan' | 'undo')[]) =>
    tablePath(guid, 'merges', ...what),
  checksTry: (collection: CollectionRef) => collectionPath(collection, 'checks', 'try'),
  /** all values of fields with their counts */
  groups: (collection: CollectionRef) =>
    collectionPath(collection, collection.kind === 'archive' ? 'index' : 'datasets', 'groups'),
  valueClusters: (collection: CollectionRef, field: string) =>
    fieldPath(collection, field, 'clusters'),
  valueAliases: (collection: CollectionRef, field: string) =>
    fieldPath(collection, field, 'aliases'),
  valueAlias: (collection: CollectionRef, field: string, aliasId: string) =>
    fieldPath(collection, field, 'aliases', aliasId),
  valueReplacements: (collection: CollectionRef, field: string) =>
    fieldPath(collection, field, 'replacements'),
  pastes: (guid: string) => tablePath(guid, 'pastes'),
  bulkEdits: (collection: CollectionRef) => collectionPath(collection, 'bulkedits'),
  bulkEdit: (collection: CollectionRef, bulkEditId: string) =>
    collectionPath(collection, 'bulkedits', bulkEditId),
  /** the changes of a bulk edit, record by record */
  bulkEditRecords: (collection: CollectionRef, bulkEditId: string) =>
    collectionPath(
      collection,
      'bulkedits',
      bulkEditId,
      collection.kind === 'archive' ? 'revisions' : 'datasets',
    ),
  /** the rows that an import rejects, as CSV */
  refusedRows: (collection: CollectionRef, bulkEditId: string) =>
    collectionPath(collection, 'bulkedits', bulkEditId, 'refused'),
  bulkEditStep: (
    collection: CollectionRef,
    bulkEditId: string,
    to: 'apply' | 'pause' | 'resume' | 'undo' | 'again',
  ) => collectionPath(collection, 'bulkedits', bulkEditId, to),
  /** PATCH or PUT of several revisions */
  indexDataOfSeveral: (archive: string) => archivePath(archive, 'indexdata'),
  /** PATCH or PUT of one revision */
  indexData: (archive: string, revisionId: string) =>
    archivePath(archive, 'documents', revisionId, 'indexdata'),
  documents: (archive: string) => archivePath(archive, 'documents'),
  revision: (archive: string, revisionId: string) => archivePath(archive, 'documents', revisionId),
  revisionFile: (archive: string, revisionId: string, fileId: string) =>
    archivePath(archive, 'documents', revisionId, 'files', fileId),
  revisionHistory: (archive: string, revisionId: string) =>
    archivePath(archive, 'documents', revisionId, 'history'),
  /** who has a revision or dataset open; each window reports itself */
  viewers: (collection: CollectionRef, id: string, window: string) =>
    withQuery(recordPath(collection, id, 'viewers'), { window }),
  listOptions: (archive: string, field: string) =>
    archivePath(archive, 'indices', field, 'listoptions'),
  suggestions: (archive: string, field: string) =>
    archivePath(archive, 'indices', field, 'suggestions'),
  /** the unfinished queues of all archives */
  openQueues: () => applicationPath('queues'),
  queues: (archive: string) => archivePath(archive, 'queues'),
  queue: (archive: string, queueId: string) => archivePath(archive, 'queues', queueId),
  queueRevisions: (archive: string, queueId: string) =>
    archivePath(archive, 'queues', queueId, 'revisions'),
  flags: (archive: string) => archivePath(archive, 'flags'),
  revisionFlag: (archive: string, revisionId: string) =>
    archivePath(archive, 'documents', revisionId, 'flag'),

  definitions: (kind: CollectionKind) => definitionPath(kind),
  definition: (kind: CollectionKind, id: string, query: Readonly<Record<string, string>> = {}) =>
    withQuery(definitionPath(kind, id), query),
  fieldUses: (kind: CollectionKind, id: string, field: string) =>
    definedFieldPath(kind, id, field, 'uses'),
  misfits: (kind: CollectionKind, id: string) => definitionPath(kind, id, 'misfits'),
  definitionHistory: (kind: CollectionKind, id: string) => definitionPath(kind, id, 'history'),
  definitionRevert: (kind: CollectionKind, id: string, historyId: string) =>
    definitionPath(kind, id, 'history', historyId, 'revert'),
  definitionRestore: (kind: CollectionKind, id: string) => definitionPath(kind, id, 'restore'),
  definitionFieldPurge: (kind: CollectionKind, id: string, field: string) =>
    definedFieldPath(kind, id, field, 'purge'),
  definitionExport: (kind: CollectionKind, id: string) => definitionPath(kind, id, 'export'),
  configuredUsers: (query: Readonly<Record<string, string | number>> = {}) =>
    withQuery(configurationPath('users'), query),
  configuredUser: (username: string) => configurationPath('users', username),
  seeAsEnd: () => applicationPath('see-as'),
  analyses: () => configurationPath('analyses'),

  views: (collection: CollectionRef) => collectionPath(collection, 'views'),
  view: (collection: CollectionRef, viewId: string) => collectionPath(collection, 'views', viewId),
  lastView: (collection: CollectionRef) => collectionPath(collection, 'lastview'),

  tables: () => applicationPath(settings().dataModule, 'tables'),
  table: (guid: string) => tablePath(guid),
  datasets: (guid: string) => tablePath(guid, 'datasets'),
  datasetExport: (guid: string) => tablePath(guid, 'datasets', 'export'),
  datasetPosition: (guid: string) => tablePath(guid, 'datasets', 'position'),
  datasetFacts: (guid: string) => tablePath(guid, 'datasets', 'facts'),
  datasetCount: (guid: string) => tablePath(guid, 'datasets', 'count'),
  datasetDeleted: (guid: string) => tablePath(guid, 'datasets', 'deleted'),
  datasetUndo: (guid: string) => tablePath(guid, 'datasets', 'undo'),
  dataset: (guid: string, jrid: string) => tablePath(guid, 'datasets', jrid),
  datasetHistory: (guid: string, jrid: string) => tablePath(guid, 'datasets', jrid, 'history'),
};
