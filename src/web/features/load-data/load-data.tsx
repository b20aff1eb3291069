import * as texts from '#messages/load-data.ts';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { DefinitionAnalysis, SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { analyseFile, type FileFormat, type FileToAnalyse } from '#web/api/file-imports.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { AskBeforeLeaving, useAskFirst } from '#web/ui/form/ask-before-leaving.tsx';
import { zodResolver } from '#web/ui/form/form-schema.ts';
import { hasUnsavedInput } from '#web/ui/form/unsaved-input.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useLatest } from '#web/ui/use-latest.ts';
import { overridesToRead } from './draft.ts';
import { FileFormatFields } from './file-format-fields.tsx';
import { LoadDefinition } from './load-definition.tsx';
import {
  loadSchemaOf,
  type LoadValues,
  NO_VALUES,
  proposedDrafts,
  proposedValues,
} from './load-form.ts';
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
  const [isLoaded, setLoaded] = useState(false);
  const [created, setCreated] = useState<CreatedForDocuments | null>(null);
  const analysing = useMutation({
    mutationFn: (request: FileToAnalyse) => analyseFile(request, (found) => found),
  });
  /** the last one that succeeded: it stays while the file is read again, and if that fails */
  const [analysis, setAnalysis] = useState<SheetAnalysis | DefinitionAnalysis | null>(null);
  const sheet = analysis?.kind === 'sheet' ? analysis : null;
  const form = useForm<LoadValues>({
    defaultValues: NO_VALUES,
    resolver: zodResolver(loadSchemaOf(sheet)),
    mode: 'onChange',
  });
  const { isDirty } = form.formState;
  const [formKey, setFormKey] = useState(0);
  const latestFormKey = useLatest(formKey);
  /** What an answer causes in the form of a file: nothing, if it comes after another file was chosen. */
  const inThisForm =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      if (latestFormKey.current === formKey) act(...args);
    };
  /** What the next analysis replaces in the form: with other separators and headers a file has other columns. */
  const outdated = useRef<'all' | 'columns' | null>(null);
  const adoptSheet = (found: SheetAnalysis) => {
    if (outdated.current === 'all') form.reset(proposedValues(found));
    else if (outdated.current === 'columns') form.setValue('columns', proposedDrafts(found));
    outdated.current = null;
  };
  const read = (next: File, written: FileFormat) => {
    const drafts = outdated.current === null ? form.getValues('columns') : [];
    analysing.mutate(
      {
        file: next,
        format: written,
        columns: drafts.map(({ overrides }) => overridesToRead(overrides)),
      },
      {
        onSuccess: (found) => {
          if (found.kind === 'sheet') adoptSheet(found);
          setAnalysis(found);
        },
      },
    );
  };
  const choose = (next: File) => {
    setFile(next);
    setFormat({});
    setRows(null);
    setLoaded(false);
    setCreated(null);
    setAnalysis(null);
    form.reset(NO_VALUES);
    setFormKey(formKey + 1);
    outdated.current = 'all';
    read(next, {});
  };
  const changeFormat = (change: FileFormat) => {
    if (!file) return;
    const written = { ...format, ...change };
    setFormat(written);
    if (change.locale === undefined) outdated.current = 'columns';
    read(file, written);
  };
  const isFormShown = sheet !== null && rows === null && created === null;
  const isChanged = isDirty || Object.keys(format).length > 0;
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
          const losesInput = isFormShown ? isChanged : hasUnsavedInput();
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
      {file && sheet && (
        <>
          <div hidden={!isFormShown}>
            <div className={classes.parts}>
              <AskBeforeLeaving
                // Planned rows are in the batch history, and the upload of documents asks itself.
                isUnsaved={isFormShown && !isLoaded}
                text={texts.leaveText}
              />
              <section className={classes.section}>
                <h2 className={shared.heading}>{texts.recognised}</h2>
                <p className={shared.muted}>{texts.rows(sheet.rows)}</p>
                <FileFormatFields format={sheet.format} chosen={format} onChange={changeFormat} />
                <SampleRows analysis={sheet} />
              </section>
              <LoadSheet
                key={formKey}
                username={username}
                form={form}
                file={file}
                format={format}
                analysis={sheet}
                isCurrent={analysing.isSuccess}
                isSent={!isFormShown}
                onRead={() => read(file, format)}
                onCreated={inThisForm((collection, columns) => {
                  const touched = { shouldDirty: true };
                  form.setValue('kind', 'existing', touched);
                  form.setValue('collection', collection, touched);
                  const drafts = form.getValues('columns');
                  form.setValue(
                    'columns',
                    drafts.map((draft, at) => ({
                      ...draft,
                      mapping: columns[at] ?? { as: 'nothing' },
                    })),
                    touched,
                  );
                })}
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
                if (isLoaded) {
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
