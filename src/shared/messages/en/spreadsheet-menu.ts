/** The menu of a list for spreadsheets. */
export const spreadsheet = 'Spreadsheet';
export const exportMatches = 'Export what the list matches';
export const xlsxOfAll = {
  archive: 'Excel (XLSX), all fields',
  table: 'Excel (XLSX), all columns',
};
export const xlsxOfShown = {
  archive: 'Excel (XLSX), fields shown',
  table: 'Excel (XLSX), columns shown',
};
export const csvOfAll = { archive: 'CSV, all fields', table: 'CSV, all columns' };
export const importFile = {
  archive: 'Import a corrected file…',
  table: 'Import a spreadsheet…',
};
export const batchHistory = 'Batch history…';
