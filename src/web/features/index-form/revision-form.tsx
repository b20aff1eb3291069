import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useNameOf } from '#web/api/people.queries.ts';
import { aboutStep, undoOf } from '#web/api/undo.ts';
import { notify } from '#web/ui/notify.ts';
import { usePresence } from '#web/ui/presence/use-presence.ts';
import { actOnKey } from './act-on-key.ts';
import { applyStickyValues, editedPlaces, type StickyValues } from './sticky-values.ts';
import { StickyValuesLine } from './sticky-values-line.tsx';
import { compare } from './conflict.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { CopyTyped } from './copy-typed.tsx';
import { FileList } from './file-list.tsx';
import { focusPlace, focusWrong, placeOf } from './form-focus.ts';
import { FormFoot, ReadOnlyFoot } from './form-foot.tsx';
import { type FormKey, useFormKeys } from './form-keys.ts';
import type { FormSurroundings } from './form-surroundings.ts';
import { countEdits, editsOf, type FormValues } from './form-values.ts';
import { FormHead, isLast } from './form-head.tsx';
import classes from './index-form.module.css';
import { KeyHints } from './key-hints.tsx';
import { ReadingChoice } from './reading-choice.tsx';
import { descriptionOf, hasDescriptions, labelOf, refusalsOf } from './field-errors.ts';
import { FormFields } from './form-fields.tsx';
import {
  ChangedNotice,
  GoneNotice,
  LockNotice,
  MergedNotice,
  RefusedNotice,
} from './notices-of-form.tsx';
import { NoticeStack } from './notice-stack.tsx';
import type { OthersMark } from './others-mark.tsx';
import type { SaveMethod } from './request-body.ts';
import { RequestPanel } from './request-panel.tsx';
import type { RevisionRead } from './revision.queries.ts';
import { inputAssistOf } from './input-assist.ts';
import { useTypedChoices } from './typed-choices.ts';
import { useRevisionForm } from './use-revision-form.ts';
import { useInputAssist } from './use-input-assist.ts';
import { useUndo } from './use-undo.ts';

interface RevisionFormProps extends FormSurroundings {
  readonly read: RevisionRead;
  /** whether it was deleted since it was read */
  readonly gone: boolean;
  readonly requestShown: boolean;
  readonly onRequestShown: (shown: boolean) => void;
}

/** The form of one revision. Give it the revision's id as key. */
export function RevisionForm(props: RevisionFormProps) {
  const { archive, read, gone, drafts, place, onMove, username, queue = null } = props;
  const { locked } = read.revision;
  const lockedByOther = locked !== null && locked.by !== username;
  const mayWrite = archive.rights !== 'read';
  const readOnly = !mayWrite || gone || (lockedByOther && !props.administrator);
  const client = useQueryClient();
  const nameOf = useNameOf();
  const inputAssist = inputAssistOf(client, username, archive.table);
  const [carried] = useState<StickyValues>(() =>
    readOnly ? new Map() : applyStickyValues(archive, read.revision, inputAssist.pins(queue)),
  );
  const { revisionId } = read.revision;
  // The fields that the browser has something to undo in.
  const typedIn = useRef(new Set<string>());
  const state = useRevisionForm({
    archive,
    read,
    drafts,
    onChanged: props.onChanged,
    onSaved: (changes) => {
      typedIn.current.clear();
      undoOf(client, username, archive.table).push({ kind: 'saved', revisionId, changes });
    },
    carried,
  });
  const undo = useUndo({
    archive,
    username,
    revisionId,
    onChanged: props.onChanged,
    onOpen: props.onOpen,
    onTurned: props.onTurned,
  });
  const { form, base, sending, refused, conflict, merged } = state;
  const { revision } = base;
  const { requestShown, onRequestShown: setRequestShown } = props;
  const [here, setHere] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // Whether the save under way was to be followed by the next revision, also after a conflict.
  const goesOn = useRef(false);
  const values = useWatch({
    control: form.control,
    compute: (now: FormValues) => structuredClone(now),
  });
  const edits = editsOf(archive, revision, values);
  const changed = countEdits(edits);
  const viewers = usePresence('archive', archive.table, revisionId, changed > 0 && !readOnly);
  const refusals = useMemo(() => refusalsOf(archive, refused), [archive, refused]);

  const editable = !readOnly && conflict === null;
  useEffect(() => () => inputAssist.goneInto(null), [inputAssist]);
  const choices = useTypedChoices(archive, form);
  const aids = useInputAssist({
    archive,
    inputAssist,
    queue,
    form,
    revision,
    edits: state.edits,
    carried,
    refused: useMemo(() => new Set(refusals.keys()), [refusals]),
    here,
    editable,
    goTo: (place) => focusPlace(body.current, place),
  });

  const enter = useEffectEvent((place: string | null) => {
    focusPlace(body.current, place, props.focusSelects);
    props.onFocused();
  });
  const { focusOn } = props;
  useEffect(() => {
    if (focusOn !== undefined) enter(focusOn);
  }, [focusOn]);

  useEffect(() => {
    if (refusals.size > 0) focusWrong(body.current);
  }, [refusals]);

  const save = async (method: SaveMethod, next: boolean) => {
    if (readOnly) return;
    if (choices.isPending()) {
      await choices.settle();
      // Gone on from meanwhile: what was typed is saved, the next one is there already.
      if (body.current === null) {
        await state.save(method);
        return;
      }
    }
    goesOn.current = next;
    const sent = state.edits();
    if (props.eager && next && method === 'PATCH' && place && state.canSend()) {
      const saving = state.save(method);
      undoOf(client, username, archive.table).await(saving);
      aids.saved(sent);
      props.onDone?.('corrected');
      onMove(1);
      const outcome = await saving;
      // Unchanged: another has set the same values meanwhile, so nothing is left to send.
      if (outcome === 'saved' || outcome === 'unchanged') return;
      props.eager.onNotSaved(revision.revisionId, outcome);
      return;
    }
    const outcome = await state.save(method);
    if (outcome === 'saved') aids.saved(sent);
    if (outcome === 'invalid') focusWrong(body.current);
    if (outcome === 'saved' && !next) notify(`Revision ${revision.revisionId} is saved.`);
    if (outcome !== 'saved' && outcome !== 'unchanged') return;
    if (outcome === 'saved') {
      props.onDone?.('corrected');
      // Whichever way one goes on from here.
      if (!next) props.onTurned?.(revision.revisionId, true);
    } else if (next) props.onDone?.('unchanged');
    if (next && place && !isLast(place)) {
      props.onEnterNext();
      onMove(1);
    } else if (next) notify(place ? 'This is the last one of the list.' : 'It is not in the list.');
    else if (outcome === 'unchanged') notify('Nothing is changed, so nothing was sent.');
  };
  const move = (by: 1 | -1) => {
    if (document.activeElement && body.current?.contains(document.activeElement)) {
      props.onEnterNext();
    }
    onMove(by);
  };
  const restoreAll = () => {
    state.restoreAll();
    aids.revertedAll();
    // The button goes away with what it undid; the cursor must not go with it.
    focusPlace(body.current, here);
  };
  const undoByButton = async () => {
    await undo.undo();
    // With the last save the button goes, and the cursor must not go with it.
    if (document.activeElement === document.body) focusPlace(body.current, here);
  };
  const leaveConflict = () => {
    state.setConflict(null);
    requestAnimationFrame(() => focusPlace(body.current, here));
  };
  const act = (key: FormKey) =>
    actOnKey(key, {
      save,
      move,
      restoreAll,
      request: () => setRequestShown(!requestShown),
      back: props.onBack,
      aids,
      undo,
      readOnly,
      editable,
      sending: sending !== null,
    });
  const onKeyDownCapture = useFormKeys(act, conflict === null, (target) =>
    typedIn.current.has(placeOf(target) ?? ''),
  );

  const behind = conflict === null && read.etag !== base.etag && sending === null;
  const newer = behind ? compare(archive, revision, read.revision, edits) : null;
  const open = newer?.conflicts ?? [];
  const marks = new Map<string, OthersMark>(merged);
  for (const { place: at, theirs } of open) {
    marks.set(at, { by: nameOf(read.revision.changedBy), at: read.revision.changedAt, theirs });
  }
  // Once the clerk has put back what was theirs alone, the other's value comes; not under the cursor.
  const settled =
    newer !== null && open.length === 0 && newer.taken.every(({ place: at }) => at !== here);
  const catchUp = useEffectEvent(state.catchUp);
  useEffect(() => {
    if (settled) catchUp();
  }, [settled]);
  return (
    <div className={classes.form} onKeyDownCapture={onKeyDownCapture}>
      <FormHead
        revisionId={revision.revisionId}
        place={place}
        onMove={move}
        onClose={props.onClose}
        lock={
          mayWrite && !(lockedByOther && !props.administrator)
            ? {
                held: locked !== null,
                busy: sending !== null,
                set: (held) => void state.setLock(held),
              }
            : undefined
        }
        preview={props.preview}
        viewers={viewers}
      />
      <div
        ref={body}
        className={classes.body}
        onInputCapture={({ target }) => {
          const at = placeOf(target) ?? '';
          typedIn.current.add(at);
          choices.typed(at.replace('indexFields.', ''));
        }}
        onBlurCapture={() => {
          if (choices.isPending()) void choices.settle();
        }}
        onFocusCapture={(event) => {
          const at = placeOf(event.target);
          if (at === null) return;
          setHere(at);
          inputAssist.goneInto(labelOf(archive, at) ?? null);
          props.onPlace(at);
        }}
      >
        {conflict ? (
          <ConflictPanel
            archive={archive}
            base={base}
            theirs={conflict.theirs}
            edits={edits}
            verb={conflict.method === null ? 'Take these values' : 'Save with these values'}
            onSettle={(settled) => {
              state.standOn(conflict.theirs, settled);
              leaveConflict();
              if (conflict.method !== null) void save(conflict.method, goesOn.current);
            }}
            onCancel={leaveConflict}
          />
        ) : (
          <>
            <NoticeStack scroller={body} content={content}>
              <LockNotice locked={locked} mine={locked?.by === username} />
              {gone && <GoneNotice archive={archive.table} revisionId={revisionId} />}
              {merged.size > 0 && <MergedNotice merged={merged} editing={changed > 0} />}
              {open.length > 0 && (
                <ChangedNotice
                  theirs={read.revision}
                  labels={open.map(({ label }) => label)}
                  onCompare={() => state.setConflict({ theirs: read, method: null })}
                />
              )}
              {refused && (
                <RefusedNotice
                  refused={refused}
                  typed={changed > 0 && <CopyTyped archive={archive} edits={edits} />}
                  locked={locked}
                  atField={(at) => refusals.has(at)}
                  placeLabel={(at) => labelOf(archive, at)}
                />
              )}
            </NoticeStack>
            <div ref={content} className={classes.content}>
              <FormFields
                archive={archive}
                revision={revision}
                form={form}
                refusals={refusals}
                readOnly={readOnly}
                marks={marks}
                aids={aids}
                choices={choices}
                here={here}
              />
              <FileList archive={archive.table} revision={revision} />
              {props.renderBelow?.(editable ? aids.putStored : undefined)}
            </div>
          </>
        )}
      </div>
      {!readOnly && (
        <StickyValuesLine archive={archive} pins={aids.pins} onRelease={aids.acts.pin} />
      )}
      {aids.question && (
        <ReadingChoice
          key={`${aids.question.place} ${aids.question.written}`}
          question={aids.question}
          archive={archive}
          onAnswer={aids.answer}
        />
      )}
      {requestShown && editable && <RequestPanel archive={archive} base={base} edits={edits} />}
      {editable && (
        <FormFoot
          changed={changed}
          saved={undo.saved}
          hint={here === null ? '' : descriptionOf(archive, here)}
          hasHints={hasDescriptions(archive)}
          sending={sending}
          requestShown={requestShown}
          onRequest={() => setRequestShown(!requestShown)}
          onSave={(method, next) => void save(method, next)}
          onRestore={restoreAll}
          undoes={undo.step && aboutStep(undo.step)}
          onUndo={() => void undoByButton()}
          aids={
            <KeyHints
              label={here === null ? undefined : labelOf(archive, here)}
              aids={aids}
              here={here}
              changed={here !== null && editedPlaces(edits).has(here)}
            />
          }
        />
      )}
      {readOnly && (
        <ReadOnlyFoot why={gone ? 'gone' : mayWrite ? 'locked' : 'rights'}>
          {changed > 0 && !refused && <CopyTyped archive={archive} edits={edits} />}
        </ReadOnlyFoot>
      )}
    </div>
  );
}
