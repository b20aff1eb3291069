import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { Side } from '#web/fields/conflict-panel.tsx';
import { compareVersions, resolveConflicts } from '#web/features/index-form/conflict.ts';
import {
  byPath,
  editsOf,
  type FormValues,
  storedFieldValue,
  valuesOf,
} from '#web/features/index-form/form-values.ts';
import { isEdited, isSameValue } from '#web/fields/field-model.ts';
import { fieldsOf, type IndexFieldDefinition, storedIn } from '#web/fields/index-data.ts';

const NAMES = ['A', 'B', 'C', 'D'];
const KEYWORDS = ['K', 'L'];
const ARCHIVE: ArchiveDetail = {
  guid: '00000000-0000-0000-0000-000000000000',
  table: 'A',
  name: 'A',
  description: '',
  documents: 1,
  rights: 'write',
  indexFieldDefinitions: NAMES.map((name): IndexFieldDefinition => ({
    name,
    label: name,
    type: 'text',
    required: false,
    maxLength: null,
    scale: null,
    options: null,
    min: null,
    max: null,
    pattern: null,
    description: '',
    optionsFrom: null,
  })),
  keywordFieldDefinitions: KEYWORDS.map((name) => ({ name, label: name })),
};

interface State {
  readonly values: readonly (string | null)[];
  readonly keywords: readonly (readonly string[])[];
}

// Few values, so that both sides often make the same change, or change something back.
const state: fc.Arbitrary<State> = fc.record({
  values: fc.array(fc.constantFrom(null, '', 'x', 'y', 'z'), { minLength: 4, maxLength: 4 }),
  keywords: fc.array(fc.subarray(['p', 'q', 'r'], { maxLength: 2 }), {
    minLength: 2,
    maxLength: 2,
  }),
});

const revisionOf = ({ values, keywords }: State): RevisionDetail => ({
  revisionId: '1',
  documentId: '1',
  revision: 1,
  indexFields: NAMES.map((name, at) => ({ name, value: values[at] ?? null })),
  keywordFields: KEYWORDS.flatMap((name, at) =>
    (keywords[at] ?? []).map((value) => ({ name, value })),
  ),
  changedAt: '2026-01-01T00:00:00.000Z',
  changedBy: 'ben',
  createdAt: '2026-01-01T00:00:00.000Z',
  locked: null,
  files: [],
});

const FORM = fieldsOf(ARCHIVE);

/** What each place stores, as one text. */
const stored = (revision: RevisionDetail) =>
  new Map(FORM.map((field) => [field.path, JSON.stringify(storedIn(revision, field))]));
const held = (values: FormValues) =>
  new Map([...byPath(FORM, values)].map(([path, value]) => [path, JSON.stringify(value)]));

describe('merging what two people changed', () => {
  it('loses no change: those of both users are merged, and both at one field are a conflict', () => {
    const side = fc.constantFrom<Side>('base', 'theirs', 'mine');
    fc.assert(
      fc.property(state, state, state, fc.array(side, { minLength: 6 }), (a, b, c, chosen) => {
        const [base, theirs, mine] = [revisionOf(a), revisionOf(b), revisionOf(c)];
        const edits = editsOf(FORM, base, valuesOf(FORM, mine));
        const comparison = compareVersions(ARCHIVE, base, theirs, edits);
        const choices = new Map(
          comparison.conflicts.map(({ path }, at) => [path, chosen[at] ?? 'mine'] as const),
        );
        const settled = resolveConflicts(edits, comparison, choices, {
          archive: ARCHIVE,
          revision: base,
        });
        const form = held(valuesOf(FORM, theirs, settled));
        const [was, now, own] = [stored(base), stored(theirs), stored(mine)];
        const conflicts = new Set(comparison.conflicts.map(({ path }) => path));
        for (const [path, before] of was) {
          const [byThem, byMe] = [now.get(path), own.get(path)];
          const both = byThem !== before && byMe !== before && byThem !== byMe;
          expect(conflicts.has(path)).toBe(both);
          const choice = choices.get(path);
          if (choice === 'base') expect(form.get(path)).toBe(before);
          else if (choice === 'theirs') expect(form.get(path)).toBe(byThem);
          else if (choice === 'mine' || byThem === before) expect(form.get(path)).toBe(byMe);
          else expect(form.get(path)).toBe(byThem);
        }
      }),
    );
  });

  it('sends only what differs from theirs', () => {
    fc.assert(
      fc.property(state, state, state, (a, b, c) => {
        const [base, theirs, mine] = [revisionOf(a), revisionOf(b), revisionOf(c)];
        const edits = editsOf(FORM, base, valuesOf(FORM, mine));
        const comparison = compareVersions(ARCHIVE, base, theirs, edits);
        const settled = resolveConflicts(edits, comparison, new Map());
        for (const field of FORM) {
          const value = settled.get(field.path);
          if (value === undefined) continue;
          expect(isEdited(field.definition, storedIn(theirs, field), value)).toBe(true);
          expect(isSameValue(value, storedFieldValue(mine, field))).toBe(true);
        }
      }),
    );
  });
});
