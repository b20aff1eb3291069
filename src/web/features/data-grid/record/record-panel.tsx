import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { hasStatus } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { ChevronDownIcon, ChevronUpIcon, CloseIcon } from '#web/ui/icons.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { ToolButton } from '#web/ui/tool-button.tsx';
import { usePresence } from '#web/presence/use-presence.ts';
import { PresenceNote } from '#web/presence/presence-note.tsx';
import type { RemoteChange } from '../rows/remote-changes.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellsOf, type Edits } from '../edit-store/edits.ts';
import { PANEL_KEYS } from '../dataset-keys.ts';
import { DeletedRecord } from './deleted-record.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './panel.module.css';
import { isInOpenListbox } from '#web/ui/popups.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import { RecordExceptionDialog } from './record-exception-dialog.tsx';
import { RecordFields } from './record-fields.tsx';
import { RecordHistory } from './record-history.tsx';
import { recordQuery } from '../record.queries.ts';
import type { DatasetSelection } from '../use-dataset-selection.ts';
import type { PanelRecord } from './use-open-record.ts';
import { useRecordFocus } from './use-record-focus.ts';
import * as texts from '#messages/records.ts';

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
  const read = useQuery({
    ...recordQuery(table.guid, jrid, editStore),
    ...(opened.listed ? { placeholderData: opened.listed } : {}),
  });
  const isDeleted = hasStatus(read.error, 404);
  const record = isDeleted ? null : (read.data ?? null);
  const panel = useRef<HTMLElement>(null);
  const { keepField, focusColumn } = useRecordFocus(panel, {
    jrid,
    requests: opened.requests,
    ready: isDeleted || record !== null,
    isDeleted,
  });
  const move = (by: 1 | -1) => {
    keepField();
    opened.move(by);
  };
  const cells = cellsOf(edits, jrid);
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
      className={`${shared.column} ${classes.panel}`}
      aria-label={texts.title(jrid)}
      {...keyHandlers(opened, move)}
    >
      <PanelHead jrid={jrid} opened={opened} viewers={viewers} onMove={move} />
      <div
        className={shared.scroller}
        onInput={() => setTyping(true)}
        onBlur={() => setTyping(false)}
      >
        {record && (
          <RecordFields
            table={table}
            editStore={editStore}
            record={record}
            cells={cells}
            remoteChange={remoteChanges.get(jrid)}
            canWrite={canWrite}
            onExcept={onExcept}
          />
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
            requestAnimationFrame(() => focusColumn(pendingException.column));
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

function keyHandlers(opened: PanelRecord, move: (by: 1 | -1) => void) {
  const actions = [
    [PANEL_KEYS.next, () => move(1)],
    [PANEL_KEYS.previous, () => move(-1)],
    [PANEL_KEYS.open, opened.close],
  ] as const;
  return {
    // In the capture phase: number editors would handle the arrow keys.
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing) return;
      const [, act] = actions.find(([keys]) => matches(keys, event)) ?? [];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing || !matches('Escape', event)) return;
      if (isInOpenListbox(event.target)) return;
      event.preventDefault();
      opened.back();
    },
  };
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
      <h2 className={`${shared.heading} ${shared.truncated}`}>{texts.title(jrid)}</h2>
      <output className={`${shared.note} ${shared.truncated}`}>
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
