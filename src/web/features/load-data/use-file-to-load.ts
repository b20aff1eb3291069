import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { DefinitionAnalysis, SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { analyseFile, type FileFormat, type FileToAnalyse } from '#web/api/file-imports.ts';
import { zodResolver } from '#web/ui/form/form-schema.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import { overridesToRead } from './column-draft.ts';
import {
  loadSchemaOf,
  type LoadValues,
  NO_VALUES,
  proposedDrafts,
  proposedValues,
} from './load-form.ts';

/** The file to load: its format, its content, and the form with which a spreadsheet is loaded. */
export function useFileToLoad() {
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<FileFormat>({});
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
  return {
    file,
    /** what the user has changed of the format that was recognised */
    format,
    analysis,
    /** the analysis, if the file is a spreadsheet */
    sheet,
    isReading: analysing.isPending,
    error: analysing.error,
    /** false: the file is being read with another format, or could not be read with it */
    isCurrent: analysing.isSuccess,
    form,
    /** another value for each file */
    formKey,
    /** whether choosing another file loses input */
    isChanged: isDirty || Object.keys(format).length > 0,
    choose: (next: File) => {
      setFile(next);
      setFormat({});
      setAnalysis(null);
      form.reset(NO_VALUES);
      setFormKey(formKey + 1);
      outdated.current = 'all';
      read(next, {});
    },
    changeFormat: (change: FileFormat) => {
      if (!file) return;
      const written = { ...format, ...change };
      setFormat(written);
      if (change.locale === undefined) outdated.current = 'columns';
      read(file, written);
    },
    /** reads the file again with the column settings of the form */
    readAgain: () => {
      if (file) read(file, format);
    },
    close: () => {
      setFile(null);
      setAnalysis(null);
    },
    /** What an answer causes in the form of a file: nothing, if it comes after another file was chosen. */
    inThisForm:
      <Args extends unknown[]>(act: (...args: Args) => void) =>
      (...args: Args) => {
        if (latestFormKey.current === formKey) act(...args);
      },
  };
}
