import * as texts from '#messages/load-data.ts';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DefinitionAnalysis, SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { analyseFile, type FileFormat, type FileToAnalyse } from '#web/api/file-imports.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { AskBeforeLeaving, useAskFirst } from '#web/ui/form/ask-before-leaving.tsx';
import { hasUnsavedInput } from '#web/ui/form/unsaved-input.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useLatest } from '#web/ui/use-latest.ts';
import { type ColumnDraft, overridesToRead } from './draft.ts';
import { FileFormatFields } from './file-format-fields.tsx';
import { LoadDefinition } from './load-definition.tsx';
import { type CreatedForDocuments, LoadSheet, type PlannedRows } from './load-sheet.tsx';
import { SampleRows } from './sample-rows.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './load-data.module.css';

interface JobEvents {
  /** the rows that fit are being written */
  readonly onApplied: () => void;
  readonly onClose: () => void;
}

interface LoadDataProps {
  readonly username: string;
  /** all archives and tables of a definition file are created */
  readonly onCreated: () => void;
  /** the documents of the archive that was created from the file */
  readonly renderDocuments: (created: CreatedForDocuments) => ReactNode;
  /** the plan of the rows and its outcome */
  readonly renderJob: (rows: PlannedRows, on: JobEvents) => ReactNode;
}

/** Loads a file: its content, its target, the preview, and the outcome. */
export function LoadData(props: LoadDataProps) {
  const { username, onCreated, renderDocuments, renderJob } = props;
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<FileFormat>({});
  const [rows, setRows] = useState<PlannedRows | null>(null);
  /** what happened since the file was chosen: its form was changed, or its rows were written */
  const [progress, setProgress] = useState<'chosen' | 'changed' | 'loaded'>('chosen');
  const [created, setCreated] = useState<CreatedForDocuments | null>(null);
  const analysing = useMutation({
    mutationFn: (request: FileToAnalyse) => analyseFile(request, (found) => found),
  });
  /** the last one that succeeded: it stays while the file is read again, and if that fails */
  const [analysis, setAnalysis] = useState<SheetAnalysis | DefinitionAnalysis | null>(null);
  const [drafts, setDrafts] = useState<readonly ColumnDraft[]>([]);
  /** the form is reset with each file */
  const [formKey, setFormKey] = useState(0);
  const latestFormKey = useLatest(formKey);
  /** What an answer causes in the form of a file: nothing, if it comes after another file was chosen. */
  const inThisForm =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      if (latestFormKey.current === formKey) act(...args);
    };
  const read = (next: File, written: FileFormat, columns: readonly ColumnDraft[]) =>
    analysing.mutate(
      {
        file: next,
        format: written,
        columns: columns.map(({ overrides }) => overridesToRead(overrides)),
      },
      { onSuccess: setAnalysis },
    );
  const choose = (next: File) => {
    setFile(next);
    setFormat({});
    setRows(null);
    setProgress('chosen');
    setCreated(null);
    setAnalysis(null);
    setDrafts([]);
    setFormKey(formKey + 1);
    read(next, {}, []);
  };
  const changeFormat = (change: FileFormat) => {
    if (!file) return;
    const written = { ...format, ...change };
    // Other separators and headers make other columns.
    const validDrafts = change.locale === undefined ? [] : drafts;
    setProgress('changed');
    setFormat(written);
    setDrafts(validDrafts);
    read(file, written, validDrafts);
  };
  const isFormShown = analysis?.kind === 'sheet' && rows === null && created === null;
  const { askFirst, question } = useAskFirst(texts.otherFileText);
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
          const losesInput = isFormShown ? progress === 'changed' : hasUnsavedInput();
          if (next) askFirst(() => choose(next), losesInput);
        }}
      />
      {analysing.isPending && !analysis && <Spinner size={18} label={texts.analysing} />}
      {analysing.error && (
        <ErrorPanel error={analysing.error} title={texts.notAnalysed} pathLabel={pathLabel} />
      )}
      {analysis?.kind === 'definition' && (
        <LoadDefinition key={formKey} analysis={analysis} onCreated={inThisForm(onCreated)} />
      )}
      {file && analysis?.kind === 'sheet' && (
        <>
          <div hidden={!isFormShown}>
            <div className={classes.parts}>
              <AskBeforeLeaving
                // Planned rows are in the batch history, and the upload of documents asks itself.
                isUnsaved={isFormShown && progress !== 'loaded'}
                text={texts.leaveText}
              />
              <section className={classes.section}>
                <h2 className={shared.heading}>{texts.recognised}</h2>
                <p className={shared.muted}>{texts.rows(analysis.rows)}</p>
                <FileFormatFields
                  format={analysis.format}
                  chosen={format}
                  onChange={changeFormat}
                />
                <SampleRows analysis={analysis} />
              </section>
              <LoadSheet
                key={formKey}
                username={username}
                file={file}
                format={format}
                analysis={analysis}
                isCurrent={analysing.isSuccess}
                drafts={drafts}
                onDrafts={inThisForm((next) => {
                  setDrafts(next);
                  setProgress('changed');
                })}
                onTarget={() => setProgress('changed')}
                onRead={(columns) => read(file, format, columns)}
                onPlanned={inThisForm(setRows)}
                onCreatedForDocuments={inThisForm(setCreated)}
              />
            </div>
          </div>
          {rows &&
            renderJob(rows, {
              onApplied: inThisForm(() => setProgress('loaded')),
              onClose: () => {
                setRows(null);
                // Its rows are written: another time they would be new ones.
                if (progress === 'loaded') {
                  setFile(null);
                  setAnalysis(null);
                }
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
