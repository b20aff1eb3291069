import * as texts from '#messages/imports.ts';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { ImportColumn, ImportInspection } from '#shared/contract/imports.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { messagesAt } from '#web/api/failure.ts';
import { usePlanImport } from '#web/api/file-imports.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { UnsavedChangesGuard, useConfirmDiscard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { errorOfForm } from '#web/ui/form/service-errors.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useIsPainted } from '#web/ui/use-is-painted.ts';
import { ColumnMapping } from './column-mapping.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './import-dialog.module.css';
import type { ImportValues } from './import-values.ts';
import { RowHandling } from './row-handling.tsx';
import { useInspectFile } from './imports.mutations.ts';

interface ImportDialogProps {
  /** false: its plan is shown instead; the settings are kept */
  readonly opened: boolean;
  readonly target: BulkTarget;
  readonly onClose: () => void;
  /** the import is planned; nothing is changed yet */
  readonly onPlanned: (bulkEditId: string) => void;
}

/** Imports a corrected spreadsheet: the mapping of its columns, open questions, then the plan. */
export function ImportDialog({ opened, target, onClose, onPlanned }: ImportDialogProps) {
  const form = useForm<ImportValues>({
    defaultValues: { file: null, columns: [], mode: 'both', key: null },
  });
  const { control } = form;
  const values = useWatch({ control });
  const { mode = 'both' } = values;
  const file = values.file instanceof File ? values.file : null;
  const inspection = useInspectFile(target.collection);
  /** the columns of the file; while another mapping is read, and if it is refused, those of the mapping before */
  const [found, setFound] = useState<ImportInspection | null>(null);
  const { isDirty } = form.formState;
  const { confirmDiscard, isAsking, question } = useConfirmDiscard(texts.lossWarning);
  const close = () => confirmDiscard(onClose, isDirty);
  const planning = usePlanImport();
  const isTable = target.collection.kind === 'table';

  const inspect = (next: File, columns: readonly ImportColumn[] | null) => {
    planning.reset();
    if (columns === null) {
      setFound(null);
      form.reset({ ...form.getValues(), file: next, columns: [] });
    }
    inspection.mutate(
      { file: next, columns },
      {
        onSuccess: (inspected) => {
          setFound(inspected);
          if (columns === null) {
            form.reset({ ...form.getValues(), columns: columnsOf(inspected) });
          }
        },
      },
    );
  };
  const columns = form.getValues('columns');
  const isRead = found !== null && found.columns.length === columns.length;
  const refused = inspection.error?.failure;
  const otherErrors = isRead ? errorOfForm(refused, columnAt) : refused;
  const keys = isTable ? keysOf(target, columns) : [];
  const key = keys.find(({ value }) => value === values.key)?.value ?? keys[0]?.value ?? null;
  const hasKey = isTable
    ? key !== null || mode === 'create'
    : columns.some(({ as }) => as === 'id');
  const hasField = columns.some(({ as }) => as === 'field' || as === 'keyword');
  const hasQuestions = isRead && openQuestions(found, columns).length > 0;
  const drawn = useIsPainted(isRead ? String(inspection.submittedAt) : null);
  const isReady = drawn && hasKey && hasField && !hasQuestions && inspection.isSuccess;

  return (
    <>
      <UnsavedChangesGuard isUnsaved={isDirty} text={texts.lossWarning} />
      {question}
      <Modal
        opened={opened}
        onClose={close}
        closeOnEscape={!isAsking}
        title={isTable ? texts.titleOfTable : texts.titleOfArchive}
        size={720}
      >
        <Form
          form={form}
          mutation={planning}
          toBody={({ file, columns, mode }) => {
            if (!file) throw new Error('A plan needs a file.');
            const { collection } = target;
            const rows = isTable ? { mode, key } : { mode: null, key: null };
            return { collection, file, format: {}, columns, ...rows };
          }}
          onDone={({ bulkEditId }) => onPlanned(bulkEditId)}
          onCancel={close}
          fieldAt={noField}
          errorTitle={texts.notPlanned}
          pathLabel={pathLabel}
          submit={{ label: texts.preview, keys: 'mod+Enter', disabled: !isReady }}
          note={hasQuestions && <span className={shared.wrong}>{texts.answerFirst}</span>}
          className={classes.dialog}
        >
          <FileDrop
            label={file ? texts.otherFile : texts.chooseFile}
            hint={file?.name ?? texts.fileDescription}
            accept=".xlsx,.csv,.txt,.tsv"
            isPrimary={!file}
            onFiles={([next]) => {
              if (next) confirmDiscard(() => inspect(next, null), isDirty);
            }}
          />
          {inspection.isPending && !isRead && <Spinner size={18} label={texts.readingFile} />}
          {otherErrors && (
            <ErrorPanel
              error={otherErrors}
              title={texts.notRead}
              onRetry={file ? () => inspect(file, isRead ? columns : null) : undefined}
              pathLabel={pathLabel}
            />
          )}
          {isRead && file && (
            <>
              {inspection.isPending ? (
                <Spinner size={18} label={texts.readingFile} />
              ) : (
                <p>
                  {texts.rows(found.rows)}{' '}
                  {found.versions ? texts.hasVersions : texts.hasNoVersions}
                </p>
              )}
              <ColumnMapping
                control={control}
                target={target}
                found={found}
                errorsOf={(at) => messagesAt(refused ?? null, `columns.${at}`)}
                onMapped={() => inspect(file, form.getValues('columns'))}
              />
              {isTable && <RowHandling control={control} keys={keys} keyNow={key} />}
              {!hasKey && (
                <p className={shared.wrong} role="alert">
                  {isTable ? texts.noKeyOfTable : texts.noKeyOfArchive}
                </p>
              )}
              {hasKey && !hasField && (
                <p className={shared.wrong} role="alert">
                  {isTable ? texts.nothingMappedOfTable : texts.nothingMappedOfArchive}
                </p>
              )}
            </>
          )}
        </Form>
      </Modal>
    </>
  );
}

/** The field of the form that shows the errors of a column of the file. */
function columnAt(path: string): `columns.${number}` | undefined {
  const at = /^columns\.(\d+)$/.exec(path)?.[1];
  return at === undefined ? undefined : `columns.${Number(at)}`;
}

/** The columns of the file that can identify a table's records. */
function keysOf({ fields }: BulkTarget, columns: readonly ImportColumn[]) {
  const hasId = columns.some(({ as }) => as === 'id');
  const unique = fields.filter(
    ({ name, unique }) =>
      unique && columns.some((column) => column.as === 'field' && column.field === name),
  );
  return [
    ...(hasId ? [{ value: 'jrid', label: texts.recordNumber }] : []),
    ...unique.map(({ name, label }) => ({ value: name, label })),
  ];
}

/** The mapping by the file's headers. */
function columnsOf({ columns }: ImportInspection): ImportColumn[] {
  return columns.map(({ column }) => column);
}

function openQuestions(found: ImportInspection, columns: readonly ImportColumn[]) {
  return found.columns.filter(({ question }, at) => {
    const column = columns[at];
    return question && column?.as === 'field' && column[question.about] === null;
  });
}

/** Errors of the service name columns of the file; the panel above the buttons shows them. */
const noField = () => undefined;

function pathLabel(path: string): string | undefined {
  const column = /^columns\.(\d+)$/.exec(path)?.[1];
  if (column !== undefined) return texts.labelOfColumn(Number(column) + 1);
  return path.startsWith('files.') ? texts.labelOfFile : undefined;
}
