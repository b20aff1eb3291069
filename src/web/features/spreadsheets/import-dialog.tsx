import { FileButton, Modal, SegmentedControl, Select } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import type { ImportColumn, ImportInspection, ImportMode } from '#shared/contract/imports.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useDrawn } from '#web/ui/use-drawn.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { ColumnRow } from './column-row.tsx';
import classes from './import-dialog.module.css';
import { type ImportFile, useImportPlan, useInspection } from './import.queries.ts';

interface ImportDialogProps {
  readonly target: BulkTarget;
  readonly onClose: () => void;
  /** the import is planned; nothing is changed yet */
  readonly onPlanned: (bulkEditId: string) => void;
}

/** Takes a corrected spreadsheet: what its columns stand for, what has to be asked, then the plan. */
export function ImportDialog({ target, onClose, onPlanned }: ImportDialogProps) {
  const inspection = useInspection(target.place);
  const planning = useImportPlan(target.place);
  const [given, setGiven] = useState<ImportFile | null>(null);
  const [mode, setMode] = useState<ImportMode>('both');
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const ofTable = target.place.kind === 'table';
  const busy = inspection.isPending || planning.isPending;

  const look = (next: ImportFile) => {
    planning.reset();
    setGiven(next);
    inspection.mutate(next);
  };
  const found = inspection.data;
  const columns = found && columnsOf(found, given);
  const change = (at: number, column: ImportColumn, anew: boolean) => {
    if (!given || !columns) return;
    const next = { ...given, columns: columns.map((old, i) => (i === at ? column : old)) };
    // What another column stands for decides what its cells mean.
    if (anew) look(next);
    else setGiven(next);
  };
  const open = found && columns ? openQuestions(found, columns) : [];
  const hasIds = columns?.some(({ as }) => as === 'id') ?? false;
  const corrects = columns?.some(({ as }) => as === 'field') ?? false;
  const keys = ofTable && columns ? keysOf(target, columns) : [];
  const key = keys.find(({ value }) => value === chosenKey)?.value ?? keys[0]?.value ?? null;
  const known = ofTable ? key !== null || mode === 'create' : hasIds;
  const ready = known && corrects && open.length === 0 && !busy;
  const plan = () => {
    if (!given || !columns || !ready) return;
    planning.mutate(
      { file: given.file, columns, how: ofTable ? { mode, key } : null },
      { onSuccess: ({ bulkEditId }) => onPlanned(bulkEditId) },
    );
  };
  const dialog = useRef<HTMLDivElement>(null);
  const drawn = useDrawn(found && !inspection.isPending ? String(inspection.submittedAt) : null);
  useShortcut('mod+Enter', plan, { inFields: true, within: dialog, enabled: drawn });

  return (
    <Modal
      opened
      onClose={onClose}
      title={ofTable ? 'Import a spreadsheet' : 'Import a corrected file'}
      size={720}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div ref={dialog} className={classes.dialog}>
        <ChooseFile
          name={given?.file.name ?? null}
          onFile={(file) => look({ file, columns: null, how: null })}
        />
        {inspection.isPending && <Spinner size={18} label="Reading the file" />}
        {inspection.error && (
          <ErrorPanel
            error={inspection.error}
            title="The file cannot be imported"
            placeLabel={placeLabel}
          />
        )}
        {found && columns && !inspection.isPending && (
          <>
            <p>
              {formatCount(found.rows)} {found.rows === 1 ? 'row' : 'rows'}.{' '}
              {found.versions
                ? 'What others have changed since the export will be seen.'
                : 'The file has no column “Version”: what others have changed since the export cannot be seen.'}
            </p>
            <div className={classes.scroller}>
              <table className={classes.columns}>
                <thead>
                  <tr>
                    <th>Column</th>
                    <th>First values</th>
                    <th>Detected type</th>
                    <th>Maps to</th>
                  </tr>
                </thead>
                <tbody>
                  {found.columns.map((column, at) => (
                    <ColumnRow
                      // Columns have no other name: headers may be empty or stand twice.
                      key={`${at} ${column.header}`}
                      target={target}
                      found={column}
                      chosen={columns[at] ?? column.column}
                      onChange={(next, anew) => change(at, next, anew)}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            {ofTable && (
              <HowRows mode={mode} onMode={setMode} keys={keys} chosen={key} onKey={setChosenKey} />
            )}
            {!known && (
              <p className={classes.trouble} role="alert">
                {ofTable
                  ? 'No column of the file tells which records are to be changed: choose one that holds their numbers or a column without duplicates, or only create.'
                  : 'Choose the column that holds the revision ids.'}
              </p>
            )}
            {known && !corrects && (
              <p className={classes.trouble} role="alert">
                {ofTable
                  ? 'No column of the file is mapped to a column of the table.'
                  : 'No column is mapped to an index field.'}
              </p>
            )}
          </>
        )}
        {planning.error && (
          <ErrorPanel
            error={planning.error}
            title="The import could not be planned"
            placeLabel={placeLabel}
          />
        )}
        <footer className={classes.foot}>
          {open.length > 0 && <span className={classes.trouble}>Answer the questions first.</span>}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={plan} loading={planning.isPending} disabled={!columns || !ready}>
            Preview
          </Button>
        </footer>
      </div>
    </Modal>
  );
}

interface Key {
  readonly value: string;
  readonly label: string;
}

/** The columns of the file by which a table's datasets can be known. */
function keysOf({ fields }: BulkTarget, columns: readonly ImportColumn[]): readonly Key[] {
  const byId = columns.some(({ as }) => as === 'id');
  const unique = fields.filter(
    ({ name, unique }) =>
      unique && columns.some((column) => column.as === 'field' && column.field === name),
  );
  return [
    ...(byId ? [{ value: 'jrid', label: 'the record number' }] : []),
    ...unique.map(({ name, label }) => ({ value: name, label })),
  ];
}

const MODES = [
  { value: 'both', label: 'Create and change' },
  { value: 'create', label: 'Only create' },
  { value: 'change', label: 'Only change' },
] as const satisfies readonly { readonly value: ImportMode; readonly label: string }[];

interface HowRowsProps {
  readonly mode: ImportMode;
  readonly onMode: (mode: ImportMode) => void;
  readonly keys: readonly Key[];
  readonly chosen: string | null;
  readonly onKey: (key: string | null) => void;
}

/** What the rows of the file may do to a table, and how their datasets are found. */
function HowRows({ mode, onMode, keys, chosen, onKey }: HowRowsProps) {
  const isNarrow = useMedia('(width < 600px)');
  return (
    <div className={classes.how}>
      <SegmentedControl
        aria-label="Import mode"
        orientation={isNarrow ? 'vertical' : 'horizontal'}
        fullWidth={isNarrow}
        data={[...MODES]}
        value={mode}
        onChange={(value) => {
          const next = MODES.find((one) => one.value === value);
          if (next) onMode(next.value);
        }}
      />
      {keys.length > 0 && (
        <Select
          label="Match records by"
          data={[...keys]}
          value={chosen}
          allowDeselect={false}
          onChange={onKey}
        />
      )}
    </div>
  );
}

/** The columns as they are chosen now; before anything is chosen, as they were found. */
function columnsOf(found: ImportInspection, given: ImportFile | null): readonly ImportColumn[] {
  const columns = found.columns.map(({ column }) => column);
  return given?.columns?.length === columns.length ? given.columns : columns;
}

function openQuestions(found: ImportInspection, columns: readonly ImportColumn[]) {
  return found.columns.filter(({ question }, at) => {
    const column = columns[at];
    return question && column?.as === 'field' && column[question.about] === null;
  });
}

function placeLabel(place: string): string | undefined {
  const column = /^columns\.(\d+)$/.exec(place)?.[1];
  if (column !== undefined) return `Column ${Number(column) + 1}`;
  return place.startsWith('files.') ? 'The file' : undefined;
}

interface ChooseFileProps {
  readonly name: string | null;
  readonly onFile: (file: File) => void;
}

function ChooseFile({ name, onFile }: ChooseFileProps) {
  const [over, setOver] = useState(false);
  const hold = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragEnter={hold}
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <FileButton accept=".xlsx,.csv,.txt,.tsv" onChange={(file) => file && onFile(file)}>
        {(props) => (
          <Button {...props} variant={name === null ? 'filled' : 'default'} data-autofocus>
            {name === null ? 'Choose the file…' : 'Another file…'}
          </Button>
        )}
      </FileButton>
      <span className={classes.quiet}>
        {name ?? 'An exported XLSX or CSV after correction; or drop it here.'}
      </span>
    </div>
  );
}
