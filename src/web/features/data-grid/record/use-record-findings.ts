import { useMemo, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { FindingsByPath } from '#web/findings/finding.ts';
import { reuseUnchangedFindings } from '#web/findings/reuse-unchanged-findings.ts';
import { useListChecks } from '#web/findings/use-list-checks.ts';
import type { Cells, ServerRecord } from '../edit-store/edits.ts';
import { checkedFields, rowRecord, sourceOf, type Typed } from '../findings/row-record.ts';

const NOTHING: FindingsByPath = new Map();

interface RecordFindingsOptions {
  readonly table: TableDetail;
  /** null: not loaded yet */
  readonly record: ServerRecord | null;
  readonly cells: Cells;
  /** the text being typed, by column */
  readonly typing: ReadonlyMap<string, Typed>;
  readonly canWrite: boolean;
}

/** The findings in the record of the form, while the user types. */
export function useRecordFindings(options: RecordFindingsOptions): {
  /** by column */
  readonly fields: ReadonlyMap<string, ArchiveField>;
  /** by column; the arrays stay the same while nothing changes in their columns */
  readonly found: FindingsByPath;
} {
  const { table, record, cells, typing, canWrite } = options;
  const { guid, columns } = table;
  const collection = useMemo(() => ({ kind: 'table', id: guid }) as const, [guid]);
  const fields = useMemo(() => checkedFields(columns), [columns]);
  const hasFindings = [record?.findings, record?.exceptions].some((all = []) => all.length > 0);
  const { module, evaluator, compared } = useListChecks(
    collection,
    columns,
    hasFindings ? 'findings' : 'rules',
  );
  const [shown, setShown] = useState(NOTHING);
  const now = useMemo(() => {
    if (!module || !record) return NOTHING;
    const source = { ...sourceOf(fields, record), evaluator, compared, isEditable: canWrite };
    return module.computeFindings(source, rowRecord(fields, { stored: record, cells, typing }));
  }, [module, record, fields, evaluator, compared, canWrite, cells, typing]);
  const found = reuseUnchangedFindings(shown, now);
  if (found !== shown) setShown(found);
  const byName = useMemo(() => new Map(fields.map((field) => [field.name, field])), [fields]);
  return { fields: byName, found };
}
