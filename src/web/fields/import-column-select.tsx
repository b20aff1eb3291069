import * as texts from '#messages/imports.ts';
import type { Ref } from 'react';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import type { ControlProps } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';

interface ImportColumnSelectProps extends Pick<ControlProps, 'aria-invalid' | 'aria-describedby'> {
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly 'aria-label': string;
  readonly target: BulkTarget;
  /** the present mapping of the column */
  readonly mapping: ImportColumn;
  /** names the choice that leaves the column out */
  readonly nothingLabel: string;
  /** whether the column may hold the ids or the versions of existing records */
  readonly identifiesRecords?: boolean;
  /** the new mapping; the notation of its values is still undecided */
  readonly onMap: (mapping: ImportColumn) => void;
}

/** Maps a column of a file to a field of an archive or table. */
export function ImportColumnSelect(props: ImportColumnSelectProps) {
  const { target, mapping, nothingLabel, identifiesRecords, inputRef, onMap, ...control } = props;
  const options = [
    { value: 'nothing', label: nothingLabel },
    ...(identifiesRecords
      ? [
          { value: 'id', label: target.words.id },
          { value: 'version', label: texts.version },
        ]
      : []),
    ...target.fields.map(({ name, label }) => ({
      value: `field ${name}`,
      label,
      group: target.words.fields,
    })),
    ...target.keywordFields.map(({ name, label }) => ({
      value: `keyword ${name}`,
      label,
      group: texts.keywordFields,
    })),
  ];
  return (
    <Select
      {...control}
      {...(inputRef && { ref: inputRef })}
      options={options}
      value={valueOf(mapping)}
      onChange={(value) => onMap(mappingOf(value))}
    />
  );
}

function valueOf(mapping: ImportColumn): string {
  if (mapping.as === 'field') return `field ${mapping.field}`;
  return mapping.as === 'keyword' ? `keyword ${mapping.keyword}` : mapping.as;
}

function mappingOf(value: string): ImportColumn {
  if (value.startsWith('keyword ')) return { as: 'keyword', keyword: value.slice(8) };
  if (value === 'id' || value === 'version' || value === 'nothing') return { as: value };
  return { as: 'field', field: value.replace(/^field /, ''), decimal: null, order: null };
}
