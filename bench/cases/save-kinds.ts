import { recordValues } from '../data/records.ts';
import { revisionValues } from '../data/revisions.ts';
import { archivePath, datasetsPath } from './requests.ts';

type Values = Readonly<Record<string, string | number | boolean | null>>;

const ASKED = 'Asked again, number :n';
/** pgbench puts variables within texts, too, where statements are sent as text. */
const literal = (value: Values[string]) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
const update = (table: string, values: Values) => {
  const set = Object.entries(values).map(([name, value]) => `"${name}" = ${literal(value)}`);
  return `update bare.${table} set ${set.join(', ')} where id = :id`;
};
const insert = (table: string, values: Values) => {
  const names = Object.keys(values).map((name) => `"${name}"`);
  return `insert into bare.${table} (${names.join(', ')}) values (${Object.values(values).map(literal).join(', ')})`;
};

/** A save of one revision or dataset. */
export interface Save {
  readonly what: string;
  /** where it goes at the service, and at the floor */
  readonly path: string;
  readonly floor: string;
  readonly method: string;
  readonly body: object;
  /** the bare statement as PostgreSQL's pgbench takes it; `:id` any of the ids, `:n` any number */
  readonly pgbench: string;
  readonly goal: boolean;
}

export const SAVES: readonly Save[] = [
  {
    what: 'PATCH one revision',
    method: 'PATCH',
    path: `${archivePath}/documents/{id}/indexdata`,
    floor: '/revisions/{id}',
    body: { indexFields: [{ name: 'REMARK', value: 'Asked again, number {n}' }] },
    pgbench: update('revisions', { REMARK: ASKED }),
    goal: true,
  },
  {
    what: 'PUT one revision',
    method: 'PUT',
    path: `${archivePath}/documents/{id}/indexdata`,
    floor: '/revisions/{id}',
    body: {
      indexFields: Object.entries(revisionValues(4711)).map(([name, value]) =>
        name === 'REMARK' ? { name, value: 'Asked again, number {n}' } : { name, value },
      ),
    },
    pgbench: update('revisions', { ...revisionValues(4711), REMARK: ASKED }),
    goal: false,
  },
  {
    what: 'POST one dataset',
    method: 'POST',
    path: datasetsPath,
    floor: '/records',
    body: { dataset: { ...recordValues(4711), code: 'N-{n}' } },
    pgbench: insert('records', recordValues(4711)),
    goal: true,
  },
  {
    what: 'PUT one dataset',
    method: 'PUT',
    path: `${datasetsPath}/{id}`,
    floor: '/records/{id}',
    body: { dataset: { note: 'Asked again, number {n}' } },
    pgbench: update('records', { note: ASKED }),
    goal: true,
  },
];

/** The request of a save, at the service. */
export function requestOf({ method, path, body }: Save) {
  return { method, path, body: JSON.stringify(body) };
}
