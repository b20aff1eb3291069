/* The popovers of the toolbar of a list: loaded separately from the page, because they are not needed at first. */
export { Popover } from '@mantine/core';
export { FieldsChoice } from './fields-choice.tsx';
export { SortKeys } from './sort-keys.tsx';
