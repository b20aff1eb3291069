import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { FileNamePattern } from '#shared/rules/file-name-patterns.ts';
import { nameKey } from '#shared/rules/names.ts';
import * as texts from '#messages/document-upload.ts';
import { type IndexFile, valuesInIndexFile } from './index-file.ts';
import { readName } from './read-names.ts';
import type { IndexValue } from './uploader.ts';

/** The index data of a file, or why it is invalid. */
type IndexDataOfFile = readonly IndexValue[] | { readonly problem: string };

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
