import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import { nameOfIn } from '#web/api/people.queries.ts';
import type { FieldChange } from '#web/api/undo.ts';
import { notify } from '#web/ui/notify.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import { type StickyValues, withStickyValues } from './sticky-values.ts';
import type { Drafts } from './drafts.ts';
import {
  countEdits,
  type Edits,
  editsOf,
  editsSince,
  type FormValues,
  valuesOf,
} from './form-values.ts';
import { besideConflicts, compare, type Comparison, settle } from './conflict.ts';
import { buildBody, type SaveMethod } from './request-body.ts';
import { changesOf } from './stored-changes.ts';
import {
  isOwnVersion,
  type RevisionRead,
  revisionQuery,
  sendIndexData,
  sendLock,
} from './revision.queries.ts';

/** Why the last save did not go through, and what had been sent. */
export interface Refused {
  readonly failure: ApiFailure;
  readonly values: FormValues;
}

/** Somebody else's version, to be compared with the clerk's own; `method` is the save that met it. */
export interface Conflict {
  readonly theirs: RevisionRead;
  readonly method: SaveMethod | null;
}

/** What somebody else changed in a field, taken under the clerk's own edits of other fields. */
interface Taken {
  readonly label: string;
  readonly by: string;
  readonly at: string;
}
/** By the fields' places. */
export type Merged = ReadonlyMap<string, Taken>;

/** `unchanged`: there was nothing to send; `invalid`: the editors hold what is no value. */
export type SaveOutcome = 'saved' | 'unchanged' | 'invalid' | 'conflict' | 'failed';

interface RevisionFormOptions {
  readonly archive: ArchiveDetail;
  /** the revision as it was last read */
  readonly read: RevisionRead;
  readonly drafts: Drafts;
  /** tells other places what the revision is now */
  readonly onChanged: (revision: RevisionDetail) => void;
  /** tells what a save has replaced */
  readonly onSaved: (changes: readonly FieldChange[]) => void;
  /** values that the form is opened with; a draft's own edits lie over them */
  readonly carried: StickyValues;
}

/** The state of one revision's form: its editors, the version they stand on, saving and its failures. */
export function useRevisionForm({
  archive,
  read,
  drafts,
  onChanged,
  onSaved,
  carried,
}: RevisionFormOptions) {
  const client = useQueryClient();
  const { revisionId } = read.revision;
  const query = revisionQuery(archive.table, revisionId);
  const [draft] = useState(() => drafts.get(revisionId));
  const [base, setBase] = useState<RevisionRead>(draft?.base ?? read);
  // The version under the editors at this very moment; the form tells of changes before React has rendered.
  const standing = useRef(base);
  const [sending, setSending] = useState<SaveMethod | 'lock' | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [merged, setMerged] = useState<Merged>(NOTHING_TAKEN);
  const busy = useRef(false);
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => void (mounted.current = false);
  }, []);

  const form = useForm<FormValues>({
    defaultValues: valuesOf(archive, base.revision, withStickyValues(carried, draft?.edits)),
    mode: 'onChange',
    resolver: resolverFor(archive, base.revision),
  });
  const editsNow = () => editsOf(archive, standing.current.revision, form.getValues());
  const keep = useEffectEvent(() =>
    drafts.keep(revisionId, { base: standing.current, edits: editsNow() }),
  );
  useEffect(() => form.subscribe({ formState: { values: true }, callback: keep }), [form]);

  /** Puts a version under the editors; edits stay on top of it. */
  const standOn = (next: RevisionRead, edits: Edits) => {
    standing.current = next;
    setBase(next);
    drafts.keep(revisionId, { base: next, edits });
    form.reset(valuesOf(archive, next.revision, edits));
  };

  /** Puts a newer version under the edits, but for the fields that both have changed. */
  const merge = (theirs: RevisionRead, edits: Edits, comparison: Comparison): string[] => {
    const { conflicts, taken } = comparison;
    const mine = new Map(conflicts.map(({ place }) => [place, 'mine'] as const));
    const now =
      conflicts.length === 0
        ? theirs
        : {
            revision: besideConflicts(standing.current.revision, theirs.revision, comparison),
            // A save is to meet what is open.
            etag: standing.current.etag,
          };
    standOn(now, settle(edits, comparison, mine));
    const { changedBy, changedAt: at } = theirs.revision;
    const by = nameOfIn(client)(changedBy);
    if (taken.length > 0 && !isOwnVersion(archive.table, revisionId, theirs.etag)) {
      setMerged((before) => {
        const places = new Map(before);
        for (const { place, label } of taken) places.set(place, { label, by, at });
        return places;
      });
    }
    return taken.map(({ label }) => label);
  };

  // A newer version was read, or more about this one. Where both changed a field, the clerk is told.
  const takeOver = (now: RevisionRead) => {
    if (now.etag === standing.current.etag) {
      standing.current = now;
      setBase(now);
      return;
    }
    if (busy.current || conflict !== null) return;
    const edits = editsNow();
    merge(now, edits, compare(archive, standing.current.revision, now.revision, edits));
  };
  const follow = useEffectEvent(takeOver);
  // The service's newest version comes from outside; it goes under the editors, not into what is rendered.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => follow(read), [read]);

  const readAnew = () => client.query({ ...query, staleTime: 0 });
  /** Has the rest of the page know what the revision is at the service. */
  const tellAnew = async () => {
    try {
      onChanged((await readAnew()).revision);
    } catch {
      // It is read again when it is next looked at.
    }
  };
  const publish = (next: RevisionRead) => {
    client.setQueryData(query.queryKey, next);
    onChanged(next.revision);
  };

  const fail = (error: unknown, values: FormValues) => {
    const failure = toFailure(error);
    if (mounted.current) setRefused({ failure, values });
    else notify(`Revision ${revisionId} is not saved, your changes are kept. ${summary(failure)}`);
    if (failure.kind === 'api' && failure.status === 423) {
      void tellAnew();
    }
  };

  const attempt = async (method: SaveMethod, left: number): Promise<SaveOutcome> => {
    const on = standing.current;
    const edits = editsNow();
    const values = structuredClone(form.getValues());
    if (method === 'PATCH' && countEdits(edits) === 0) return 'unchanged';
    const built = buildBody(archive, on.revision, edits, method);
    if (!built.ok) {
      await form.trigger();
      return 'invalid';
    }
    try {
      const { data, etag } = await sendIndexData(
        archive.table,
        revisionId,
        method,
        built.body,
        on.etag,
      );
      const { indexFields, keywordFields } = data;
      onSaved(changesOf(archive, on.revision, data));
      const saved = { revision: { ...on.revision, indexFields, keywordFields }, etag };
      // What was typed while the call was under way is not saved yet.
      standOn(saved, editsSince(archive, values, form.getValues()));
      publish(saved);
      // The answer does not say when and by whom; that comes with the next read.
      if (mounted.current) void tellAnew();
      else void client.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' });
      return 'saved';
    } catch (error) {
      const theirs = isChangedMeanwhile(error) ? await readAnew().catch(() => null) : null;
      if (!theirs) {
        fail(error, values);
        return 'failed';
      }
      onChanged(theirs.revision);
      const now = editsNow();
      const comparison = compare(archive, on.revision, theirs.revision, now);
      if (comparison.conflicts.length === 0 && left > 0) {
        const labels = merge(theirs, now, comparison);
        if (labels.length > 0) {
          notify(
            `${nameOfIn(client)(theirs.revision.changedBy)} changed ${labels.join(', ')} of revision ${revisionId} meanwhile. Both changes are kept.`,
          );
        }
        return attempt(method, left - 1);
      }
      setConflict({ theirs, method });
      return 'conflict';
    }
  };

  const alone = async <T>(what: SaveMethod | 'lock', work: () => Promise<T>) => {
    if (busy.current) return 'busy' as const;
    busy.current = true;
    setSending(what);
    setRefused(null);
    setMerged(NOTHING_TAKEN);
    try {
      return await work();
    } finally {
      busy.current = false;
      setSending(null);
    }
  };

  return {
    form,
    base,
    sending,
    refused,
    conflict,
    /** what others changed in the revision since it was opened or saved */
    merged,
    /** takes over what was read, once no field is open any more that both had changed */
    catchUp: () => takeOver(read),
    edits: editsNow,
    /** Whether something is edited that can be sent now. */
    canSend: () =>
      !busy.current &&
      countEdits(editsNow()) > 0 &&
      buildBody(archive, standing.current.revision, editsNow(), 'PATCH').ok,
    /** Sends what is edited (PATCH), or everything (PUT). */
    save: (method: SaveMethod) => alone(method, () => attempt(method, MERGES)),
    setLock: (locked: boolean) =>
      alone('lock', async () => {
        try {
          const now = await sendLock(archive.table, revisionId, locked, standing.current.etag);
          standOn(now, editsNow());
          publish(now);
        } catch (error) {
          fail(error, structuredClone(form.getValues()));
        }
      }),
    standOn,
    /** opens or leaves the comparison with another version */
    setConflict,
    restoreAll: () => standOn(standing.current, NO_EDITS),
  };
}

/** How often a save is made anew over what others saved a moment before. */
const MERGES = 5;

const NOTHING_TAKEN: Merged = new Map();
const NO_EDITS: Edits = { fields: new Map(), keywords: new Map() };

function isChangedMeanwhile(error: unknown): boolean {
  const failure = toFailure(error);
  return failure.kind === 'api' && failure.status === 412;
}

/** Checks what is edited, as one types; what stands there untouched may break today's definition. */
function resolverFor(archive: ArchiveDetail, revision: RevisionDetail): Resolver<FormValues> {
  return (values) => {
    const edits = editsOf(archive, revision, values);
    const wrong = archive.indexFieldDefinitions.map((field) => {
      const text = edits.fields.get(field.name);
      const parsed = text === undefined ? null : parseFieldValue(field, text);
      return parsed === null || parsed.ok
        ? undefined
        : { text: { type: 'value', message: parsed.message } };
    });
    return wrong.some((error) => error !== undefined)
      ? { values: {}, errors: { fields: wrong } }
      : { values, errors: {} };
  };
}
