/* Menus: loaded separately from the page, because they are large and not needed at first. */
export { Menu } from '@mantine/core';
