/* What opens over the page: loaded apart from it, as it is large and nobody has opened anything yet. */
export { Menu, Popover } from '@mantine/core';
