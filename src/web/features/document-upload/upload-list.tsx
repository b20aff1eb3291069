import * as texts from '#messages/document-upload.ts';
import { findByName } from '#shared/rules/names.ts';
import { isNumber } from '#shared/values/registry.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';
import type { IndexDataOfFile, UploadItem } from './uploader.ts';
import { VirtualTable } from '#web/ui/virtual-table.tsx';
import classes from './document-upload.module.css';

const ROW_HEIGHT = 31;

interface UploadListProps {
  readonly items: readonly UploadItem[];
  /** the fields whose values are shown */
  readonly fields: readonly IndexFieldDefinition[];
  readonly valuesOf: (file: File) => IndexDataOfFile;
}

/** The files with their index data, and the outcome of each, which is in view beside the name. */
export function UploadList({ items, fields, valuesOf }: UploadListProps) {
  return (
    <VirtualTable
      label={texts.files}
      rows={items}
      keyOf={({ key }) => key}
      rowHeight={ROW_HEIGHT}
      headClass={classes.head}
      rowClass={classes.row}
      head={
        <>
          <span role="columnheader" className={classes.name}>
            {texts.file}
          </span>
          <span role="columnheader" className={classes.state}>
            {texts.state}
          </span>
          <span role="columnheader" className={classes.size}>
            {texts.size}
          </span>
          {fields.map((field) => (
            <span
              key={field.name}
              role="columnheader"
              className={classes.value}
              data-number={isNumber(field) || undefined}
            >
              {field.label}
            </span>
          ))}
        </>
      }
    >
      {(item) => {
        const values = valuesOf(item.file);
        const problem = 'problem' in values ? values.problem : null;
        const message = item.message ?? (item.state === 'waiting' ? problem : null);
        return (
          <>
            <span role="cell" className={classes.name} title={item.file.name}>
              {item.file.name}
            </span>
            <span
              role="cell"
              className={classes.state}
              data-problem={message !== null || undefined}
              title={message ?? undefined}
            >
              {message ?? texts.states[item.state]}
            </span>
            <span role="cell" className={classes.size}>
              {byteSizeText(item.file.size)}
            </span>
            {fields.map((field) => (
              <span
                key={field.name}
                role="cell"
                className={classes.value}
                data-number={isNumber(field) || undefined}
              >
                {'problem' in values
                  ? ''
                  : shownValue(field, findByName(values, field.name)?.value ?? null)}
              </span>
            ))}
          </>
        );
      }}
    </VirtualTable>
  );
}
