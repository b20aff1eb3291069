import type { ArchiveDetail } from '#shared/contract/answers.ts';
import {
  type Change,
  checkChange,
  type IndexFieldDefinition,
  type KeywordFieldDefinition,
} from './change.ts';

/** A field that was chosen for correction, and what the clerk has said about it so far. */
export type Draft =
  | {
      readonly kind: 'field';
      readonly field: IndexFieldDefinition;
      /** null: nothing typed yet */
      readonly typed: string | null;
      /** the value is to be taken away, whatever was typed */
      readonly clear: boolean;
    }
  | {
      readonly kind: 'keywords';
      readonly field: KeywordFieldDefinition;
      readonly keywords: readonly string[];
      readonly clear: boolean;
    };

/** Identifies a draft: a field may stand among the drafts once. */
export function draftKey({ kind, field }: Draft): string {
  return `${kind} ${field.name}`;
}

/** A draft of every field of the archive, index fields first. */
export function allDrafts(archive: ArchiveDetail): Draft[] {
  return [
    ...archive.indexFieldDefinitions.map((field): Draft => ({
      kind: 'field',
      field,
      typed: null,
      clear: false,
    })),
    ...archive.keywordFieldDefinitions.map((field): Draft => ({
      kind: 'keywords',
      field,
      keywords: [],
      clear: false,
    })),
  ];
}

/** The change a draft stands for; null while it is not said yet what the field shall hold. */
export function changeOf(draft: Draft): Change | null {
  if (draft.kind === 'field') {
    const { field, typed, clear } = draft;
    if (clear) return { kind: 'field', field, typed: null };
    return typed === null ? null : { kind: 'field', field, typed };
  }
  const { field, keywords, clear } = draft;
  if (clear) return { kind: 'keywords', field, keywords: [] };
  return keywords.length === 0 ? null : { kind: 'keywords', field, keywords };
}

/** What is wrong with a draft as it stands; null: nothing, or nothing is said yet. */
export function complaintAbout(draft: Draft): string | null {
  const change = changeOf(draft);
  if (!change) return null;
  const checked = checkChange(change);
  return checked.ok ? null : checked.message;
}
