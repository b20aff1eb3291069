import * as texts from '#messages/bulk-jobs.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { csvLine, toCsvText } from '#shared/rules/spreadsheets.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { Button } from '#web/ui/button.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { bulkEditQuery } from './bulk-jobs.queries.ts';
import { type JobRecord, outcomeQuery } from './outcomes.queries.ts';
import { plannedOf } from './progress.ts';
import { VirtualTable } from '#web/ui/virtual-table.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './rejected-rows.module.css';

/** With a reason of one line. */
const ROW_HEIGHT = 76;

interface RejectedRowsProps {
  readonly collection: CollectionRef;
  readonly bulkEditId: string;
  /** of the file that all rows are from, also those that were corrected and sent before */
  readonly fileName: string;
  /** the changed texts, by row and column */
  readonly edits: ReadonlyMap<string, string>;
  readonly onEdits: (edits: ReadonlyMap<string, string>) => void;
  readonly isSending: boolean;
  /** plans the corrected rows; the first column of the file has the numbers of the rows */
  readonly onSend: (
    file: File,
    format: { readonly separator: string; readonly encoding: string; readonly header: string },
  ) => void;
}

/** The rejected rows of an imported file in a table with inputs: after correction they are sent again. */
export function RejectedRows(props: RejectedRowsProps) {
  const { collection, bulkEditId, fileName, edits, onEdits, isSending, onSend } = props;
  const { data: job } = useQuery(bulkEditQuery(collection, bulkEditId));
  const refused = (job?.counts.invalid ?? 0) + (job?.counts.missing ?? 0);
  const query = useRows(collection, bulkEditId, refused > 0);
  const [isReadingRest, setIsReadingRest] = useState(false);
  const records = recordsOf(query.data);
  const rows = records.filter(hasCells);
  if (!job || rows.length === 0) return null;
  const headers = (rows[0]?.cells ?? []).map(({ header }) => header);
  const textAt = (row: JobRecord, at: number) =>
    edits.get(keyOf(row, at)) ?? row.cells?.[at]?.text ?? '';
  /** What is wrong with a cell that was not changed since. */
  const messageAt = (row: JobRecord, at: number) => {
    const cell = row.cells?.[at];
    return textAt(row, at) === cell?.text ? cell.message : undefined;
  };
  // What is typed meanwhile would not be sent, and lost once the plan is applied.
  const isBusy = isSending || isReadingRest;
  const isWaiting = job.state === 'planned' && plannedOf(job) > 0;
  /** Sends all rows: those that still do not fit are the rejected ones of the next plan. */
  const send = async () => {
    setIsReadingRest(true);
    const all = await readRest(query);
    setIsReadingRest(false);
    if (!all) return;
    const lines = [
      ['', ...headers],
      ...recordsOf(all)
        .filter(hasCells)
        .map((row) => [String(row.line ?? ''), ...headers.map((_, at) => textAt(row, at))]),
    ];
    const csv = lines.map((line) => csvLine(line.map(toCsvText), SENT.separator)).join('\r\n');
    const name = texts.correctedFile(fileName.replace(/\.[^.]*$/, ''));
    onSend(new File([csv], name, { type: 'text/csv' }), SENT);
  };
  return (
    <section className={classes.section} aria-label={texts.refusedRows} aria-busy={isBusy}>
      <h3 className={shared.heading}>{texts.refusedCount(refused)}</h3>
      {rows.length < records.length && <p className={shared.muted}>{texts.rowsWithoutCells}</p>}
      <VirtualTable
        label={texts.refusedRows}
        rows={rows}
        keyOf={({ title }) => title}
        rowHeight={ROW_HEIGHT}
        headClass={classes.head}
        rowClass={classes.row}
        head={
          <>
            <span role="columnheader" className={classes.line}>
              {texts.rowHeading}
            </span>
            {headers.map((header, at) => (
              <span key={`${at} ${header}`} role="columnheader" className={classes.cell}>
                {header}
              </span>
            ))}
          </>
        }
      >
        {(row) => (
          <>
            <span role="rowheader" className={classes.line}>
              {row.title}
            </span>
            {headers.map((header, at) => {
              const message = messageAt(row, at);
              return (
                <span key={`${at} ${header}`} role="cell" className={classes.cell}>
                  <TextInput
                    aria-label={texts.cellOfRow({ column: header, row: row.title })}
                    aria-invalid={message !== undefined}
                    title={message}
                    value={textAt(row, at)}
                    readOnly={isBusy}
                    onChange={(event) =>
                      onEdits(new Map(edits).set(keyOf(row, at), event.currentTarget.value))
                    }
                  />
                </span>
              );
            })}
            <span role="cell" className={classes.reason}>
              {headers.some((_, at) => messageAt(row, at) !== undefined) ? (
                <button type="button" title={texts.toWrongCell} onClick={focusWrongCell}>
                  {row.message}
                </button>
              ) : (
                <span>{row.message}</span>
              )}
            </span>
          </>
        )}
      </VirtualTable>
      <div className={classes.foot}>
        <ShowMore list={query} label={texts.moreRefused} variant="default" />
        <Button disabled={isWaiting} loading={isBusy} onClick={() => void send()}>
          {texts.sendCorrected(query.hasNextPage ? refused : rows.length)}
        </Button>
        {isWaiting && <span className={shared.muted}>{texts.applyFirst}</span>}
      </div>
    </section>
  );
}

function useRows(collection: CollectionRef, bulkEditId: string, enabled: boolean) {
  return useInfiniteQuery({
    ...outcomeQuery(collection, bulkEditId, 'invalid', 'refused'),
    enabled,
  });
}

/** The format in which the corrected rows are sent. */
const SENT = { separator: ';', encoding: 'utf-8', header: '1' } as const;

/** Brings the first wrong cell of the row into view, which may be beside it. */
function focusWrongCell({ currentTarget }: MouseEvent<HTMLElement>): void {
  const row = currentTarget.closest('[role=row]');
  row?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

type Pages = Awaited<ReturnType<RowsQuery['fetchNextPage']>>['data'];
type RowsQuery = ReturnType<typeof useRows>;

const recordsOf = (data: Pages) => (data?.pages ?? []).flatMap((page) => page.records);

const hasCells = ({ cells }: JobRecord) => cells !== undefined;

/** Reads the pages that are not loaded yet. @returns all of them; undefined: reading failed, as the list shows */
async function readRest(query: RowsQuery): Promise<Pages> {
  let { data, hasNextPage } = query;
  while (hasNextPage) {
    const next = await query.fetchNextPage();
    if (next.isError) return undefined;
    ({ data, hasNextPage } = next);
  }
  return data;
}

function keyOf({ title }: JobRecord, at: number): string {
  return `${at} ${title}`;
}
