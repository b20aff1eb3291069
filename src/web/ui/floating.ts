/* What opens over the page: loaded apart from it, as it is large and nobody has opened anything yet. */
export { Menu, Popover } from '@mantine/core';
export { FieldsChoice } from '../list-tools/fields-choice.tsx';
export { SortKeys } from '../list-tools/sort-keys.tsx';
