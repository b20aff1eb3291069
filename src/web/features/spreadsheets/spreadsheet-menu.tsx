import * as texts from '#messages/spreadsheet-menu.ts';
import { userLocale } from '#shared/messages/format.ts';
import { nameKey, keywordFieldName } from '#shared/rules/names.ts';
import { notationOf } from '#shared/values/readings.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { type ListView, listQueryString } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { useWriteBlock } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { SpreadsheetIcon } from '#web/ui/icons.tsx';
import { LazyMenu } from '#web/ui/lazy-menu.tsx';
import classes from './spreadsheet-menu.module.css';

interface SpreadsheetMenuProps {
  readonly target: BulkTarget;
  /** the exported list, with filter and sorting */
  readonly view: ListView;
  /** undefined: the user may not change anything */
  readonly onImport: (() => void) | undefined;
  /** shows the imports and other bulk edits; undefined as above */
  readonly onBulkEdits: (() => void) | undefined;
}

/** Exports the list as a spreadsheet, and imports a corrected one. */
export function SpreadsheetMenu({ target, view, onImport, onBulkEdits }: SpreadsheetMenuProps) {
  const block = useWriteBlock();
  const { collection } = target;
  const { kind } = collection;
  const ofTable = kind === 'table';
  const { columns, ...list } = view;
  const shown = columns && shownFields(target, columns);
  const download = (format: 'xlsx' | 'csv', fields: readonly string[] | undefined) => {
    // In locales with a decimal comma, spreadsheet programs separate values with semicolons.
    const hasSemicolons = format === 'csv' && notationOf(userLocale()).decimal === ',';
    const query = listQueryString(list, {
      format,
      [ofTable ? 'columns' : 'fields']: fields?.join(',') ?? '',
      separator: hasSemicolons ? 'semicolon' : '',
    });
    const path = ofTable
      ? apiPaths.datasetExport(collection.id)
      : apiPaths.indexExport(collection.id);
    return { href: path + query, download: '' };
  };
  return (
    <LazyMenu
      position="bottom-end"
      width={264}
      target={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<SpreadsheetIcon size={15} />}
          aria-label={texts.spreadsheet}
        >
          <span className={classes.word}>{texts.spreadsheet}</span>
        </Button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>{texts.exportMatches}</Menu.Label>
          <Menu.Item component="a" {...download('xlsx', undefined)}>
            {texts.xlsxOfAll[kind]}
          </Menu.Item>
          {shown?.length && (
            <Menu.Item component="a" {...download('xlsx', shown)}>
              {texts.xlsxOfShown[kind]}
            </Menu.Item>
          )}
          <Menu.Item component="a" {...download('csv', undefined)}>
            {texts.csvOfAll[kind]}
          </Menu.Item>
          {onImport && onBulkEdits && (
            <>
              <Menu.Divider />
              <Menu.Item {...block} onClick={onImport}>
                {texts.importFile[kind]}
              </Menu.Item>
              <Menu.Item onClick={onBulkEdits}>{texts.batchHistory}</Menu.Item>
            </>
          )}
        </>
      )}
    </LazyMenu>
  );
}

/** The columns of the list that an export may contain. */
function shownFields(
  { fields, keywordFields }: BulkTarget,
  columns: readonly string[],
): readonly string[] {
  const names = [
    ...fields.map(({ name }) => name),
    ...keywordFields.map(({ name }) => keywordFieldName(name)),
  ];
  return names.filter((name) => columns.some((column) => nameKey(column) === nameKey(name)));
}
