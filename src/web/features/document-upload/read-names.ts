import * as texts from '#messages/document-upload.ts';
import { userLocale } from '#shared/messages/format.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { type FileNamePattern, readFileName } from '#shared/rules/file-name-patterns.ts';
import { findByName } from '#shared/rules/names.ts';
import { notationOf } from '#shared/values/readings.ts';
import { readValue } from './read-value.ts';
import type { IndexValue } from './uploader.ts';

/** The index data in a file's name, or why it cannot be parsed. @param pattern null: names contain none */
export function readName(
  { indexFieldDefinitions }: ArchiveDetail,
  pattern: FileNamePattern | null,
  fileName: string,
): readonly IndexValue[] | { readonly problem: string } {
  if (!pattern) return [];
  const parts = readFileName(pattern, fileName);
  if (!parts) return { problem: texts.notOfPattern };
  const notation = notationOf(userLocale());
  const values: IndexValue[] = [];
  for (const [name, text] of parts) {
    const field = findByName(indexFieldDefinitions, name);
    if (!field) return { problem: texts.noField(name) };
    const value = readValue(field, text, notation);
    if ('problem' in value) return value;
    values.push(value);
  }
  return values;
}
