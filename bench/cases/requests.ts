import { ARCHIVE, TABLE } from '../data/databases.ts';
import type { Template } from '../load/job.ts';

/** Where the calls about the archive and the table of the measured databases begin. */
export const API = '/api/rest/v2';
export const archivePath = `${API}/application/archiveapp/archives/${ARCHIVE}`;
export const tablePath = `${API}/application/dataapp/tables/${TABLE}`;
export const datasetsPath = `${tablePath}/datasets`;

/** A correction of any revision. */
export const change: Template = {
  method: 'PATCH',
  path: `${archivePath}/documents/{id}/indexdata`,
  body: JSON.stringify({ indexFields: [{ name: 'REMARK', value: 'Asked again, number {n}' }] }),
};

/** Pages as clerks have them before them. */
export const PAGES: readonly Template[] = [
  `${archivePath}/index?limit=50`,
  `${archivePath}/index?where%5BSTATE%5D%5Beq%5D=open&limit=50`,
  `${archivePath}/index?sort=-DATED&limit=50`,
  `${archivePath}/index?q=harbour&limit=50`,
  `${datasetsPath}?sort=name&limit=50`,
].map((path) => ({ method: 'GET', path }));

/** The first 100,000 revisions as a spreadsheet. */
export function exportOf(format: 'csv' | 'xlsx'): Template {
  const filter = `where%5BrevisionId%5D%5Blte%5D=${EXPORTED}`;
  return { method: 'GET', path: `${archivePath}/index/export?format=${format}&${filter}` };
}
export const EXPORTED = 100_000;
