import type { TestClient } from '#tests/support/app.ts';
import { formOf } from '#tests/support/forms.ts';

/** What the path of a call is filled with; everything that is hidden has *hush* in its name or value. */
export interface Subjects {
  readonly archive: string;
  readonly guid: string;
  readonly revisionId: string;
  readonly fileId: string;
  readonly jrid: string;
  /** of a deletion of the caller's own */
  readonly historyId: string;
  /** of the caller: ended, planned */
  readonly bulkEditId: string;
  readonly plannedId: string;
  readonly tableBulkEditId: string;
  readonly tablePlannedId: string;
  readonly queueId: string;
  readonly viewId: string;
  readonly tableViewId: string;
  readonly username: string;
  readonly factorId: string;
  /** a check that is built in */
  readonly check: string;
  /** a field; NAME where it is not given */
  readonly indexfield?: string;
  readonly column?: string;
}

/** What is sent with a call; the query stands behind its path. */
export interface Sent {
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** where the path is about something else than usual */
  readonly subjects?: Partial<Subjects>;
}

/** A call of the interface, as the matrix asks it. */
export interface Row {
  /** what the person with restricted fields gets */
  readonly status: number;
  readonly send?: (subjects: Subjects) => Sent;
  /** calls that name a field: a hidden one is answered as one that does not exist */
  readonly naming?: readonly ((field: string, subjects: Subjects) => Sent)[];
  /** sends this value of a field that can only be read, which has 1: another one is refused, the same is nothing */
  readonly readOnly?: (value: number, subjects: Subjects) => Sent;
  /** what another value of such a field is answered with, where a plan says it by row; 403 otherwise */
  readonly refusedInPlan?: true;
  /** the answer of an administrator holds what is hidden from others */
  readonly reveals?: true;
  /** not asked: it has no end, or ends the session */
  readonly notAsked?: string;
}

const ROW: Row = { status: 200 };
const REVEALING: Row = { status: 200, reveals: true };
const GONE: Row = { status: 204 };
const query = (text: string) => (): Sent => ({ query: text });
const where = (field: string): Sent => ({ query: `where[${field}][eq]=1` });
const LIST_NAMING = [
  where,
  (field: string): Sent => ({ query: `or[a][${field}][eq]=1&or[a][NAME][eq]=1` }),
  (field: string): Sent => ({ query: `where[keyword.${field}][eq]=1` }),
];
const ORDERED = [...LIST_NAMING, (field: string): Sent => ({ query: `sort=-${field}` })];
const TABLE_NAMING = LIST_NAMING.slice(0, 2);
const TABLE_ORDERED = [...TABLE_NAMING, (field: string): Sent => ({ query: `sort=-${field}` })];

const index = (name: string, value: unknown) => ({ indexFields: [{ name, value }] });
const revisions = (id: string, fields: object) => ({ revisions: [{ revisionId: id, ...fields }] });
const full = (fixed: number) => ({
  indexFields: [
    { name: 'NAME', value: 'new' },
    { name: 'FIXED', value: fixed },
  ],
});
const documentForm = (fields: Record<string, string>): Sent =>
  formOf(
    Object.entries(fields).flatMap(([name, value], i): [string, string][] => [
      [`indexFields[${i}][name]`, name],
      [`indexFields[${i}][value]`, value],
    ]),
  );
const importForm = (text: string): Sent =>
  formOf([['files[0]', { name: 'rows.csv', bytes: text, type: 'text/csv' }]]);
const archiveImport = (field: string, value: string, id: string) =>
  importForm(`revisionId,NAME,${field}\r\n${id},new,${value}\r\n`);
const tableImport = (field: string, value: string, id: string) =>
  importForm(`jrid,NAME,${field}\r\n${id},new,${value}\r\n`);
const view = (search: string, name = 'mine') => ({ body: { name, shared: false, search } });
const paste = (field: string, jrid: string, cell: string): Sent => ({
  body: { columns: [{ field }], datasets: [{ jrid, cells: [cell] }] },
});
const edit = (field: string, id: string, value: string) => ({
  selection: { revisionIds: [id] },
  edits: [{ field, do: 'set', value }],
});
const tableEdit = ({ tableBulkEditId }: Subjects): Sent => ({
  subjects: { bulkEditId: tableBulkEditId },
});
const tablePlan = ({ tablePlannedId }: Subjects): Sent => ({
  subjects: { bulkEditId: tablePlannedId },
});
const plan = ({ plannedId }: Subjects): Sent => ({ subjects: { bulkEditId: plannedId } });
const ofTable = ({ tableViewId }: Subjects): Sent => ({ subjects: { viewId: tableViewId } });

const GROUPS: Row = {
  ...ROW,
  send: query('by=NAME'),
  naming: [
    (field) => ({ query: `by=${field}` }),
    (field) => ({ query: `by=NAME&sum=${field}` }),
    (field) => ({ query: `by=NAME&where[${field}][eq]=1` }),
  ],
};

const REPLACED = { replacements: [{ from: 'word', to: 'words' }] };

const ARCHIVE = 'application/archiveapp/archives/{archive}';
const DOCUMENT = `${ARCHIVE}/documents/{revisionId}`;
const TABLE = 'application/dataapp/tables/{guid}';
const DATASETS = `${TABLE}/datasets`;
/** A merge of a record with itself. */
const merge = (jrid: string, values: object): Sent => ({
  body: { keep: { jrid }, merge: [{ jrid }], values },
});
const MERGE: Row = {
  status: 422,
  send: ({ jrid }) => merge(jrid, {}),
  naming: [(field, { jrid }) => merge(jrid, { [field]: '1' })],
};

/** Every call below `application`, by method and path. */
export const ROWS: Readonly<Record<string, Row>> = {
  'POST application/sessions': { status: 201, notAsked: 'it begins another session' },
  'GET application/sessions': ROW,
  'DELETE application/sessions': { status: 204, notAsked: 'it ends the session' },
  'DELETE application/sessions/{sessionId}': { status: 204, notAsked: 'it ends the session' },
  'GET application/sessions/all': ROW,
  'GET application/oidc/start': { status: 404, notAsked: 'it needs no session' },
  'GET application/oidc/callback': { status: 404, notAsked: 'it needs no session' },
  'GET application/oidc/sign-out': { status: 404, notAsked: 'it needs no session' },
  'POST application/oidc/backchannel-logout': { status: 404, notAsked: 'it needs no session' },
  'DELETE application/see-as': { status: 404 },
  'GET application/users': ROW,
  'GET application/users/{username}/storagekey': ROW,
  'PUT application/users/{username}/password': { status: 422, send: () => ({ body: {} }) },
  'POST application/users/{username}/password/checks': {
    status: 204,
    send: () => ({ body: { password: 'seven rusty gates' } }),
  },
  'POST application/tokens': { status: 201, notAsked: 'it needs the password' },
  'GET application/users/{username}/tokens': ROW,
  'POST application/users/{username}/tokens': {
    status: 201,
    send: () => ({
      body: { token: { name: 'T', expiresAt: '2100-01-01T00:00:00Z', right: 'read' } },
    }),
  },
  'DELETE application/users/{username}/tokens/{tokenId}': { status: 404 },
  'POST application/sessions/challenges': { status: 201, notAsked: 'it answers what is random' },
  'POST application/sessions/confirmations': { status: 422, send: () => ({ body: {} }) },
  'GET application/users/{username}/factors': ROW,
  'POST application/users/{username}/factors': { status: 422, send: () => ({ body: {} }) },
  'DELETE application/users/{username}/factors': GONE,
  'PATCH application/users/{username}/factors/{factorId}': {
    status: 404,
    send: () => ({ body: { factor: { name: 'Phone' } } }),
  },
  'DELETE application/users/{username}/factors/{factorId}': { status: 404 },
  'GET application/users/{username}/archives': ROW,
  'GET application/users/{username}/archives/{archive}': REVEALING,
  'GET application/dataapp/tables': ROW,
  'GET application/queues': ROW,
  'GET application/events': { status: 200, notAsked: 'it has no end' },

  [`GET ${ARCHIVE}/index`]: {
    ...REVEALING,
    send: query('q=word&sort=-NAME&where[NAME][null]=false'),
    naming: ORDERED,
  },
  [`GET ${ARCHIVE}/index/ids`]: { ...ROW, naming: ORDERED },
  [`GET ${ARCHIVE}/index/count`]: { ...ROW, naming: LIST_NAMING },
  [`GET ${ARCHIVE}/index/groups`]: GROUPS,
  [`GET ${ARCHIVE}/index/export`]: {
    ...REVEALING,
    send: query('format=csv'),
    naming: [...ORDERED, (field) => ({ query: `format=csv&fields=NAME,${field}` })],
  },
  [`GET ${ARCHIVE}/documents`]: { ...REVEALING, naming: ORDERED },
  [`GET ${ARCHIVE}/indices/{indexfield}/listoptions`]: ROW,
  [`GET ${ARCHIVE}/indices/{indexfield}/suggestions`]: {
    ...ROW,
    send: query('given[NAME]=word'),
    naming: [(field) => ({ query: `given[${field}]=1` })],
  },
  [`GET ${ARCHIVE}/indices/{indexfield}/clusters`]: {
    ...ROW,
    naming: [...LIST_NAMING, (field) => ({ subjects: { indexfield: field } })],
  },
  [`GET ${ARCHIVE}/indices/{indexfield}/aliases`]: {
    ...ROW,
    naming: [(field) => ({ subjects: { indexfield: field } })],
  },
  [`DELETE ${ARCHIVE}/indices/{indexfield}/aliases/{aliasId}`]: GONE,
  [`POST ${ARCHIVE}/indices/{indexfield}/replacements`]: {
    status: 201,
    send: () => ({ body: REPLACED }),
    naming: [
      (field) => ({ body: REPLACED, subjects: { indexfield: field } }),
      (field) => ({ body: { ...REPLACED, filter: `where[${field}][eq]=1` } }),
    ],
  },
  [`POST ${ARCHIVE}/documents`]: {
    status: 201,
    send: () => documentForm({ NAME: 'made' }),
    naming: [(field) => documentForm({ NAME: 'made', [field]: '1' })],
    readOnly: (value) => documentForm({ NAME: 'made', FIXED: value === 1 ? '' : String(value) }),
  },
  [`GET ${DOCUMENT}`]: REVEALING,
  [`POST ${DOCUMENT}`]: {
    status: 201,
    reveals: true,
    send: () => documentForm({ NAME: 'again' }),
    naming: [(field) => documentForm({ [field]: '1' })],
    readOnly: (value) => documentForm({ FIXED: String(value) }),
  },
  [`PATCH ${DOCUMENT}`]: { ...REVEALING, send: () => ({ body: { locked: true } }) },
  [`DELETE ${DOCUMENT}`]: GONE,
  [`GET ${DOCUMENT}/history`]: REVEALING,
  [`GET ${DOCUMENT}/file`]: ROW,
  [`GET ${DOCUMENT}/files`]: ROW,
  [`GET ${DOCUMENT}/files/{fileId}`]: ROW,
  [`PATCH ${DOCUMENT}/indexdata`]: {
    ...REVEALING,
    send: () => ({ body: index('NAME', 'new') }),
    naming: [
      (field) => ({ body: index(field, '1') }),
      (field) => ({ body: { keywordFields: [{ name: field, value: '1' }] } }),
    ],
    readOnly: (value) => ({ body: index('FIXED', value) }),
  },
  [`PUT ${DOCUMENT}/indexdata`]: {
    status: 200,
    send: () => ({ body: full(1) }),
    naming: [
      (field) => ({
        body: { indexFields: [...full(1).indexFields, { name: field, value: '1' }] },
      }),
    ],
    readOnly: (value) => ({ body: full(value) }),
  },
  [`PATCH ${ARCHIVE}/indexdata`]: {
    ...REVEALING,
    send: ({ revisionId }) => ({ body: revisions(revisionId, index('NAME', 'new')) }),
    naming: [(field, { revisionId }) => ({ body: revisions(revisionId, index(field, '1')) })],
    readOnly: (value, { revisionId }) => ({ body: revisions(revisionId, index('FIXED', value)) }),
  },
  [`PUT ${ARCHIVE}/indexdata`]: {
    status: 200,
    send: ({ revisionId }) => ({ body: revisions(revisionId, full(1)) }),
    readOnly: (value, { revisionId }) => ({ body: revisions(revisionId, full(value)) }),
  },
  [`PUT ${DOCUMENT}/flag`]: { ...ROW, send: () => ({ body: { note: 'look' } }) },
  [`DELETE ${DOCUMENT}/flag`]: GONE,
  [`GET ${ARCHIVE}/flags`]: ROW,
  [`PUT ${DOCUMENT}/viewers`]: { ...ROW, send: () => ({ body: { editing: false } }) },
  [`DELETE ${DOCUMENT}/viewers`]: GONE,

  [`GET ${ARCHIVE}/queues`]: ROW,
  [`POST ${ARCHIVE}/queues`]: {
    status: 201,
    send: () => ({ body: { filter: 'q=word' } }),
    naming: [(field) => ({ body: { filter: `where[${field}][eq]=1` } })],
  },
  [`GET ${ARCHIVE}/queues/{queueId}`]: ROW,
  [`GET ${ARCHIVE}/queues/{queueId}/revisions`]: ROW,
  [`PATCH ${ARCHIVE}/queues/{queueId}`]: { ...ROW, send: () => ({ body: { position: 0 } }) },
  [`DELETE ${ARCHIVE}/queues/{queueId}`]: GONE,

  [`GET ${ARCHIVE}/views`]: REVEALING,
  [`POST ${ARCHIVE}/views`]: { status: 201, send: () => view('sort=NAME') },
  [`PUT ${ARCHIVE}/views/{viewId}`]: { ...ROW, send: () => view('sort=-NAME', 'changed') },
  [`DELETE ${ARCHIVE}/views/{viewId}`]: GONE,
  [`GET ${ARCHIVE}/checks`]: REVEALING,
  [`GET ${ARCHIVE}/checks/figures`]: REVEALING,
  // The built-in check has no groups.
  [`GET ${ARCHIVE}/checks/{check}/groups`]: { status: 404 },
  [`POST ${ARCHIVE}/checks/try`]: {
    ...ROW,
    send: () => ({ body: { rule: "NAME <> ''" } }),
    naming: [(field) => ({ body: { rule: `empty(${field})` } })],
  },
  [`PUT ${ARCHIVE}/documents/{revisionId}/exceptions/{check}`]: {
    status: 422,
    send: () => ({ body: { reason: 'right' } }),
  },
  [`DELETE ${ARCHIVE}/documents/{revisionId}/exceptions/{check}`]: ROW,
  [`GET ${ARCHIVE}/lastview`]: ROW,
  [`PUT ${ARCHIVE}/lastview`]: { ...ROW, send: () => ({ body: { search: 'sort=NAME' } }) },

  [`GET ${ARCHIVE}/bulkedits`]: ROW,
  [`POST ${ARCHIVE}/bulkedits`]: {
    status: 201,
    send: ({ revisionId }) => ({ body: edit('NAME', revisionId, 'edited') }),
    naming: [
      (field, { revisionId }) => ({ body: edit(field, revisionId, '1') }),
      (field, { revisionId }) => ({
        body: {
          selection: { revisionIds: [revisionId] },
          edits: [{ field: 'NAME', do: 'copy', from: field }],
        },
      }),
      (field) => ({
        body: {
          selection: { filter: `where[${field}][eq]=1` },
          edits: [{ field: 'NAME', do: 'clear' }],
        },
      }),
    ],
  },
  [`GET ${ARCHIVE}/bulkedits/{bulkEditId}`]: ROW,
  [`DELETE ${ARCHIVE}/bulkedits/{bulkEditId}`]: { ...GONE, send: plan },
  [`GET ${ARCHIVE}/bulkedits/{bulkEditId}/revisions`]: ROW,
  [`GET ${ARCHIVE}/bulkedits/{bulkEditId}/refused`]: ROW,
  [`POST ${ARCHIVE}/bulkedits/{bulkEditId}/again`]: { status: 409 },
  [`POST ${ARCHIVE}/bulkedits/{bulkEditId}/apply`]: {
    ...ROW,
    send: (subjects) => ({ ...plan(subjects), body: { onChanged: 'refuse' } }),
  },
  [`POST ${ARCHIVE}/bulkedits/{bulkEditId}/pause`]: { status: 409 },
  [`POST ${ARCHIVE}/bulkedits/{bulkEditId}/resume`]: { status: 409 },
  [`POST ${ARCHIVE}/bulkedits/{bulkEditId}/undo`]: { status: 409, send: plan },
  [`POST ${ARCHIVE}/imports`]: {
    status: 201,
    send: ({ revisionId }) => archiveImport('FIXED', '1', revisionId),
    naming: [(field, { revisionId }) => archiveImport(field, '1', revisionId)],
    readOnly: (value, { revisionId }) => archiveImport('FIXED', String(value), revisionId),
    refusedInPlan: true,
  },
  [`POST ${ARCHIVE}/imports/inspections`]: {
    status: 200,
    send: ({ revisionId }) => archiveImport('FIXED', '1', revisionId),
    naming: [(field, { revisionId }) => archiveImport(field, '1', revisionId)],
  },

  [`GET ${TABLE}`]: REVEALING,
  [`GET ${DATASETS}`]: { ...REVEALING, send: query('q=word&sort=-NAME'), naming: TABLE_ORDERED },
  [`GET ${DATASETS}/ids`]: { ...ROW, naming: TABLE_ORDERED },
  [`GET ${DATASETS}/count`]: { ...ROW, naming: TABLE_NAMING },
  [`GET ${DATASETS}/position`]: {
    status: 200,
    send: ({ jrid }) => ({ query: `jrid=${jrid}` }),
    naming: [(field, { jrid }) => ({ query: `jrid=${jrid}&sort=${field}` })],
  },
  [`GET ${DATASETS}/export`]: {
    ...REVEALING,
    send: query('format=csv'),
    naming: [...TABLE_ORDERED, (field) => ({ query: `format=csv&columns=${field}` })],
  },
  [`GET ${DATASETS}/deleted`]: REVEALING,
  [`GET ${DATASETS}/facts`]: {
    ...REVEALING,
    naming: [...TABLE_NAMING, (field) => ({ query: `columns=${field}` })],
  },
  [`POST ${DATASETS}/facts`]: {
    ...REVEALING,
    send: ({ jrid }) => ({ body: { jrids: [jrid] } }),
    naming: [(field, { jrid }) => ({ body: { jrids: [jrid], columns: [field] } })],
  },
  [`GET ${DATASETS}/groups`]: GROUPS,
  [`GET ${TABLE}/columns/{column}/clusters`]: {
    ...ROW,
    naming: [...TABLE_NAMING, (field) => ({ subjects: { column: field } })],
  },
  [`GET ${TABLE}/columns/{column}/aliases`]: {
    ...ROW,
    naming: [(field) => ({ subjects: { column: field } })],
  },
  [`DELETE ${TABLE}/columns/{column}/aliases/{aliasId}`]: GONE,
  [`POST ${TABLE}/columns/{column}/replacements`]: {
    status: 201,
    send: () => ({ body: REPLACED }),
    naming: [
      (field) => ({ body: REPLACED, subjects: { column: field } }),
      (field) => ({ body: { ...REPLACED, filter: `where[${field}][eq]=1` } }),
    ],
  },
  [`POST ${DATASETS}`]: {
    status: 200,
    reveals: true,
    send: () => ({ body: { dataset: { NAME: 'made' } } }),
    naming: [
      (field) => ({ body: { dataset: { [field]: '1' } } }),
      (field) => ({ body: { datasets: [{ [field]: '1' }] } }),
    ],
    readOnly: (value) => ({ body: { dataset: { FIXED: value } } }),
  },
  [`PUT ${DATASETS}`]: {
    ...REVEALING,
    send: ({ jrid }) => ({ body: { datasets: [{ jrid, NAME: 'new' }] } }),
    naming: [(field, { jrid }) => ({ body: { datasets: [{ jrid, [field]: '1' }] } })],
    readOnly: (value, { jrid }) => ({ body: { datasets: [{ jrid, FIXED: value }] } }),
  },
  [`DELETE ${DATASETS}`]: {
    ...GONE,
    send: ({ jrid }) => ({ body: { datasets: [{ jrid }] } }),
  },
  [`POST ${DATASETS}/undo`]: {
    ...ROW,
    send: ({ historyId }) => ({ body: { historyIds: [historyId] } }),
  },
  [`GET ${DATASETS}/{jrid}`]: REVEALING,
  [`PUT ${DATASETS}/{jrid}`]: {
    ...REVEALING,
    send: () => ({ body: { dataset: { NAME: 'new' } } }),
    naming: [(field) => ({ body: { dataset: { [field]: '1' } } })],
    readOnly: (value) => ({ body: { dataset: { FIXED: value } } }),
  },
  [`GET ${DATASETS}/{jrid}/history`]: REVEALING,
  [`PUT ${DATASETS}/{jrid}/viewers`]: { ...ROW, send: () => ({ body: { editing: false } }) },
  [`DELETE ${DATASETS}/{jrid}/viewers`]: GONE,
  [`POST ${TABLE}/pastes`]: {
    status: 201,
    send: ({ jrid }) => paste('NAME', jrid, 'pasted'),
    naming: [(field, { jrid }) => paste(field, jrid, '1')],
    readOnly: (value, { jrid }) => paste('FIXED', jrid, String(value)),
    refusedInPlan: true,
  },
  [`POST ${TABLE}/imports`]: {
    status: 201,
    send: ({ jrid }) => tableImport('FIXED', '1', jrid),
    naming: [(field, { jrid }) => tableImport(field, '1', jrid)],
    readOnly: (value, { jrid }) => tableImport('FIXED', String(value), jrid),
    refusedInPlan: true,
  },
  [`POST ${TABLE}/imports/inspections`]: {
    status: 200,
    send: ({ jrid }) => tableImport('FIXED', '1', jrid),
    naming: [(field, { jrid }) => tableImport(field, '1', jrid)],
  },
  [`GET ${TABLE}/bulkedits`]: ROW,
  [`GET ${TABLE}/bulkedits/{bulkEditId}`]: { ...ROW, send: tableEdit },
  [`DELETE ${TABLE}/bulkedits/{bulkEditId}`]: { ...GONE, send: tablePlan },
  [`GET ${TABLE}/bulkedits/{bulkEditId}/datasets`]: { ...ROW, send: tableEdit },
  [`GET ${TABLE}/bulkedits/{bulkEditId}/refused`]: { ...ROW, send: tableEdit },
  [`POST ${TABLE}/bulkedits/{bulkEditId}/apply`]: {
    ...ROW,
    send: (subjects) => ({ ...tablePlan(subjects), body: { onChanged: 'refuse' } }),
  },
  [`POST ${TABLE}/bulkedits/{bulkEditId}/pause`]: { status: 409, send: tableEdit },
  [`POST ${TABLE}/bulkedits/{bulkEditId}/resume`]: { status: 409, send: tableEdit },
  [`POST ${TABLE}/bulkedits/{bulkEditId}/undo`]: { status: 409, send: tablePlan },
  [`GET ${TABLE}/views`]: REVEALING,
  [`POST ${TABLE}/views`]: { status: 201, send: () => view('sort=NAME') },
  [`PUT ${TABLE}/views/{viewId}`]: {
    ...ROW,
    send: (subjects) => ({ ...ofTable(subjects), ...view('sort=-NAME', 'changed') }),
  },
  [`DELETE ${TABLE}/views/{viewId}`]: { ...GONE, send: ofTable },
  [`GET ${TABLE}/checks`]: REVEALING,
  [`GET ${TABLE}/checks/figures`]: REVEALING,
  [`GET ${TABLE}/checks/{check}/groups`]: { status: 404 },
  [`POST ${TABLE}/checks/try`]: {
    ...ROW,
    send: () => ({ body: { rule: "NAME <> ''" } }),
    naming: [(field) => ({ body: { rule: `empty(${field})` } })],
  },
  [`POST ${TABLE}/merges/plan`]: MERGE,
  [`POST ${TABLE}/merges`]: MERGE,
  [`POST ${TABLE}/merges/undo`]: { status: 422, send: () => ({ body: { undo: [] } }) },
  [`PUT ${TABLE}/datasets/{jrid}/exceptions/{check}`]: {
    status: 422,
    send: () => ({ body: { reason: 'right' } }),
  },
  [`DELETE ${TABLE}/datasets/{jrid}/exceptions/{check}`]: ROW,
  [`GET ${TABLE}/lastview`]: ROW,
  [`PUT ${TABLE}/lastview`]: { ...ROW, send: () => ({ body: { search: 'sort=NAME' } }) },
};

/** Sends a call of the matrix. @param path with the names of its parameters in braces */
export function ask(
  client: TestClient,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  subjects: Subjects,
  { query: text, body, headers, subjects: others }: Sent,
) {
  const all: Readonly<Record<string, string>> = {
    ...subjects,
    indexfield: 'NAME',
    column: 'NAME',
    ...others,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => all[name] ?? '999999');
  const address = text === undefined ? filled : `${filled}?${text}`;
  return client.send(method, address, body, { headers: { ...headers } });
}
