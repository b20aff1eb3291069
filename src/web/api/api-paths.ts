import { settings } from './settings.ts';

type Part = string | number;

/** A path of the API from its parts, each escaped. */
export function at(...parts: readonly Part[]): string {
  return below('application', ...parts);
}
/** The calls of administrators. */
export const inConfiguration = (...parts: readonly Part[]) => below('configuration', ...parts);
/** A path with parameters; empty ones are left out. */
function withQuery(path: string, query: Readonly<Record<string, string | number>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${parameters.toString()}`;
}
function below(...parts: readonly Part[]): string {
  return settings().base + parts.map(encodeURIComponent).join('/');
}
const inArchive = (archive: string, ...parts: readonly Part[]) =>
  at(settings().archiveModule, 'archives', archive, ...parts);
const inTable = (guid: string, ...parts: readonly Part[]) =>
  at(settings().dataModule, 'tables', guid, ...parts);

/** The description of the REST interface, a page of the service. */
export const documentationAddress = () => `${settings().base}docs`;

/** A list of the web admin: an archive by its table name, or a data table by its GUID. */
export interface CollectionRef {
  readonly kind: 'archive' | 'table';
  readonly id: string;
}
const inList = ({ kind, id }: CollectionRef, ...parts: readonly Part[]) =>
  kind === 'archive' ? inArchive(id, ...parts) : inTable(id, ...parts);
const inField = (collection: CollectionRef, field: string, ...parts: readonly Part[]) =>
  inList(collection, collection.kind === 'archive' ? 'indices' : 'columns', field, ...parts);

/**
 * The addresses of the calls (docs/interface/rest-interface.md, section 4; docs/interface/decisions.md, sections
 * 2, 6 and 7). `archive` is the table name or the GUID.
 */
export const apiPaths = {
  sessions: () => at('sessions'),
  /** @param next where to continue: a path of this origin */
  startProviderSignIn: (next: string) => withQuery(at('oidc', 'start'), { next }),
  providerSignOut: () => at('oidc', 'sign-out'),
  events: () => at('events'),
  people: () => at('users'),
  password: (username: string) => at('users', username, 'password'),

  storageKey: (username: string) => at('users', username, 'storagekey'),

  archives: (username: string) => at('users', username, 'archives'),
  archive: (username: string, archive: string) => at('users', username, 'archives', archive),
  index: (archive: string) => inArchive(archive, 'index'),
  indexIds: (archive: string) => inArchive(archive, 'index', 'ids'),
  indexCount: (archive: string) => inArchive(archive, 'index', 'count'),
  indexExport: (archive: string) => inArchive(archive, 'index', 'export'),
  importInspections: (collection: CollectionRef) => inList(collection, 'imports', 'inspections'),
  imports: (collection: CollectionRef) => inList(collection, 'imports'),
  checks: (collection: CollectionRef) => inList(collection, 'checks'),
  figures: (collection: CollectionRef, days: number) =>
    withQuery(inList(collection, 'checks', 'figures'), { days }),
  /** the duplicates that a check finds */
  duplicateGroups: (
    collection: CollectionRef,
    check: string,
    query: Readonly<Record<string, string | number>>,
  ) => withQuery(inList(collection, 'checks', check, 'groups'), query),
  /** the exception that a record is right although a check finds it */
  checkException: (collection: CollectionRef, id: string, check: string) =>
    inList(
      collection,
      collection.kind === 'archive' ? 'documents' : 'datasets',
      id,
      'exceptions',
      check,
    ),
  /** records of a table that are merged into one; `plan`: a preview of the changes */
  merges: (guid: string, ...what: readonly ('plan' | 'undo')[]) => inTable(guid, 'merges', ...what),
  checksTry: (collection: CollectionRef) => inList(collection, 'checks', 'try'),
  /** all values of fields with their counts */
  groups: (collection: CollectionRef) =>
    inList(collection, collection.kind === 'archive' ? 'index' : 'datasets', 'groups'),
  valueClusters: (collection: CollectionRef, field: string) =>
    inField(collection, field, 'clusters'),
  valueAliases: (collection: CollectionRef, field: string) => inField(collection, field, 'aliases'),
  valueAlias: (collection: CollectionRef, field: string, aliasId: string) =>
    inField(collection, field, 'aliases', aliasId),
  valueReplacements: (collection: CollectionRef, field: string) =>
    inField(collection, field, 'replacements'),
  pastes: (guid: string) => inList({ kind: 'table', id: guid }, 'pastes'),
  bulkEdits: (collection: CollectionRef) => inList(collection, 'bulkedits'),
  bulkEdit: (collection: CollectionRef, bulkEditId: string) =>
    inList(collection, 'bulkedits', bulkEditId),
  /** the changes of a bulk edit, record by record */
  bulkEditRecords: (collection: CollectionRef, bulkEditId: string) =>
    inList(
      collection,
      'bulkedits',
      bulkEditId,
      collection.kind === 'archive' ? 'revisions' : 'datasets',
    ),
  /** the rows that an import rejects, as CSV */
  refusedRows: (collection: CollectionRef, bulkEditId: string) =>
    inList(collection, 'bulkedits', bulkEditId, 'refused'),
  bulkEditStep: (
    collection: CollectionRef,
    bulkEditId: string,
    to: 'apply' | 'pause' | 'resume' | 'undo' | 'again',
  ) => inList(collection, 'bulkedits', bulkEditId, to),
  /** PATCH or PUT of several revisions */
  indexDataOfSeveral: (archive: string) => inArchive(archive, 'indexdata'),
  /** PATCH or PUT of one revision */
  indexData: (archive: string, revisionId: string) =>
    inArchive(archive, 'documents', revisionId, 'indexdata'),
  documents: (archive: string) => inArchive(archive, 'documents'),
  revision: (archive: string, revisionId: string) => inArchive(archive, 'documents', revisionId),
  revisionFile: (archive: string, revisionId: string, fileId: string) =>
    inArchive(archive, 'documents', revisionId, 'files', fileId),
  revisionHistory: (archive: string, revisionId: string) =>
    inArchive(archive, 'documents', revisionId, 'history'),
  /** who has a revision or dataset open; each window reports itself */
  viewers: (collection: CollectionRef, id: string, window: string) =>
    `${inList(collection, collection.kind === 'archive' ? 'documents' : 'datasets', id, 'viewers')}?window=${encodeURIComponent(window)}`,
  listOptions: (archive: string, field: string) =>
    inArchive(archive, 'indices', field, 'listoptions'),
  suggestions: (archive: string, field: string) =>
    inArchive(archive, 'indices', field, 'suggestions'),
  /** the unfinished queues of all archives */
  openQueues: () => at('queues'),
  queues: (archive: string) => inArchive(archive, 'queues'),
  queue: (archive: string, queueId: string) => inArchive(archive, 'queues', queueId),
  queueRevisions: (archive: string, queueId: string) =>
    inArchive(archive, 'queues', queueId, 'revisions'),
  flags: (archive: string) => inArchive(archive, 'flags'),
  revisionFlag: (archive: string, revisionId: string) =>
    inArchive(archive, 'documents', revisionId, 'flag'),

  definitions: (kind: CollectionRef['kind']) => inConfiguration(`${kind}s`),
  definition: (
    kind: CollectionRef['kind'],
    id: string,
    query: Readonly<Record<string, string>> = {},
  ) => withQuery(inConfiguration(`${kind}s`, id), query),
  fieldUses: (kind: CollectionRef['kind'], id: string, field: string) =>
    inConfiguration(`${kind}s`, id, kind === 'archive' ? 'fields' : 'columns', field, 'uses'),
  misfits: (kind: CollectionRef['kind'], id: string) => inConfiguration(`${kind}s`, id, 'misfits'),
  definitionHistory: (kind: CollectionRef['kind'], id: string) =>
    inConfiguration(`${kind}s`, id, 'history'),
  definitionRevert: (kind: CollectionRef['kind'], id: string, historyId: string) =>
    inConfiguration(`${kind}s`, id, 'history', historyId, 'revert'),
  definitionRestore: (kind: CollectionRef['kind'], id: string) =>
    inConfiguration(`${kind}s`, id, 'restore'),
  definitionFieldPurge: (kind: CollectionRef['kind'], id: string, field: string) =>
    inConfiguration(`${kind}s`, id, kind === 'archive' ? 'fields' : 'columns', field, 'purge'),
  definitionExport: (kind: CollectionRef['kind'], id: string) =>
    inConfiguration(`${kind}s`, id, 'export'),
  configuredUsers: (query: Readonly<Record<string, string | number>> = {}) =>
    withQuery(inConfiguration('users'), query),
  configuredUser: (username: string) => inConfiguration('users', username),
  seeAsEnd: () => at('see-as'),
  configuredArchives: () => inConfiguration('archives'),
  configuredTables: () => inConfiguration('tables'),
  analyses: () => inConfiguration('analyses'),

  views: (collection: CollectionRef) => inList(collection, 'views'),
  view: (collection: CollectionRef, viewId: string) => inList(collection, 'views', viewId),
  lastView: (collection: CollectionRef) => inList(collection, 'lastview'),

  tables: () => at(settings().dataModule, 'tables'),
  table: (guid: string) => inTable(guid),
  datasets: (guid: string) => inTable(guid, 'datasets'),
  datasetExport: (guid: string) => inTable(guid, 'datasets', 'export'),
  datasetPosition: (guid: string) => inTable(guid, 'datasets', 'position'),
  datasetFacts: (guid: string) => inTable(guid, 'datasets', 'facts'),
  datasetGroups: (guid: string) => inTable(guid, 'datasets', 'groups'),
  datasetCount: (guid: string) => inTable(guid, 'datasets', 'count'),
  datasetDeleted: (guid: string) => inTable(guid, 'datasets', 'deleted'),
  datasetUndo: (guid: string) => inTable(guid, 'datasets', 'undo'),
  dataset: (guid: string, jrid: string) => inTable(guid, 'datasets', jrid),
  datasetHistory: (guid: string, jrid: string) => inTable(guid, 'datasets', jrid, 'history'),
};
