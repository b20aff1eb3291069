import { useCallback, useMemo, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { FieldGroups } from '#web/fields/field-groups.tsx';
import { fieldsOfColumns } from '#web/fields/index-data.ts';
import { labelStyle } from '#web/fields/label-style.ts';
import type { FieldFinding, FindingsByPath } from '#web/findings/finding.ts';
import { reuseUnchangedFindings } from '#web/findings/reuse-unchanged-findings.ts';
import { useListChecks } from '#web/findings/use-list-checks.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { Cells, ServerRecord } from '../edit-store/edits.ts';
import { rowRecord, sourceOf, type Typed } from '../findings/row-record.ts';
import type { RemoteChange } from '../rows/remote-changes.ts';
import classes from './panel.module.css';
import { RecordField } from './record-field.tsx';

const NOTHING_TYPED: ReadonlyMap<string, Typed> = new Map();
const NO_FINDINGS: readonly FieldFinding[] = [];
const NOTHING_FOUND: FindingsByPath = new Map();

interface RecordFieldsProps {
  readonly table: TableDetail;
  readonly editStore: EditStore;
  readonly record: ServerRecord;
  /** its unsaved cells */
  readonly cells: Cells;
  /** the recent change by another user */
  readonly remoteChange: RemoteChange | undefined;
  readonly canWrite: boolean;
  /** asks for the reason why the record is right */
  readonly onExcept: (column: string, finding: FieldFinding) => void;
}

/** The columns of the record, with what checks find in them while the user types. */
export function RecordFields(props: RecordFieldsProps) {
  const { table, editStore, record, cells, remoteChange, canWrite, onExcept } = props;
  const { jrid } = record.dataset;
  const [typing, setTyping] = useState(NOTHING_TYPED);
  const onTyping = useCallback((column: string, typed: Typed | undefined) => {
    setTyping((before) => {
      if (typed === undefined && !before.has(column)) return before;
      const now = new Map(before);
      if (typed) now.set(column, typed);
      else now.delete(column);
      return now;
    });
  }, []);
  const latestTyping = useLatest(typing);
  const { fields, found } = useRecordFindings(props, typing);
  return (
    <div className={classes.fields} style={labelStyle(table.columns.map(({ label }) => label))}>
      <FieldGroups
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
            latestTyping={latestTyping}
            onExcept={onExcept}
            canWrite={canWrite && column.readOnly !== true}
            changedBy={remoteChange?.columns?.has(column.name) ? remoteChange.by : undefined}
          />
        )}
      </FieldGroups>
    </div>
  );
}

/**
 * The findings in the record of the form, and its columns as checked fields, both by column. The arrays stay the same
 * while nothing changes in their columns.
 * @param typing the text being typed, by column
 */
function useRecordFindings(
  { table, record, cells, canWrite }: RecordFieldsProps,
  typing: ReadonlyMap<string, Typed>,
) {
  const { guid, columns } = table;
  const collection = useMemo(() => ({ kind: 'table', id: guid }) as const, [guid]);
  const fields = useMemo(() => fieldsOfColumns(columns), [columns]);
  const hasFindings = [record.findings, record.exceptions].some((all = []) => all.length > 0);
  const { module, localChecks, compared } = useListChecks(collection, columns, hasFindings);
  const [shown, setShown] = useState(NOTHING_FOUND);
  const now = useMemo(() => {
    if (!module) return NOTHING_FOUND;
    const source = { ...sourceOf(fields, record), localChecks, compared, isEditable: canWrite };
    return module.computeFindings(source, rowRecord(fields, { stored: record, cells, typing }));
  }, [module, record, fields, localChecks, compared, canWrite, cells, typing]);
  const found = reuseUnchangedFindings(shown, now);
  if (found !== shown) setShown(found);
  const byName = useMemo(() => new Map(fields.map((field) => [field.name, field])), [fields]);
  return { fields: byName, found };
}
