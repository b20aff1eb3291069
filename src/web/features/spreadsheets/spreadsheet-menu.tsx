import { Button, Menu } from '@mantine/core';
import type { ArchiveDetail } from '#shared/answers.ts';
import { nameKey } from '#shared/names.ts';
import { habitsOf } from '#shared/readings.ts';
import { type ListView, listQueryString } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/paths.ts';
import { SpreadsheetIcon } from '#web/ui/icons.tsx';
import classes from './spreadsheet-menu.module.css';

interface SpreadsheetMenuProps {
  readonly archive: ArchiveDetail;
  /** what is exported: the list as it is filtered and sorted */
  readonly view: ListView;
  /** undefined: the user may not change anything here */
  readonly onImport: (() => void) | undefined;
  /** shows the imports and other bulk edits so far; undefined as above */
  readonly onBulkEdits: (() => void) | undefined;
}

/** Takes what the list shows out as a spreadsheet, and a corrected one in again. */
export function SpreadsheetMenu({ archive, view, onImport, onBulkEdits }: SpreadsheetMenuProps) {
  const { columns, ...list } = view;
  const shown = columns && shownFields(archive, columns);
  const download = (format: 'xlsx' | 'csv', fields: readonly string[] | undefined) => {
    const query = new URLSearchParams(listQueryString(list));
    query.set('format', format);
    if (fields?.length) query.set('fields', fields.join(','));
    // Where the comma stands before decimal places, spreadsheet programs part values by semicolons.
    if (format === 'csv' && habitsOf(navigator.language).decimal === ',') {
      query.set('separator', 'semicolon');
    }
    return { href: `${apiPaths.indexExport(archive.table)}?${query}`, download: '' };
  };
  return (
    <Menu position="bottom-end" width={264}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<SpreadsheetIcon size={15} />}
          aria-label="Spreadsheet"
        >
          <span className={classes.word}>Spreadsheet</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Export what the list matches</Menu.Label>
        <Menu.Item component="a" {...download('xlsx', undefined)}>
          Excel (XLSX), all fields
        </Menu.Item>
        {shown?.length && (
          <Menu.Item component="a" {...download('xlsx', shown)}>
            Excel (XLSX), fields shown
          </Menu.Item>
        )}
        <Menu.Item component="a" {...download('csv', undefined)}>
          CSV, all fields
        </Menu.Item>
        {onImport && onBulkEdits && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onImport}>Import a corrected file…</Menu.Item>
            <Menu.Item onClick={onBulkEdits}>Imports and bulk edits so far…</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Of the columns of the list those that are index fields. */
function shownFields(archive: ArchiveDetail, columns: readonly string[]): string[] {
  return archive.indexFieldDefinitions
    .map(({ name }) => name)
    .filter((name) => columns.some((column) => nameKey(column) === nameKey(name)));
}
