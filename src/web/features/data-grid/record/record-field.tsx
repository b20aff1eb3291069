import { type KeyboardEvent, memo, type RefObject } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, RemoteValue } from '#web/ui/field.tsx';
import { formatFieldValue, momentOf } from '#web/fields/field-model.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { valueText } from '#web/fields/value-text.ts';
import { CellConflict } from '../cells/cell-panel.tsx';
import type { EditStore } from '../edit-store/edit-store.ts';
import { type CellEdit, problemOf, type ServerRecord } from '../edit-store/edits.ts';
import { textInRow } from '../fill-writes.ts';
import { suggestValues } from '../summary/summary.queries.ts';
import { isInOpenListbox } from '#web/ui/popups.ts';
import shared from '#web/ui/shared.module.css';
import { useFieldDraft } from './use-field-draft.ts';
import { ValueLinks } from './value-links.tsx';
import { RecordFindings } from './record-findings.tsx';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { type FieldFinding, highestSeverity, SUGGESTION_KEY } from '#web/findings/finding.ts';
import { notify } from '#web/ui/notify.ts';
import type { Typed } from '../findings/row-record.ts';
import * as findingTexts from '#messages/findings.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/tables.ts';

interface RecordFieldProps {
  readonly guid: string;
  readonly editStore: EditStore;
  readonly record: ServerRecord;
  readonly column: Column;
  /** all of the table */
  readonly columns: readonly Column[];
  readonly edit: CellEdit | undefined;
  readonly canWrite: boolean;
  /** the column as a checked field */
  readonly field: ArchiveField | undefined;
  /** its findings */
  readonly found: readonly FieldFinding[];
  readonly onTyping: (column: string, typed: Typed | undefined) => void;
  /** the text being typed into the record, by column */
  readonly latestTyping: RefObject<ReadonlyMap<string, Typed>>;
  /** asks for the reason why the record is right */
  readonly onExcept: (column: string, finding: FieldFinding) => void;
  /** the user who has just changed this column; undefined: unknown */
  readonly changedBy: string | undefined;
}

/** One column of the record: its editor, its problems, and links from its value. */
export const RecordField = memo(function RecordField(props: RecordFieldProps) {
  const { guid, editStore, record, column, columns, edit, canWrite } = props;
  const { found, onTyping, latestTyping } = props;
  const draft = useFieldDraft({ editStore, record, column, columns, edit, onTyping, latestTyping });
  const { jrid } = record.dataset;
  const stored = record.dataset[column.name] ?? null;
  const problem = draft.typing ? null : problemOf(edit);
  const is = edit?.status.is;
  const was = formatFieldValue(column, valueText(edit?.base ?? null, column));
  // Values of a unique column are not in use elsewhere.
  const suggests = !column.unique && canWrite;

  const textAt = (name: string) =>
    textInRow({ editStore, columns, key: jrid, listed: record }, name);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { target } = event;
    if (matches('Escape', event) && draft.typing && !isInOpenListbox(target)) {
      event.stopPropagation();
      draft.discard();
      return;
    }
    if (matches(SUGGESTION_KEY, event)) {
      event.preventDefault();
      const own = event.currentTarget.querySelector<HTMLElement>('[data-suggestion]');
      if (own) own.click();
      else notify(findingTexts.noSuggestion);
      return;
    }
    const ends =
      matches('mod+Enter', event) ||
      (matches('Enter', event) && !(target instanceof HTMLTextAreaElement));
    if (ends) draft.commit();
  };
  return (
    // The key events come from the editor inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div data-column={column.name} onKeyDown={onKeyDown}>
      <Field
        dense
        label={column.label}
        icon={<ValueTypeIcon type={column.type} size={13} />}
        required={column.required}
        description={column.description}
        errors={problem === null || is === 'conflict' ? [] : [problem]}
        isInvalid={problem !== null}
        severity={highestSeverity(found)}
        changedFrom={is === 'unread' || is === 'refused' ? was : undefined}
        onRestore={() => {
          draft.discard();
          editStore.discard([{ key: jrid, column: column.name }]);
        }}
        note={<RecordFieldNotes {...props} draft={draft} />}
      >
        {(control) => (
          <ValueEditor
            rules={column}
            control={control}
            value={draft.text}
            onChange={draft.change}
            onBlur={() => draft.commit()}
            emptyAs={stored === '' ? '' : null}
            readOnly={!canWrite}
            suggest={suggests ? suggestValues(guid, column.name) : undefined}
            lookUp={{ onFill: draft.commit, textAt }}
          />
        )}
      </Field>
    </div>
  );
});

interface RecordFieldNotesProps extends RecordFieldProps {
  readonly draft: ReturnType<typeof useFieldDraft>;
}

/** Below an editor: changes by others, conflicts, findings and links. */
function RecordFieldNotes(props: RecordFieldNotesProps) {
  const { guid, editStore, record, column, columns, edit, canWrite, changedBy, draft } = props;
  const { field, found, onExcept } = props;
  const { jrid } = record.dataset;
  const is = edit?.status.is;
  const moment = momentOf(column, draft.text);
  return (
    <>
      {draft.isOutdated && (
        <p role="status">
          <RichText
            text={texts.changedTo({
              person: changedBy ?? texts.somebody,
              value: (
                <RemoteValue text={formatFieldValue(column, valueText(draft.shown, column))} />
              ),
            })}
          />
        </p>
      )}
      <CellConflict
        column={column}
        edit={edit}
        onChoose={(side) => editStore.choose(jrid, column, side)}
      />
      {is === 'refused' && (
        <div>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => editStore.tryAgain(jrid, column.name)}
          >
            {commonTexts.tryAgain}
          </Button>
        </div>
      )}
      {moment !== null && <p className={shared.note}>{moment}</p>}
      {field && found.length > 0 && (
        <RecordFindings
          guid={guid}
          editStore={editStore}
          record={record}
          field={field}
          columns={columns}
          all={found}
          canWrite={canWrite}
          onDrop={draft.discard}
          onExcept={(finding) => onExcept(column.name, finding)}
        />
      )}
      <ValueLinks column={column} value={draft.shown} />
    </>
  );
}
