import * as texts from '#messages/document-upload.ts';
import { useEffect, useEffectEvent } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorFrame, ErrorPanel } from '#web/ui/error-panel.tsx';
import { Field } from '#web/ui/field.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { type GivenIndexFile, type IndexFile, readIndexFile } from './index-file.ts';
import type { SheetToRead, useReadSheet } from './index-file.mutations.ts';
import shared from '#web/ui/shared.module.css';
import classes from './document-upload.module.css';

interface IndexFileChoiceProps {
  readonly archive: ArchiveDetail;
  /** read once, at the beginning; null: none */
  readonly given: GivenIndexFile | null;
  readonly value: IndexFile | null;
  readonly reading: Pick<ReturnType<typeof useReadSheet>, 'isPending' | 'error' | 'data'>;
  readonly disabled: boolean;
  readonly onRead: (toRead: SheetToRead) => void;
  readonly onChange: (value: IndexFile | null) => void;
}

/** Chooses a spreadsheet with the index data of the files, and the column that names them. */
export function IndexFileChoice(props: IndexFileChoiceProps) {
  const { archive, given, value, reading, disabled, onRead, onChange } = props;
  const readGiven = useEffectEvent(() => {
    if (given) onRead(given);
  });
  useEffect(() => readGiven(), []);
  const unknown = value?.sheet.columns.filter(
    (_, index) => index !== value.fileColumn && value.fields[index] === null,
  );
  return (
    <section className={classes.indexFile} aria-label={texts.indexFile}>
      <FileDrop
        label={texts.chooseIndexFile}
        hint={
          value
            ? texts.indexFileRead({ name: value.name, rows: value.sheet.rows })
            : texts.indexFileHint
        }
        accept=".csv,.tsv,.txt,.xlsx"
        isPrimary={false}
        onFiles={([file]) => {
          if (file && !disabled) onRead({ file });
        }}
      />
      {reading.isPending && <Spinner size={18} label={texts.readingIndexFile} />}
      {reading.error && <ErrorPanel error={reading.error} title={texts.indexFileNotRead} />}
      {reading.data === null && (
        <ErrorFrame title={texts.indexFileNotRead}>
          <p>{texts.noSheet}</p>
        </ErrorFrame>
      )}
      {value && (
        <>
          <div className={shared.input}>
            <Field label={texts.fileColumn}>
              {(controlProps) => (
                <NativeSelect
                  {...controlProps}
                  disabled={disabled}
                  options={value.sheet.columns.map(({ header }, index) => ({
                    value: String(index),
                    label: header === '' ? texts.column(index + 1) : header,
                  }))}
                  value={String(value.fileColumn)}
                  onChange={(index) =>
                    onChange(readIndexFile(archive, value.sheet, value.fieldNames, Number(index)))
                  }
                />
              )}
            </Field>
          </div>
          {unknown && unknown.length > 0 && (
            <p className={shared.muted}>
              {texts.columnsIgnored(unknown.map(({ header }) => header).join(', '))}
            </p>
          )}
          {value.sheet.rows > value.sheet.records.length && (
            <p className={shared.muted}>{texts.rowsRead(value.sheet.records.length)}</p>
          )}
          <div>
            <Button
              variant="subtle"
              color="gray"
              disabled={disabled}
              onClick={() => onChange(null)}
            >
              {texts.removeIndexFile}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
