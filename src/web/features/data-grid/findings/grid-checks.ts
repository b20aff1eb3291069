import { useEffect, useMemo } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { fieldsOfColumns } from '#web/fields/index-data.ts';
import { parseTyped } from '#web/fields/typed-text.ts';
import { useListChecks } from '#web/findings/use-list-checks.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import type { Editing } from '../editing.ts';
import { rowRecord, sourceOf, type Typed } from './row-record.ts';
import type { RowChecks } from './use-grid-findings.ts';

export { CellFindings } from './cell-findings.tsx';

export interface GridChecksProps {
  readonly table: TableDetail;
  readonly canWrite: boolean;
  /** receives what evaluates the checks; null: there is none any more */
  readonly onChecks: (checks: RowChecks | null) => void;
}

/** Evaluates the checks of a table for the rows of its grid. Renders nothing. */
export function GridChecks({ table, canWrite, onChecks }: GridChecksProps) {
  const { guid, columns } = table;
  const collection = useMemo(() => ({ kind: 'table', id: guid }) as const, [guid]);
  const { module, localChecks, compared } = useListChecks(collection, columns, false);
  const checks = useMemo((): RowChecks => {
    const fields = fieldsOfColumns(columns);
    return {
      findIn({ stored, cells, editing }, hasSuggestions) {
        if (!module) return null;
        const record = rowRecord(fields, { stored, cells, typing: typingIn(editing, stored) });
        const isEditable = canWrite && hasSuggestions;
        const source = { ...sourceOf(fields, stored), localChecks, compared, isEditable };
        return module.computeFindings(source, record);
      },
    };
  }, [columns, module, localChecks, compared, canWrite]);
  useEffect(() => {
    onChecks(checks);
    return () => onChecks(null);
  }, [onChecks, checks]);
  return null;
}

const NOTHING_TYPED: ReadonlyMap<string, Typed> = new Map();

function typingIn(
  editing: Editing | null,
  stored: ServerRecord | null,
): ReadonlyMap<string, Typed> {
  if (!editing || editing.text === editing.initial) return NOTHING_TYPED;
  const { column, text } = editing;
  const { parsed } = parseTyped(editing.rules, text, stored?.dataset[column] ?? null);
  return new Map([[column, parsed]]);
}
