import { useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { hasStatus } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { ChevronDownIcon, ChevronUpIcon, CloseIcon } from '#web/ui/icons.tsx';
import { mayTakeFocus } from '#web/ui/focus-request.ts';
import { matches } from '#web/ui/shortcuts.ts';
import { LaidOutFields } from '#web/fields/field-layout.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ToolButton } from '#web/ui/tool-button.tsx';
import { usePresence } from '#web/presence/use-presence.ts';
import { PresenceNote } from '#web/presence/presence-note.tsx';
import type { RemoteChange } from '../rows/remote-changes.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellsOf, type Edits } from '../edit-store/edits.ts';
import { PANEL_KEYS } from '../dataset-keys.ts';
import { isFocusLost } from '#web/ui/focus-fallback.ts';
import { DeletedRecord } from './deleted-record.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './panel.module.css';
import { inOpenList } from '#web/fields/open-list.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import type { Typed } from '../findings/row-record.ts';
import { RecordExceptionDialog } from './record-exception-dialog.tsx';
import { RecordField } from './record-field.tsx';
import { useRecordFindings } from './use-record-findings.ts';
import { RecordHistory } from './record-history.tsx';
import { recordQuery } from '../record.queries.ts';
import type { DatasetSelection } from '../use-dataset-selection.ts';
import type { PanelRecord } from './use-open-record.ts';
import * as texts from '#messages/records.ts';

const NO_DRAFTS: ReadonlyMap<string, Typed> = new Map();
const NO_FINDINGS: readonly FieldFinding[] = [];

/** A finding of a column whose exception needs a reason. */
interface PendingException {
  readonly column: string;
  readonly finding: FieldFinding;
}

export interface RecordPanelProps {
  readonly table: TableDetail;
  readonly editStore: EditStore;
  readonly edits: Edits;
  /** the recent changes by others, by jrid */
  readonly remoteChanges: ReadonlyMap<string, RemoteChange>;
  readonly opened: PanelRecord;
  readonly canWrite: boolean;
  /** asks for confirmation before it is deleted; null if the user may not */
  readonly onDelete: ((jrid: string) => void) | null;
  /** restores deleted records; null if the user may not */
  readonly restoring: DatasetSelection['restoring'] | null;
}

/** One record of the table as a form next to the grid: all columns, their links, and the history. */
export function RecordPanel(props: RecordPanelProps & { readonly jrid: string }) {
  const { table, editStore, edits, remoteChanges, opened, canWrite, onDelete, restoring, jrid } =
    props;
  const remoteChange = remoteChanges.get(jrid);
  const read = useQuery({
    ...recordQuery(table.guid, jrid, editStore),
    ...(opened.listed ? { placeholderData: opened.listed } : {}),
  });
  const isDeleted = hasStatus(read.error, 404);
  const record = isDeleted ? null : (read.data ?? null);
  const panel = useRef<HTMLElement>(null);
  const [focusColumn, setFocusColumn] = useState<string | null>(null);
  useFormFocus(panel, {
    jrid,
    requests: opened.requests,
    ready: isDeleted || record !== null,
    isDeleted,
    focusColumn,
    onFocused: () => setFocusColumn(null),
  });

  const move = (by: 1 | -1) => {
    // The focus moves to the same field of the next record.
    const field = document.activeElement?.closest('[data-column]')?.getAttribute('data-column');
    setFocusColumn(field ?? null);
    opened.move(by);
  };
  // In the capture phase: number editors would handle the arrow keys.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const shortcut = (
      [
        [PANEL_KEYS.next, () => move(1)],
        [PANEL_KEYS.previous, () => move(-1)],
        [PANEL_KEYS.open, opened.close],
      ] as const
    ).find(([keys]) => matches(keys, event));
    if (!shortcut) return;
    event.preventDefault();
    event.stopPropagation();
    shortcut[1]();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !matches('Escape', event)) return;
    if (inOpenList(event.target)) return;
    event.preventDefault();
    opened.back();
  };
  const cells = cellsOf(edits, jrid);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Typed>>(NO_DRAFTS);
  const onTyping = useCallback((column: string, typed: Typed | undefined) => {
    setDrafts((before) => {
      if (typed === undefined && !before.has(column)) return before;
      const now = new Map(before);
      if (typed) now.set(column, typed);
      else now.delete(column);
      return now;
    });
  }, []);
  const { fields, found } = useRecordFindings({ table, record, cells, typing: drafts, canWrite });
  const [pendingException, setPendingException] = useState<PendingException | null>(null);
  const onExcept = useCallback(
    (column: string, finding: FieldFinding) => setPendingException({ column, finding }),
    [],
  );
  const [typing, setTyping] = useState(false);
  const viewers = usePresence('table', table.guid, jrid, canWrite && (typing || cells.size > 0));
  return (
    // Its shortcuts apply wherever the focus is inside it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={panel}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={-1}
      className={classes.panel}
      aria-label={texts.title(jrid)}
      onKeyDownCapture={onKeyDownCapture}
      onKeyDown={onKeyDown}
    >
      <PanelHead jrid={jrid} opened={opened} viewers={viewers} onMove={move} />
      <div
        className={shared.scroller}
        onInput={() => setTyping(true)}
        onBlur={() => setTyping(false)}
      >
        {record && (
          <div className={classes.fields}>
            <LaidOutFields
              fields={table.columns}
              keyOf={({ name }) => `${jrid} ${name}`}
              layoutOf={(column) => column}
            >
              {(column) => (
                <RecordField
                  guid={table.guid}
                  editStore={editStore}
                  record={record}
                  column={column}
                  columns={table.columns}
                  edit={cells.get(column.name)}
                  field={fields.get(column.name)}
                  found={found.get(column.name) ?? NO_FINDINGS}
                  onTyping={onTyping}
                  onExcept={onExcept}
                  canWrite={canWrite && column.readOnly !== true}
                  changedBy={remoteChange?.columns?.has(column.name) ? remoteChange.by : undefined}
                />
              )}
            </LaidOutFields>
          </div>
        )}
        {isDeleted && <DeletedRecord guid={table.guid} jrid={jrid} restoring={restoring} />}
        {read.error && !isDeleted && <QueryError query={read} title={texts.notRead} />}
        {!record && !read.error && (
          <div className={classes.waiting}>
            <Spinner size={16} label={texts.loading} />
          </div>
        )}
        {(record || isDeleted) && (
          <RecordHistory
            guid={table.guid}
            jrid={jrid}
            columns={table.columns}
            record={record}
            editStore={editStore}
            canWrite={canWrite}
          />
        )}
      </div>
      {pendingException && record && (
        <RecordExceptionDialog
          guid={table.guid}
          editStore={editStore}
          record={record}
          finding={pendingException.finding}
          onClose={() => {
            setPendingException(null);
            requestAnimationFrame(() =>
              editorIn(fieldIn(panel.current, pendingException.column))?.focus(),
            );
          }}
        />
      )}
      {record && onDelete && (
        <div className={classes.foot}>
          <Button size="compact-xs" color="red" variant="light" onClick={() => onDelete(jrid)}>
            {texts.deleteRecord}
          </Button>
        </div>
      )}
    </section>
  );
}

interface PanelHeadProps {
  readonly jrid: string;
  readonly opened: PanelRecord;
  readonly viewers: ReturnType<typeof usePresence>;
  readonly onMove: (by: 1 | -1) => void;
}

/** The title of the record and its place in the list, with the buttons that lead to others. */
function PanelHead({ jrid, opened, viewers, onMove }: PanelHeadProps) {
  const { index, count } = opened;
  return (
    <header className={classes.head}>
      <h2 className={classes.title}>{texts.title(jrid)}</h2>
      <output className={classes.where}>
        {index !== null && count !== null && texts.position({ row: index + 1, of: count })}
      </output>
      <PresenceNote viewers={viewers} />
      <div className={classes.tools}>
        <ToolButton
          label={texts.previous}
          keys={PANEL_KEYS.previous}
          disabled={index === null || index === 0}
          onClick={() => onMove(-1)}
        >
          <ChevronUpIcon />
        </ToolButton>
        <ToolButton
          label={texts.next}
          keys={PANEL_KEYS.next}
          disabled={index === null || count === null || index >= count - 1}
          onClick={() => onMove(1)}
        >
          <ChevronDownIcon />
        </ToolButton>
        <ToolButton label={texts.close} keys={PANEL_KEYS.open} onClick={opened.close}>
          <CloseIcon />
        </ToolButton>
      </div>
    </header>
  );
}

interface FormFocusOptions {
  readonly jrid: string;
  /** increases whenever the form is requested */
  readonly requests: number;
  readonly ready: boolean;
  /** the record was deleted: its fields are removed */
  readonly isDeleted: boolean;
  /** the column to focus in the next record; null: keep the focus */
  readonly focusColumn: string | null;
  /** that column has the focus: later records are not to take it */
  readonly onFocused: () => void;
}

/** Focuses the form when it is requested or loses the focused field, and the same field of the next record. */
function useFormFocus(
  panel: { readonly current: HTMLElement | null },
  options: FormFocusOptions,
): void {
  const { jrid, requests, ready, isDeleted, focusColumn } = options;
  const done = useRef({ jrid, requests: 0 });
  const columnFocused = useEffectEvent(options.onFocused);
  const focus = useEffectEvent((field: HTMLElement | null | undefined) => {
    if (mayTakeFocus(panel.current)) (editorIn(field) ?? panel.current)?.focus();
  });
  useEffect(() => {
    if (!ready) return;
    const before = done.current;
    done.current = { jrid, requests };
    if (before.requests !== requests) {
      focus(panel.current?.querySelector<HTMLElement>('[data-column]'));
    } else if (before.jrid !== jrid && focusColumn !== null) {
      focus(fieldIn(panel.current, focusColumn));
      columnFocused();
    }
  }, [panel, jrid, requests, ready, focusColumn]);
  // Before the fallback for a lost focus, which is the grid.
  useLayoutEffect(() => {
    if (isDeleted && isFocusLost()) panel.current?.focus();
  }, [panel, isDeleted]);
}

function fieldIn(panel: HTMLElement | null, column: string): HTMLElement | undefined {
  const fields = panel?.querySelectorAll<HTMLElement>('[data-column]') ?? [];
  return [...fields].find(({ dataset }) => dataset['column'] === column);
}

function editorIn(field: HTMLElement | null | undefined): HTMLElement | null | undefined {
  return field?.querySelector<HTMLElement>(
    'textarea, input:not([type=hidden]):not([type=radio]), input:checked',
  );
}
