import * as texts from '#messages/load-data.ts';
import type { SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { Field } from '#web/ui/field.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { optionsOf, type SelectOption } from '#web/ui/inputs/select.tsx';
import type { FileFormat } from '#web/api/file-imports.ts';
import classes from './load-data.module.css';

const SEPARATORS = optionsOf([';', ',', '\t', '|'], texts.separators);
const ENCODINGS = optionsOf(
  ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be', 'ibm866'],
  texts.encodings,
);
const LOCALES = optionsOf(
  ['', 'de-DE', 'de-CH', 'en-GB', 'en-US', 'fr-FR', 'sv-SE'],
  texts.locales,
);
const LAST_HEADER = 10;

interface FileFormatFieldsProps {
  readonly format: SheetAnalysis['format'];
  /** as set by the user: the detected format follows when the file has been read again */
  readonly chosen: FileFormat;
  readonly onChange: (change: FileFormat) => void;
}

/** The detected format of the file, which can be changed. */
export function FileFormatFields({ format, chosen, onChange }: FileFormatFieldsProps) {
  const lines = Array.from({ length: Math.max(LAST_HEADER, format.header) }, (_, i) => ({
    value: String(i + 1),
    label: texts.lineNumber(i + 1),
  }));
  return (
    <div className={classes.fields}>
      {format.separator !== null && (
        <Choice
          label={texts.separator}
          options={SEPARATORS}
          value={chosen.separator ?? format.separator}
          onChange={(separator) => onChange({ separator })}
        />
      )}
      {format.encoding !== null && (
        <Choice
          label={texts.encoding}
          options={ENCODINGS}
          value={chosen.encoding ?? format.encoding}
          onChange={(encoding) => onChange({ encoding })}
        />
      )}
      <Choice
        label={texts.headerLine}
        options={[{ value: '0', label: texts.noHeaderLine }, ...lines]}
        value={chosen.header ?? String(format.header)}
        onChange={(header) => onChange({ header })}
      />
      <Choice
        label={texts.locale}
        options={LOCALES}
        value={chosen.locale ?? format.locale ?? ''}
        onChange={(locale) => onChange({ locale })}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly SelectOption<string>[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A value that is no option, such as a rare encoding, is shown unchanged. */
function Choice({ label, options, value, onChange }: ChoiceProps) {
  const isKnown = options.some((option) => option.value === value);
  return (
    <Field label={label}>
      {(controlProps) => (
        <NativeSelect
          {...controlProps}
          options={isKnown ? options : [...options, { value, label: value }]}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
