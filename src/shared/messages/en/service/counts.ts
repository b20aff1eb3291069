/** Counts in reports of commands. */
import { formatCount } from '#shared/messages/format.ts';
import { plural } from '../language.ts';

const counter = (one: string, other: string) => (count: number) =>
  plural(count, { one: `${formatCount(count)} ${one}`, other: `${formatCount(count)} ${other}` });

export const blocks = counter('block', 'blocks');
export const bytes = counter('byte', 'bytes');
export const entries = counter('entry', 'entries');
export const files = counter('file', 'files');
export const findings = counter('finding', 'findings');
export const keywords = counter('keyword', 'keywords');
export const records = counter('record', 'records');
export const rows = counter('row', 'rows');
export const sessions = counter('session', 'sessions');
export const tables = counter('table', 'tables');
export const users = counter('user', 'users');
