import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { findByName } from '#shared/rules/names.ts';
import type { StoredContent } from './value-checks.ts';

/** What documents with the same layout share: the value of a field with values from a table, such as the supplier. */
export interface DocumentSource {
  readonly field: string;
  readonly value: string;
}

/**
 * The value by which documents with the same layout are found; null: none.
 * @param except the field that is searched for: instead of its own value a value that it fills is used, such as the
 * supplier's name
 * @param valueOf the value of a field, by its name
 */
export function documentSourceOf(
  { indexFieldDefinitions: fields }: Pick<ArchiveDetail, 'indexFieldDefinitions'>,
  except: string,
  valueOf: (name: string) => StoredContent,
): DocumentSource | null {
  for (const { name, optionsFrom } of fields) {
    if (!optionsFrom) continue;
    const names = name === except ? Object.keys(optionsFrom.fills ?? {}) : [name];
    for (const one of names) {
      const field = findByName(fields, one)?.name ?? one;
      const value = field === except ? null : valueOf(field);
      if (typeof value === 'string' && value !== '') return { field, value };
    }
  }
  return null;
}
