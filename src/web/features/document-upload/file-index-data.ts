import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { userLocale } from '#shared/messages/format.ts';
import { type FileNamePattern, readFileName } from '#shared/rules/file-name-patterns.ts';
import { findByName, nameKey } from '#shared/rules/names.ts';
import { notationOf } from '#shared/values/readings.ts';
import * as texts from '#messages/document-upload.ts';
import { type IndexFile, valuesInIndexFile } from './index-file.ts';
import { readValue } from './read-value.ts';
import type { IndexDataOfFile, IndexValue } from './uploader.ts';

/**
 * The index data of a file from its name and from a spreadsheet, which takes precedence.
 * @param pattern null: names provide none
 * @param indexFile null: there is no spreadsheet
 */
export function indexDataOf(
  archive: ArchiveDetail,
  pattern: FileNamePattern | null,
  indexFile: IndexFile | null,
  file: Pick<File, 'name' | 'size'>,
): IndexDataOfFile {
  if (file.size === 0) return { problem: texts.emptyFile };
  const named = readName(archive, pattern, file.name);
  if ('problem' in named) return named;
  const listed = indexFile ? valuesInIndexFile(indexFile, file.name) : [];
  if ('problem' in listed) return listed;
  const values = new Map([...named, ...listed].map((value) => [nameKey(value.name), value]));
  const missing = archive.indexFieldDefinitions.find(
    ({ name, required }) => required && (values.get(nameKey(name))?.value ?? '') === '',
  );
  return missing ? { problem: texts.valueMissing(missing.label) } : [...values.values()];
}

/** The index data in a file's name. @param pattern null: names contain none */
function readName(
  { indexFieldDefinitions }: ArchiveDetail,
  pattern: FileNamePattern | null,
  fileName: string,
): IndexDataOfFile {
  if (!pattern) return [];
  const parts = readFileName(pattern, fileName);
  if (!parts) return { problem: texts.notOfPattern };
  const locale = userLocale();
  const notation = notationOf(locale);
  const values: IndexValue[] = [];
  for (const [name, text] of parts) {
    const field = findByName(indexFieldDefinitions, name);
    if (!field) return { problem: texts.noField(name) };
    const value = readValue(field, text, notation, locale);
    if ('problem' in value) return value;
    values.push(value);
  }
  return values;
}
