import { type ReactNode, useEffect, useRef } from 'react';
import * as texts from '#messages/duplicates.ts';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import type { ArchiveField } from '#web/fields/index-data.ts';
import {
  type ComparedRecord,
  comparedText,
  differingIndexes,
  type ComparedRecordQuery,
} from './compare.ts';
import shared from '#web/ui/shared.module.css';
import classes from './duplicates.module.css';

interface ComparisonProps {
  readonly fields: readonly ArchiveField[];
  readonly records: readonly ComparedRecordQuery[];
  /** shows only the fields that differ */
  readonly onlyDiffering: boolean;
  /** the position of the record for the keys */
  readonly focused: number;
  readonly onFocus: (index: number) => void;
  readonly title: (id: string) => string;
  /** below the title of a record */
  readonly renderHead: (record: ComparedRecord) => ReactNode;
  /** instead of a value; false: the value */
  readonly renderCell: (field: ArchiveField, record: ComparedRecord, text: string) => ReactNode;
  /** below the values of a record; null: no record has anything there */
  readonly renderFoot: ((record: ComparedRecord, index: number) => ReactNode) | null;
}

/** Records in columns, one row per field, with differing values highlighted. */
export function Comparison(props: ComparisonProps) {
  const { fields, records, onlyDiffering, focused, onFocus, title } = props;
  const { renderHead, renderCell, renderFoot } = props;
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    const column = table.current?.querySelector(`thead th:nth-of-type(${focused + 2})`);
    column?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [focused]);
  const isRead = records.every(({ record, error }) => record !== null || error !== null);
  const read = records.flatMap(({ record }) => record ?? []);
  const rows = fields.map((field) => {
    const differing = differingIndexes(read.map(({ values }) => values.get(field.path)));
    return { field, differing: new Set([...differing].map((index) => read[index]?.id)) };
  });
  const shown = onlyDiffering ? rows.filter(({ differing }) => differing.size > 0) : rows;
  return (
    <div className={`${shared.scroller} ${classes.scroll}`}>
      <table ref={table} className={classes.table} aria-label={texts.comparison}>
        <thead>
          <tr>
            <th scope="col" className={classes.label}>
              <VisuallyHidden>{texts.field}</VisuallyHidden>
            </th>
            {records.map(({ id, record, error }, index) => (
              <th
                key={id}
                scope="col"
                aria-current={index === focused || undefined}
                className={classes.record}
                onClick={() => onFocus(index)}
              >
                <span className={classes.title}>{title(id)}</span>
                {record ? renderHead(record) : <NotRead error={error} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isRead && shown.length === 0 && (
            <tr>
              <td colSpan={records.length + 1} className={shared.muted}>
                {texts.nothingDiffers}
              </td>
            </tr>
          )}
          {shown.map(({ field, differing }) => (
            <tr key={field.path} data-differs={differing.size > 0 || undefined}>
              <th scope="row" className={classes.label}>
                {field.label}
              </th>
              {records.map(({ id, record }, index) => (
                <td
                  key={id}
                  data-differs={differing.has(id) || undefined}
                  data-focused={index === focused || undefined}
                  onClick={() => onFocus(index)}
                >
                  {record && <Value field={field} record={record} renderCell={renderCell} />}
                  {differing.has(id) && <VisuallyHidden> ({texts.differs})</VisuallyHidden>}
                </td>
              ))}
            </tr>
          ))}
          {renderFoot && (
            <tr className={classes.documents}>
              <th scope="row" className={classes.label}>
                {texts.documents}
              </th>
              {records.map(({ id, record }, index) => (
                <td key={id}>{record && renderFoot(record, index)}</td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

interface ValueProps extends Pick<ComparisonProps, 'renderCell'> {
  readonly field: ArchiveField;
  readonly record: ComparedRecord;
}

function Value({ field, record, renderCell }: ValueProps) {
  const text = comparedText(field, record.values.get(field.path));
  const cell = renderCell(field, record, text);
  if (cell !== false) return cell;
  return text === '' ? <span className={shared.muted}>—</span> : text;
}

function NotRead({ error }: { readonly error: unknown }) {
  if (error === null) return <Spinner size={14} />;
  return (
    <p className={shared.wrong} role="alert">
      {hasStatus(error, 404) ? texts.gone : `${texts.recordNotRead} ${summary(toFailure(error))}`}
    </p>
  );
}
