/** Filter, sort, fields and search of lists. */
export const moveUp = (label: string) => `Move ${label} up`;
export const moveDown = (label: string) => `Move ${label} down`;
export const showAll = 'Show all';
export const reset = 'Reset';
export const fields = 'Fields';
export const fieldsOfList = 'Fields of the list';
export const filteredBy = 'Filtered by';
export const only = 'Only';
export const removeFilter = (words: string) => `Remove: ${words}`;
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
export const contains = (q: string) => `contains “${q}”`;
export const removeSearch = (q: string) => `Remove: contains “${q}”`;
export const noSuchField = 'There is no such field.';
export const condition = 'Condition';
export const andOrOr = 'And or or';
export const field = 'Field';
export const test = 'Test';
export const removeCondition = 'Remove the condition';
export const period = 'Period';
export const choosePeriod = 'Choose a period';
export const values = 'Values';
export const valuesEachEnter = 'Values, each with Enter';
/** before the first condition */
export const where = 'Where';
export const and = 'and';
export const filter = 'Filter';
export const addCondition = 'Add a condition';
export const clearAll = 'Clear all';
export const list = 'List';
export const filterCount = (conditions: number) => `Filter ${conditions}`;
export const searchIn = (label: string) => `Search in ${label}`;
export const noWord = 'Enter at least one letter or digit.';
export const rangeReversed = 'The first value must not come after the second one.';
export const search = 'Search';
export const clearSearch = 'Clear the search';
export const ascending = 'ascending';
export const descending = 'descending';
export const sortBy = 'Sort by';
export const thenBy = 'Then by';
export const direction = 'Direction';
export const removeSortKey = 'Do not sort by it';
export const sortByField = 'Sort by a field';
export const thenByAnother = 'Then by another';
export const sortCount = (count: number) => `Sort ${count}`;
export const sort = 'Sort';
export const orderOfList = 'Order of the list';
export const or = 'or';
