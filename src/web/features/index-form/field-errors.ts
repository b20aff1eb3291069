import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { Refused } from './use-revision-form.ts';

/** What the service said about a field, and of which text it said so. */
export interface Refusal {
  readonly messages: readonly string[];
  readonly text: string | null;
}

/** The messages of a refused save by place, each with the text it is about. */
export function refusalsOf(archive: ArchiveDetail, refused: Refused | null): Map<string, Refusal> {
  const found = new Map<string, Refusal>();
  if (refused?.failure.kind !== 'api') return found;
  for (const [place, messages] of Object.entries(refused.failure.errors)) {
    const at = archive.indexFieldDefinitions.findIndex(
      ({ name }) => place === `indexFields.${name}`,
    );
    const keyword = archive.keywordFieldDefinitions.some(
      ({ name }) => place === `keywordFields.${name}`,
    );
    if (at >= 0) found.set(place, { messages, text: refused.values.fields[at]?.text ?? null });
    else if (keyword) found.set(place, { messages, text: null });
  }
  return found;
}

/** A place of the errors as the clerk knows it. */
export function labelOf(archive: ArchiveDetail, place: string): string | undefined {
  const [kind, name] = place.split('.');
  const fields =
    kind === 'indexFields' ? archive.indexFieldDefinitions : archive.keywordFieldDefinitions;
  return fields.find((field) => field.name === name)?.label;
}

/** What an index field is for, as its definition says; '' where it says nothing. */
export function descriptionOf(archive: ArchiveDetail, place: string): string {
  const field = archive.indexFieldDefinitions.find(({ name }) => place === `indexFields.${name}`);
  return field?.description ?? '';
}

/** Whether the definition says of any index field what it is for. */
export function hasDescriptions(archive: ArchiveDetail): boolean {
  return archive.indexFieldDefinitions.some(({ description }) => description !== '');
}
