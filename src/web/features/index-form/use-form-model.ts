import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { undoHistoryOf } from '#web/undo/undo-history.ts';
import { useUndo } from '#web/undo/use-undo.ts';
import { carriedOverInto, type CarriedOverValues } from './carried-over-values.ts';
import type { FormContext } from './form-context.ts';
import { inputAssistOf } from './input-assist.ts';
import { stepOfSave } from './revert-save.ts';
import { useFilling } from './use-filling.ts';
import { useFormCommands } from './use-form-commands.ts';
import { useFormFocus } from './use-form-focus.ts';
import { useHighlightedValue } from './use-highlighted-value.ts';
import { useInputAssist } from './use-input-assist.ts';
import { useNewerVersion } from './use-newer-version.ts';
import { useRevisionAccess } from './use-revision-access.ts';
import { useRevisionForm } from './use-revision-form.ts';
import { useSave } from './use-save.ts';

export interface RevisionFormProps extends FormContext {
  readonly latest: VersionedRevision;
  /** whether it was deleted since it was loaded */
  readonly isDeleted: boolean;
  readonly requestShown: boolean;
  readonly onRequestShown: (shown: boolean) => void;
}

/** The editors of a revision with their focus, the input that is assisted and saved, and the commands of the form. */
export function useFormModel(props: RevisionFormProps) {
  const { archive, latest, username } = props;
  const queue = props.queue?.id ?? null;
  const { revisionId } = latest.revision;
  const { readOnlyReason, mayLock } = useRevisionAccess(props);
  const isReadOnly = readOnlyReason !== undefined;
  const client = useQueryClient();
  const inputAssist = inputAssistOf(client, username, archive.table);
  const [carriedOverValues] = useState<CarriedOverValues>(() =>
    isReadOnly
      ? new Map()
      : carriedOverInto(archive, latest.revision, inputAssist.carriedOver(queue)),
  );
  const history = undoHistoryOf(client, username, archive.table);
  const typedIn = useRef(new Set<string>());
  const state = useRevisionForm({
    archive,
    latest,
    drafts: props.drafts,
    isReadOnly,
    onSaved: ({ base: before }, after) => {
      typedIn.current.clear();
      const of = { client, username, archive, revisionId };
      history.push(stepOfSave(of, before.revision, after), revisionId);
    },
    carriedOverValues,
  });
  const undo = useUndo({
    history,
    shownId: revisionId,
    onOpen: props.onOpen,
    onReverted: props.queue?.onSaveStateChange,
  });
  const focus = useFormFocus({ ...props, inputAssist });
  const { form, fields } = state;
  const { current } = focus;
  const { highlightedValue } = inputAssist;
  useHighlightedValue({ archive, form, fields, current, highlightedValue });
  const filling = useFilling(archive, form);
  const assist = useInputAssist({ archive, state, inputAssist, queue, carriedOverValues, focus });
  const { save, saveAgain } = useSave({
    ...props,
    state,
    isReadOnly,
    autofill: filling.autofill,
    history,
    body: focus.body,
    onSubmitted: assist.saved,
  });
  const openConflicts = useNewerVersion({ archive, latest, state, current });
  const commands = useFormCommands({
    ...props,
    state,
    isReadOnly,
    focus,
    assist,
    undo,
    save,
    onToggleRequest: () => props.onRequestShown(!props.requestShown),
  });
  return {
    archive,
    state,
    /** why the user cannot change the revision; undefined: they can */
    readOnlyReason,
    mayLock,
    inputAssist,
    assist,
    focus,
    filling,
    undo,
    commands,
    /** saves after a conflict was resolved */
    saveAgain,
    /** the fields that both the user and someone else have changed */
    openConflicts,
    /** the paths of the fields in which the browser has its own undo */
    typedIn,
  };
}

export type FormModel = ReturnType<typeof useFormModel>;
