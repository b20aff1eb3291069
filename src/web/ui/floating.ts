/* Menus and popovers: loaded separately from the page, because they are large and not needed at first. */
export { Menu, Popover } from '@mantine/core';
export { FieldsChoice } from '../list-tools/fields-choice.tsx';
export { SortKeys } from '../list-tools/sort-keys.tsx';
