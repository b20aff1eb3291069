import { useRef, useState } from 'react';
import { findByName } from '#shared/rules/names.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import {
  type FieldValue,
  fieldProblem,
  isEdited,
  isSameValue,
  toFieldValue,
} from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { stepRedone, stepUndone, type UndoSteps, withStep } from '#web/undo/undo-steps.ts';
import type { Correction } from './corrections-file.ts';
import { reviewMarks } from './review-marks.ts';

/** The unsaved changes of the archive's forms, which include those typed here. */
export interface ReviewDrafts {
  readonly get: (revisionId: string) => Correction | undefined;
  /** the same, to continue it: the next one replaces it, also where another tab has stored it */
  readonly open: (revisionId: string) => Correction | undefined;
  /** stores a draft; one without edits is removed */
  readonly set: (revisionId: string, draft: Correction) => void;
}

/** The user's answer for a record. */
export interface ReviewAnswer {
  /** the typed values, by the paths of the fields; empty: none */
  readonly edits: ReadonlyMap<string, FieldValue>;
  readonly isRight: boolean;
}

export const NO_ANSWER: ReviewAnswer = { edits: new Map(), isRight: false };

interface Step {
  readonly loaded: VersionedRevision;
  readonly before: ReviewAnswer;
  readonly after: ReviewAnswer;
}

interface ReviewOptions {
  /** the archive's table name */
  readonly archive: string;
  /** the field, then those that a choice in its editor fills */
  readonly fields: readonly ArchiveField[];
  readonly ids: readonly string[];
  readonly drafts: ReviewDrafts;
}

export type Review = ReturnType<typeof useReview>;

/** The user's answers for each record, with undo. Typed values outlive the page as drafts of the records' forms. */
export function useReview({ archive, fields, ids, drafts }: ReviewOptions) {
  const { username } = useSession();
  const marks = reviewMarks(username, archive, fields[0]?.name ?? '');
  const [answers, setAnswers] = useState(() => storedAnswers(fields, ids, drafts, marks.read()));
  const latest = useRef(answers);
  const answerOf = (id: string) => latest.current.get(id) ?? NO_ANSWER;

  /** The version on which a draft of the record is based, as it was read last. */
  const baseOf = (loaded: VersionedRevision) => {
    const base = drafts.get(loaded.revision.revisionId)?.base;
    return base && base.etag !== loaded.etag ? base : loaded;
  };

  const put = (loaded: VersionedRevision, answer: ReviewAnswer) => {
    const { revisionId } = loaded.revision;
    const edits = new Map(drafts.open(revisionId)?.edits);
    for (const { path } of fields) edits.delete(path);
    for (const [path, value] of answer.edits) edits.set(path, value);
    drafts.set(revisionId, { base: baseOf(loaded), edits });
    latest.current = new Map(latest.current).set(revisionId, answer);
    setAnswers(latest.current);
    marks.write(new Set([...latest.current].flatMap(([id, one]) => (one.isRight ? id : []))));
  };
  const steps = useSteps(put);

  const type = (loaded: VersionedRevision, changes: ReadonlyMap<string, FieldValue>) => {
    const edits = new Map(answerOf(loaded.revision.revisionId).edits);
    for (const [path, value] of changes) edits.set(path, value);
    const base = baseOf(loaded);
    for (const field of fields) {
      const value = edits.get(field.path);
      const stored = storedIn(base.revision, field);
      if (value !== undefined && !isEdited(field.definition, stored, value))
        edits.delete(field.path);
    }
    put(loaded, { edits, isRight: false });
  };

  return {
    answers,
    answerOf,
    /** Stores typed text; it becomes one undo step when `typed` is called. */
    type,
    /** Stores what a typed text fills in, also after `typed`: it belongs to the same undo step. */
    fill(loaded: VersionedRevision, fills: readonly Fill[]) {
      const { revisionId } = loaded.revision;
      const typed = answerOf(revisionId);
      const changes = fills.flatMap(({ name, text }): [string, FieldValue][] => {
        const filled = findByName(fields, name);
        return filled && !filled.isReadOnly ? [[filled.path, text]] : [];
      });
      type(loaded, new Map(changes));
      steps.replaceAfter(typed, answerOf(revisionId));
    },
    /** An editor has lost the focus. @param before the answer when it received the focus */
    typed(loaded: VersionedRevision, before: ReviewAnswer) {
      steps.record({ loaded, before, after: answerOf(loaded.revision.revisionId) });
    },
    /** Restores an answer. */
    restore: put,
    /** A correction needs no mark: it shows that the record was reviewed. */
    setRight(loaded: VersionedRevision, isRight: boolean) {
      const before = answerOf(loaded.revision.revisionId);
      if (before.edits.size > 0) return;
      const after = { ...before, isRight };
      put(loaded, after);
      steps.record({ loaded, before, after });
    },
    undo: steps.undo,
    redo: steps.redo,
    /** The corrections typed so far, in review order. */
    corrections: (): (Correction & { readonly problem: string | null })[] =>
      ids.flatMap((id) => {
        const answer = answerOf(id);
        const base = drafts.get(id)?.base;
        if (!base || answer.edits.size === 0) return [];
        return { base, edits: answer.edits, problem: problemIn(fields, answer) };
      }),
    /** A revision was reloaded: values that are stored now are no longer corrections, but confirmed. */
    settle(loaded: VersionedRevision) {
      const { revisionId } = loaded.revision;
      const { edits } = answerOf(revisionId);
      if (edits.size === 0 || drafts.get(revisionId)?.base.etag === loaded.etag) return;
      const isStored = fields.every((field) => {
        const value = edits.get(field.path);
        const stored = storedIn(loaded.revision, field);
        return value === undefined || !isEdited(field.definition, stored, value);
      });
      if (!isStored) return;
      put(loaded, { edits: new Map(), isRight: true });
      steps.forget(revisionId);
    },
  };
}

/** The undo steps of the review. @param put stores an answer */
function useSteps(put: (loaded: VersionedRevision, answer: ReviewAnswer) => void) {
  const [steps, setSteps] = useState<UndoSteps<Step>>({ done: [], undone: [] });
  /** @returns the revision whose answer was restored; null: there is no step */
  const revert = (
    step: Step | undefined,
    to: 'before' | 'after',
    moved: typeof stepUndone<Step>,
  ): string | null => {
    if (!step) return null;
    put(step.loaded, step[to]);
    setSteps(moved(steps, step, step));
    return step.loaded.revision.revisionId;
  };
  return {
    record: (step: Step) => {
      if (!isSameAnswer(step.before, step.after)) setSteps((before) => withStep(before, step));
    },
    /** The answer of a step was completed. */
    replaceAfter: (answer: ReviewAnswer, after: ReviewAnswer) =>
      setSteps(({ done, undone }) => ({
        done: done.map((step) => (step.after === answer ? { ...step, after } : step)),
        undone,
      })),
    /** Removes the steps of a revision. */
    forget: (revisionId: string) => {
      const isOther = (step: Step) => step.loaded.revision.revisionId !== revisionId;
      setSteps(({ done, undone }) => ({
        done: done.filter(isOther),
        undone: undone.filter(isOther),
      }));
    },
    undo: () => revert(steps.done.at(-1), 'before', stepUndone),
    redo: () => revert(steps.undone.at(-1), 'after', stepRedone),
  };
}

/** @param right the revisions that are marked as right */
function storedAnswers(
  fields: readonly ArchiveField[],
  ids: readonly string[],
  drafts: ReviewDrafts,
  right: ReadonlySet<string>,
): ReadonlyMap<string, ReviewAnswer> {
  return new Map(
    ids.flatMap((id): [string, ReviewAnswer][] => {
      const draft = drafts.get(id)?.edits;
      const edits = new Map(
        fields.flatMap(({ path }): [string, FieldValue][] => {
          const value = draft?.get(path);
          return value === undefined ? [] : [[path, value]];
        }),
      );
      const isRight = edits.size === 0 && right.has(id);
      return edits.size > 0 || isRight ? [[id, { edits, isRight }]] : [];
    }),
  );
}

/** The value of a field of a record: as typed, or else as stored. */
export function reviewedValue(
  answer: ReviewAnswer,
  loaded: VersionedRevision,
  field: ArchiveField,
): FieldValue {
  const edit = answer.edits.get(field.path);
  return edit === undefined
    ? toFieldValue(field.definition, storedIn(loaded.revision, field))
    : edit;
}

/** The error in the typed values; null: none. */
export function problemIn(fields: readonly ArchiveField[], { edits }: ReviewAnswer): string | null {
  for (const { path, definition } of fields) {
    const value = edits.get(path);
    const problem = value === undefined ? null : fieldProblem(definition, value);
    if (problem !== null) return problem;
  }
  return null;
}

function isSameAnswer(a: ReviewAnswer, b: ReviewAnswer): boolean {
  return (
    a.isRight === b.isRight &&
    a.edits.size === b.edits.size &&
    [...a.edits].every(([path, value]) => isSameValue(value, b.edits.get(path)))
  );
}
