import * as texts from '#messages/document-upload.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { type FileNamePattern, parseFileNamePattern } from '#shared/rules/file-name-patterns.ts';
import { findByName } from '#shared/rules/names.ts';
import { csvLine, toCsvText } from '#shared/rules/spreadsheets.ts';
import { useStore } from '#web/api/use-store.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { indexDataOf } from './file-index-data.ts';
import { type GivenIndexFile, type IndexFile, missingFiles, readIndexFile } from './index-file.ts';
import { type SheetToRead, useReadSheet } from './index-file.mutations.ts';
import { IndexFileChoice } from './index-file-choice.tsx';
import { UploadList } from './upload-list.tsx';
import { type IndexDataOfFile, Uploader, type UploadItem } from './uploader.ts';
import shared from '#web/ui/shared.module.css';
import classes from './document-upload.module.css';

interface DocumentUploadProps {
  readonly username: string;
  readonly archive: ArchiveDetail;
  /** a spreadsheet with index data that is known already; null: none */
  readonly given: GivenIndexFile | null;
  /** a link to the new documents */
  readonly renderLink: (revisionIds: readonly string[]) => ReactNode;
}

/** Stores many files as documents of an archive, with index data from their names. */
export function DocumentUpload({ username, archive, given, renderLink }: DocumentUploadProps) {
  const [uploader] = useState(() => new Uploader(username, archive));
  const items = useStore(uploader.shown);
  const isRunning = useStore(uploader.isRunning);
  const { control, register } = useForm({ defaultValues: { pattern: '' } });
  const typed = useWatch({ control, name: 'pattern' });
  const [indexFile, setIndexFile] = useState<IndexFile | null>(null);
  const reading = useReadSheet();
  // Only for the last one: the answer about another that was chosen before may come later.
  const read = (toRead: SheetToRead) =>
    reading.mutate(toRead, {
      onSuccess: (sheet) => {
        if (sheet) setIndexFile(readIndexFile(archive, sheet, toRead.fieldNames ?? null, null));
      },
    });
  useEffect(() => () => uploader.stop(), [uploader]);

  const { pattern, problem } = readPattern(typed.trim(), archive);
  const valuesOf = (file: File) => indexDataOf(archive, pattern, indexFile, file);
  const validation = useMemo(() => {
    const names = items.map(({ file }) => file.name);
    const refused = new Set(
      items.flatMap(({ file, key }) => ('problem' in valuesOf(file) ? key : [])),
    );
    return { refused, missing: indexFile ? missingFiles(indexFile, names) : [] };
    // The list is another one with each progress; only its files count here.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [items.length, archive, typed, indexFile]);
  const isOpen = items.some(({ state }) => state === 'waiting' || state === 'failed');
  const storable = items.filter(
    ({ state, key }) => state === 'waiting' && !validation.refused.has(key),
  ).length;
  const fields = shownFields(archive, pattern, indexFile);
  const unprovided = archive.indexFieldDefinitions.filter(
    (field) => field.required && !fields.includes(field),
  );
  const names = archive.indexFieldDefinitions.slice(0, 2).map(({ name }) => `{${name}}`);

  return (
    <>
      <UnsavedChangesGuard isUnsaved={isRunning || isOpen} text={texts.leaveText} />
      <FileDrop
        label={texts.chooseFiles}
        hint={items.length > 0 ? texts.filesChosen(items.length) : texts.dropHint}
        isMultiple
        isPrimary={items.length === 0}
        onFiles={(files) => uploader.add(files)}
      />
      <div className={shared.input}>
        <Field
          label={texts.pattern}
          description={texts.patternHint({ example: `${names.join('_')}.pdf` })}
          errors={problem === undefined ? [] : [problem]}
        >
          {(controlProps) => (
            <TextInput
              {...controlProps}
              {...register('pattern')}
              disabled={isRunning}
              maxLength={255}
            />
          )}
        </Field>
      </div>
      <IndexFileChoice
        archive={archive}
        given={given}
        value={indexFile}
        reading={reading}
        onRead={read}
        disabled={isRunning}
        onChange={setIndexFile}
      />
      {items.length > 0 && (
        <>
          {items.some(({ state }) => state === 'waiting') && (
            <>
              <p className={shared.muted}>
                {texts.checkSummary({
                  refused: validation.refused.size,
                  missing: validation.missing.length,
                })}
              </p>
              {unprovided.length > 0 && problem === undefined && (
                <p>
                  {texts.requiredUnprovided(unprovided.map(({ label }) => label).join(', '))}{' '}
                  <Link to="/administration/archives/$archive" params={{ archive: archive.table }}>
                    {texts.changeFields}
                  </Link>
                </p>
              )}
            </>
          )}
          <UploadList
            items={problemsFirst(items, validation.refused)}
            fields={fields}
            valuesOf={valuesOf}
          />
          <UploadFoot
            archive={archive.table}
            uploader={uploader}
            items={items}
            storable={storable}
            valuesOf={valuesOf}
            isProblem={problem !== undefined}
            isReading={reading.isPending}
            renderLink={renderLink}
          />
          {(isRunning || isOpen) && <p className={shared.muted}>{texts.resumable}</p>}
        </>
      )}
    </>
  );
}

/** The files that cannot be stored as they are, or failed, before all others. @param refused by their keys */
function problemsFirst(items: readonly UploadItem[], refused: ReadonlySet<string>): UploadItem[] {
  const isProblem = ({ key, state }: UploadItem) =>
    state === 'failed' || (state === 'waiting' && refused.has(key));
  return [...items.filter(isProblem), ...items.filter((item) => !isProblem(item))];
}

/** The pattern as typed, null: there is none or it is wrong; and why it is wrong. */
function readPattern(typed: string, { indexFieldDefinitions }: ArchiveDetail) {
  if (typed === '') return { pattern: null };
  const parsed = parseFileNamePattern(typed);
  if (!parsed.ok) return { pattern: null, problem: texts.problems[parsed.problem] };
  const { pattern } = parsed;
  const unknown = pattern.parts.find(
    ({ name }) => name !== '' && !findByName(indexFieldDefinitions, name),
  );
  return { pattern, problem: unknown && texts.noField(unknown.name) };
}

/** The fields that the file names or the spreadsheet provide. */
function shownFields(
  { indexFieldDefinitions }: ArchiveDetail,
  pattern: FileNamePattern | null,
  indexFile: IndexFile | null,
): readonly IndexFieldDefinition[] {
  const named = (pattern?.parts ?? []).flatMap(
    ({ name }) => findByName(indexFieldDefinitions, name) ?? [],
  );
  const listed = (indexFile?.fields ?? []).flatMap((field) => field ?? []);
  return [...new Set([...named, ...listed])];
}

interface UploadFootProps extends Pick<DocumentUploadProps, 'renderLink'> {
  readonly archive: string;
  readonly uploader: Uploader;
  readonly items: readonly UploadItem[];
  /** the number of waiting files whose index data is valid */
  readonly storable: number;
  readonly valuesOf: (file: File) => IndexDataOfFile;
  /** whether the pattern of file names is wrong */
  readonly isProblem: boolean;
  /** whether index data is still being read: documents would be stored without it */
  readonly isReading: boolean;
}

/** Starts, stops and repeats the upload, and links to its result. */
function UploadFoot(props: UploadFootProps) {
  const { archive, uploader, items, storable, valuesOf, isProblem, isReading, renderLink } = props;
  const isRunning = useStore(uploader.isRunning);
  const count = (wanted: UploadItem['state']) =>
    items.filter(({ state }) => state === wanted).length;
  const [waiting, failed] = [count('waiting'), count('failed')];
  const done = count('done') + count('before');
  const stored = items.flatMap(({ revisionId }) => revisionId ?? []);
  return (
    <div className={classes.foot}>
      {isRunning ? (
        <Button variant="default" onClick={() => uploader.stop()}>
          {texts.stop}
        </Button>
      ) : (
        (waiting > 0 || stored.length === 0) && (
          <Button
            disabled={storable === 0 || isProblem || isReading}
            onClick={() => void uploader.start(valuesOf)}
          >
            {texts.start(storable === 0 ? waiting : storable)}
          </Button>
        )
      )}
      {!isRunning && failed > 0 && (
        <Button
          variant="default"
          disabled={isReading}
          onClick={() => {
            uploader.retry();
            void uploader.start(valuesOf);
          }}
        >
          {texts.retry(failed)}
        </Button>
      )}
      {!isRunning && (
        <Button variant="subtle" color="gray" onClick={() => uploader.clear()}>
          {texts.clear}
        </Button>
      )}
      {!isRunning && done + failed > 0 && (
        <Button variant="default" onClick={() => saveReceipt(archive, items)}>
          {texts.receipt}
        </Button>
      )}
      <span role="status">{texts.progress({ done, total: items.length, failed })}</span>
      {!isRunning && stored.length > 0 && renderLink(stored)}
    </div>
  );
}

/** Saves the outcome of each file as CSV. */
function saveReceipt(archive: string, items: readonly UploadItem[]): void {
  const header = [texts.file, texts.bytes, texts.state, texts.revision, texts.message];
  const rows = items.map(({ file, state, revisionId, message }) => [
    file.name,
    String(file.size),
    texts.states[state],
    revisionId ?? '',
    message ?? '',
  ]);
  const lines = [header, ...rows].map((cells) => csvLine(cells.map(toCsvText), ','));
  saveFile(new Blob([lines.join('\r\n')], { type: 'text/csv' }), `${archive}-receipt.csv`);
}
