import type { Collection } from './database/records/collection.ts';

/** A number with its word: `1,000 entries`. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** An archive or table at the beginning of a sentence: `Archive INVOICES`. */
export function subjectOf({ kind, name }: Pick<Collection, 'kind' | 'name'>): string {
  return `${kind === 'archive' ? 'Archive' : 'Table'} ${name}`;
}
