import { useQuery } from '@tanstack/react-query';
import type { TableDetail } from '#shared/contract/answers.ts';
import { scalarOf } from '#web/fields/history/entry-changes.ts';
import { HistoryEntries, HistorySection } from '#web/fields/history/history-section.tsx';
import type { EditStore } from '../edit-store/edit-store.ts';
import { type ServerRecord, cellValue, writeOver } from '../edit-store/edits.ts';
import { changesOfRecord, recordCallText } from './record-changes.ts';
import { recordHistoryQuery } from '../record.queries.ts';
import * as texts from '#messages/records.ts';
import * as undoTexts from '#messages/table-undo.ts';

interface RecordHistoryProps {
  readonly guid: string;
  readonly jrid: string;
  readonly columns: TableDetail['columns'];
  /** null if the record is deleted */
  readonly record: ServerRecord | null;
  readonly editStore: EditStore;
  readonly canWrite: boolean;
}

const TIPS = {
  state: texts.restoreStateHint,
  value: texts.restoreValueHint,
};

/** The changes of a record; restored values are written to the store, as if typed. */
export function RecordHistory(props: RecordHistoryProps) {
  const isDeleted = props.record === null;
  return (
    <HistorySection key={`${props.jrid} ${isDeleted}`} initiallyOpen={isDeleted}>
      <Entries {...props} />
    </HistorySection>
  );
}

function Entries({ guid, jrid, columns, record, editStore, canWrite }: RecordHistoryProps) {
  const history = useQuery(recordHistoryQuery(guid, jrid, record?.etag ?? null));
  return (
    <HistoryEntries
      history={history}
      changesIn={(entry) => changesOfRecord(columns, entry)}
      callText={recordCallText}
      onRestore={
        record && canWrite
          ? (values) => {
              const edits = editStore.get();
              const row = { key: jrid, stored: record };
              const writes = columns.flatMap((column) => {
                const stored = values.get(column.name);
                if (stored === undefined) return [];
                const value = scalarOf(stored);
                return value === cellValue(edits, row, column.name)
                  ? []
                  : writeOver(edits, row, column, { value });
              });
              editStore.write(writes, undoTexts.restoring);
            }
          : undefined
      }
      tips={TIPS}
    />
  );
}
