import * as texts from '#messages/document-upload.ts';
import { useRef } from 'react';
import { findByName } from '#shared/rules/names.ts';
import { isNumber } from '#shared/values/registry.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';
import type { IndexValue, UploadItem } from './uploader.ts';
import { useVirtualRows } from '#web/ui/use-virtual-rows.ts';
import table from '#web/ui/virtual-table.module.css';
import classes from './document-upload.module.css';

const ROW_HEIGHT = 31;

interface UploadListProps {
  readonly items: readonly UploadItem[];
  /** the fields whose values are shown */
  readonly fields: readonly IndexFieldDefinition[];
  readonly valuesOf: (file: File) => readonly IndexValue[] | { readonly problem: string };
}

/** The files with their index data, and the outcome of each. */
export function UploadList({ items, fields, valuesOf }: UploadListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, {
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  return (
    <div
      ref={scroller}
      className={table.scroller}
      // What scrolls has to be reached by the keyboard (WCAG 2.1.1).
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="table"
      aria-label={texts.files}
      aria-rowcount={items.length + 1}
    >
      <div role="row" className={`${table.head} ${classes.head}`} aria-rowindex={1}>
        <span role="columnheader" className={classes.name}>
          {texts.file}
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
        <span role="columnheader" className={classes.state}>
          {texts.state}
        </span>
      </div>
      <div
        role="presentation"
        className={table.rows}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          if (!item) return null;
          const values = valuesOf(item.file);
          const problem = 'problem' in values ? values.problem : null;
          const message = item.message ?? (item.state === 'waiting' ? problem : null);
          return (
            <div
              key={item.key}
              role="row"
              className={`${table.row} ${classes.row}`}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span role="cell" className={classes.name} title={item.file.name}>
                {item.file.name}
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
              <span
                role="cell"
                className={classes.state}
                data-problem={message !== null || undefined}
                title={message ?? undefined}
              >
                {message ?? texts.states[item.state]}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
