import * as texts from '#messages/imports.ts';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import type { ImportColumn, ImportInspection } from '#shared/contract/imports.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
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
  const planning = usePlanImport();
  const inspection = useInspection(form, target.collection, planning.reset);
  const { found, refused, isPending } = inspection;
  const { isDirty } = form.formState;
  const { confirmDiscard, isAsking, question } = useConfirmDiscard(texts.lossWarning);
  const close = () => confirmDiscard(onClose, isDirty);
  const isTable = target.collection.kind === 'table';
  const columns = form.getValues('columns');
  const otherErrors = found ? errorOfForm(refused, columnAt) : refused;
  const keys = isTable ? keysOf(target, columns) : [];
  const key = keys.find(({ value }) => value === values.key)?.value ?? keys[0]?.value ?? null;
  const identifiesRows = isTable
    ? key !== null || mode === 'create'
    : columns.some(({ as }) => as === 'id');
  const problem = identifiesRows
    ? nothingMapped(columns, isTable)
    : isTable
      ? texts.noKeyOfTable
      : texts.noKeyOfArchive;
  const hasQuestions = found !== null && openQuestions(found, columns).length > 0;
  const drawn = useIsPainted(found && String(inspection.submittedAt));
  const isReady = drawn && problem === null && !hasQuestions && inspection.isSuccess;

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
              if (next) confirmDiscard(() => inspection.read(next), isDirty);
            }}
          />
          {isPending && !found && <Spinner size={18} label={texts.readingFile} />}
          {otherErrors && (
            <ErrorPanel
              error={otherErrors}
              title={texts.notRead}
              onRetry={
                file
                  ? () => (found ? inspection.readAgain(file) : inspection.read(file))
                  : undefined
              }
              pathLabel={pathLabel}
            />
          )}
          {found && file && (
            <>
              {isPending ? (
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
                onMapped={() => inspection.readAgain(file)}
              />
              {isTable && <RowHandling control={control} keys={keys} keyNow={key} />}
              {problem !== null && (
                <p className={shared.wrong} role="alert">
                  {problem}
                </p>
              )}
            </>
          )}
        </Form>
      </Modal>
    </>
  );
}

/** The columns of a chosen file. They are read again for each other mapping. @param onRead called before each reading */
function useInspection(
  form: UseFormReturn<ImportValues>,
  collection: CollectionRef,
  onRead: () => void,
) {
  const { mutate, error, isPending, isSuccess, submittedAt } = useInspectFile(collection);
  const [found, setFound] = useState<ImportInspection | null>(null);
  const columns = form.getValues('columns');
  return {
    /** those of the mapping before, while another one is read, and if it is refused; null: they are not read yet */
    found: found?.columns.length === columns.length ? found : null,
    refused: error?.failure,
    isPending,
    isSuccess,
    submittedAt,
    /** reads another file, with the mapping by its headers */
    read(file: File) {
      onRead();
      setFound(null);
      form.reset({ ...form.getValues(), file, columns: [] });
      const onSuccess = (inspected: ImportInspection) => {
        setFound(inspected);
        form.reset({ ...form.getValues(), columns: columnsOf(inspected) });
      };
      mutate({ file, columns: null }, { onSuccess });
    },
    /** reads the file with the mapping of the form */
    readAgain(file: File) {
      onRead();
      mutate({ file, columns: form.getValues('columns') }, { onSuccess: setFound });
    },
  };
}

/** The position that a path of a column names. */
function positionAt(path: string): number | undefined {
  const at = /^columns\.(\d+)$/.exec(path)?.[1];
  return at === undefined ? undefined : Number(at);
}

/** The field of the form that shows the errors of a column of the file. */
function columnAt(path: string): `columns.${number}` | undefined {
  const at = positionAt(path);
  return at === undefined ? undefined : `columns.${at}`;
}

/** Why the file changes nothing; null: it has a value of the records. */
function nothingMapped(columns: readonly ImportColumn[], isTable: boolean): string | null {
  if (columns.some(({ as }) => as === 'field' || as === 'keyword')) return null;
  return isTable ? texts.nothingMappedOfTable : texts.nothingMappedOfArchive;
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
  const at = positionAt(path);
  if (at !== undefined) return texts.labelOfColumn(at + 1);
  return path.startsWith('files.') ? texts.labelOfFile : undefined;
}
