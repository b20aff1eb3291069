import * as texts from '#messages/load-data.ts';
import { type ReactNode, useState } from 'react';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { UnsavedChangesGuard, useConfirmDiscard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { hasUnsavedInput } from '#web/ui/form/unsaved-input.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { FileFormatFields } from './file-format-fields.tsx';
import { LoadDefinition } from './load-definition.tsx';
import { directIntoCreated } from './load-form.ts';
import { type CreatedForDocuments, LoadSheet, type PlannedRows } from './load-sheet.tsx';
import { SampleRows } from './sample-rows.tsx';
import { useFileToLoad } from './use-file-to-load.ts';
import shared from '#web/ui/shared.module.css';
import classes from './load-data.module.css';

interface JobEvents {
  /** the rows that fit are being written */
  readonly onApplied: () => void;
  readonly onClose: () => void;
}

interface LoadDataProps {
  /** all archives and tables of a definition file are created */
  readonly onCreated: () => void;
  /** the documents of the archive that was created from the file */
  readonly renderDocuments: (created: CreatedForDocuments) => ReactNode;
  /** the plan of the rows and its outcome */
  readonly renderJob: (rows: PlannedRows, on: JobEvents) => ReactNode;
}

/** Loads a file: its content, its target, the preview, and the outcome. */
export function LoadData({ onCreated, renderDocuments, renderJob }: LoadDataProps) {
  const loaded = useFileToLoad();
  const { file, format, analysis, sheet, form, formKey, inThisForm } = loaded;
  const [rows, setRows] = useState<PlannedRows | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [created, setCreated] = useState<CreatedForDocuments | null>(null);
  const choose = (next: File) => {
    setRows(null);
    setLoaded(false);
    setCreated(null);
    loaded.choose(next);
  };
  const isFormShown = sheet !== null && rows === null && created === null;
  const { confirmDiscard, question } = useConfirmDiscard(texts.otherFileText);
  return (
    <div className={classes.page}>
      {question}
      <FileDrop
        label={file ? texts.otherFile : texts.chooseFile}
        hint={file?.name ?? texts.fileHint}
        accept=".csv,.tsv,.txt,.xlsx,.json"
        isPrimary={!file}
        onFiles={([next]) => {
          // The form asks before leaving as soon as a file is chosen; another file loses only what was changed in it.
          const losesInput = isFormShown ? loaded.isChanged : hasUnsavedInput();
          if (next) confirmDiscard(() => choose(next), losesInput);
        }}
      />
      {loaded.isReading && !analysis && <Spinner size={18} label={texts.analysing} />}
      {loaded.error && (
        <ErrorPanel
          error={loaded.error}
          title={texts.notAnalysed}
          onRetry={loaded.readAgain}
          pathLabel={pathLabel}
        />
      )}
      {analysis?.kind === 'definition' && (
        <LoadDefinition key={formKey} analysis={analysis} onCreated={inThisForm(onCreated)} />
      )}
      {file && sheet && (
        <>
          <div hidden={!isFormShown}>
            <div className={classes.parts}>
              <UnsavedChangesGuard
                // Planned rows are in the batch history, and the upload of documents has its own question.
                isUnsaved={isFormShown && !isLoaded}
                text={texts.leaveText}
              />
              <section className={classes.section}>
                <h2 className={shared.heading}>{texts.recognised}</h2>
                <p className={shared.muted}>{texts.rows(sheet.rows)}</p>
                <FileFormatFields
                  format={sheet.format}
                  chosen={format}
                  onChange={loaded.changeFormat}
                />
                <SampleRows analysis={sheet} />
              </section>
              <LoadSheet
                key={formKey}
                form={form}
                file={file}
                format={format}
                analysis={sheet}
                isCurrent={loaded.isCurrent}
                isSent={!isFormShown}
                onRead={loaded.readAgain}
                onCreated={inThisForm((collection, columns) =>
                  directIntoCreated(form, collection, columns),
                )}
                onPlanned={inThisForm(setRows)}
                onCreatedForDocuments={inThisForm(setCreated)}
              />
            </div>
          </div>
          {rows &&
            renderJob(rows, {
              onApplied: inThisForm(() => setLoaded(true)),
              onClose: () => {
                setRows(null);
                // Its rows are written: another time they would be new ones.
                if (isLoaded) loaded.close();
              },
            })}
          {created && renderDocuments(created)}
        </>
      )}
    </div>
  );
}

function pathLabel(path: string): string | undefined {
  return path.startsWith('files.') ? texts.labelOfFile : undefined;
}
