import * as findingTexts from '#messages/findings.ts';
import * as texts from '#messages/index-form.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { isText } from '#shared/values/registry.ts';
import { isList } from '#web/fields/value-checks.ts';
import { type FieldValue, isSameValue, momentOf } from '#web/fields/field-model.ts';
import type { ArchiveField, IndexFieldDefinition } from '#web/fields/index-data.ts';
import { referencedDatasetsQuery, type LookUpField } from '#web/fields/look-up.ts';
import { inWords, localInstant } from '#web/fields/value-text.ts';
import { RemoteValue } from '#web/ui/field.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { notInTable } from '#web/findings/not-in-table.ts';
import shared from '#web/ui/shared.module.css';
import classes from './input-assist.module.css';
import type { FieldNote } from './use-field-contents.ts';
import type { FieldActions } from './use-input-assist.ts';
import { truncate } from '#shared/values/truncate.ts';

/** A change of a field by another user while its form was open. */
export interface RemoteChangeMark {
  readonly by: string;
  readonly at: string;
  /**
   * the other user's value, if both have changed the field and the user has not chosen yet; undefined: the form
   * contains it
   */
  readonly theirs?: string | null | undefined;
}

interface FieldNotesProps {
  readonly field: ArchiveField;
  /** the editor's content */
  readonly value: FieldValue;
  readonly isEdited: boolean;
  /** whether the field has or last had the focus */
  readonly isCurrent: boolean;
  readonly note: FieldNote | undefined;
  readonly mark: RemoteChangeMark | undefined;
  /** whether a check already reports that the table does not contain the value */
  readonly isLookedUp: boolean;
  readonly actions: RefObject<FieldActions>;
}

/** Notes below an editor: the origin of its content, and changes by others. */
export function FieldNotes(props: FieldNotesProps) {
  const { field, value, isEdited, isCurrent, note, mark, isLookedUp, actions } = props;
  const { definition } = field;
  return (
    <>
      {definition && !isList(value) && (
        <TextNotes
          definition={definition}
          text={value}
          isTyped={isEdited && isCurrent}
          isLookedUp={isLookedUp}
        />
      )}
      {isEdited && note && isSameValue(note.value, value) && (
        <SourceNote note={note} value={value} field={field} actions={actions} />
      )}
      {mark && <RemoteChangeNote mark={mark} />}
    </>
  );
}

interface TextNotesProps extends Pick<FieldNotesProps, 'isLookedUp'> {
  readonly definition: IndexFieldDefinition;
  readonly text: string | null;
  /** whether the user may still be typing */
  readonly isTyped: boolean;
}

function TextNotes({ definition, text, isTyped, isLookedUp }: TextNotesProps) {
  const { optionsFrom } = definition;
  const moment = momentOf(definition, text);
  const spaces = isText(definition) && !isTyped ? spacesAround(text ?? '') : null;
  return (
    <>
      {optionsFrom && !isLookedUp && text !== null && text.trim() !== '' && (
        <NotInTable field={definition} text={text} />
      )}
      {moment !== null && <p className={shared.muted}>{moment}</p>}
      {spaces !== null && <p className={shared.muted}>{spaces}</p>}
    </>
  );
}

/** Leading and trailing spaces of a text, which an input does not show; null: none. */
function spacesAround(text: string): string | null {
  const begins = text.trimStart() !== text;
  const ends = text.trimEnd() !== text;
  if (begins && text.trim() === '') return texts.onlySpaces;
  if (begins && ends) return texts.spacesAround;
  if (begins) return texts.spaceBefore;
  return ends ? texts.spaceAfter : null;
}

/** Milliseconds after the last key. */
const DEBOUNCE = 300;

/** A note that no dataset of the table has the value, which may still be saved. */
function NotInTable({ field, text }: { readonly field: LookUpField; readonly text: string }) {
  const [settled] = useDebouncedValue(text, DEBOUNCE);
  const { data } = useQuery(referencedDatasetsQuery(field, settled));
  if (!data || data.options.length > 0 || settled !== text) return null;
  return <p className={classes.warning}>{notInTable(text, data.label)}</p>;
}

type SourceNoteProps = Pick<FieldNotesProps, 'field' | 'value' | 'actions'> & {
  readonly note: FieldNote;
};

function SourceNote({ note, value, field: { path, definition }, actions }: SourceNoteProps) {
  switch (note.kind) {
    case 'carriedOver':
      return <p className={classes.note}>{texts.carriedFrom(note.from)}</p>;
    case 'copied':
      return <p className={classes.note}>{texts.copiedFrom(note.from)}</p>;
    case 'restored':
      return <p className={classes.note}>{texts.fromHistory(note.from)}</p>;
    case 'suggested':
      return <p className={classes.note}>{findingTexts.suggested(note.check)}</p>;
    case 'unread':
      return <p className={classes.note}>{texts.takenAsWritten}</p>;
    case 'taken':
      return (
        <div className={classes.note}>
          <span>
            {note.written === value ? texts.taken : texts.takenOf(truncate(note.written, 60))}
          </span>
          {definition &&
            note.others.map((meaning) => (
              <button
                key={meaning.text}
                type="button"
                className={`${shared.command} ${classes.other}`}
                onClick={() => actions.current.readAs(path, meaning)}
              >
                {texts.readAs(inWords(definition, meaning.value))}
              </button>
            ))}
        </div>
      );
    default:
      return note satisfies never;
  }
}

function RemoteChangeNote({ mark: { by, at, theirs } }: { readonly mark: RemoteChangeMark }) {
  return (
    <p className={classes.others} data-open={theirs !== undefined || undefined}>
      {theirs === undefined ? (
        texts.changedAt({ by, at: localInstant(at) })
      ) : (
        <RichText text={texts.changedTo(by, <RemoteValue key="theirs" text={theirs} />)} />
      )}
    </p>
  );
}
