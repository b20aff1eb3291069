/** Above lists: the buttons of filter, sort and fields, and the search. */
export const fields = 'Fields';
export const fieldsOfList = 'Choose the fields of the list';
export const filteredBy = 'Filtered by';
export const only = 'Only';
/** the field of a filter on what checks find */
export const findingsColumn = 'Findings';
/** what a check finds, by its severity */
export const findingWords = {
  warn: (label: string) => `Warning: ${label}`,
  block: (label: string) => `Error: ${label}`,
};
export const finding = 'Finding';
export const findingOf = (labels: string) => `Finding: ${labels}`;
export const noFinding = 'No finding';
export const anyFinding = 'Any finding';
export const filter = 'Filter';
export const list = 'List';
export const filterCount = (conditions: number) => `Filter ${conditions}`;
export const searchIn = (label: string) => `Search in ${label}`;
export const search = 'Search';
export const clearSearch = 'Clear the search';
export const sortCount = (count: number) => `Sort ${count}`;
export const sort = 'Sort';
export const orderOfList = 'Order of the list';
