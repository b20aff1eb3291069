/** Headings of lists and their menus. */

export const menuOf = (label: string) => `Menu of ${label}`;
export const sortAscending = 'Sort ascending';
export const sortDescending = 'Sort descending';
export const cleanUpValues = 'Clean up values';
export const filterByColumn = 'Filter by this column';
export const moveLeft = 'Move to the left';
export const moveRight = 'Move to the right';
export const wider = 'Wider';
export const narrower = 'Narrower';
export const fitWidth = 'Fit the width';
export const freezeColumns = 'Freeze columns up to here';
export const unfreezeColumns = 'Unfreeze columns';
export const hideColumn = 'Hide the column';
export const requiredColumn = (label: string) => `${label} (required)`;
export const uniqueColumn = (label: string) => `${label} (unique)`;
export const requiredUniqueColumn = (label: string) => `${label} (required, unique)`;
export const sortableHeading =
  'Click to sort, with Shift by several columns. Drag to move. Right click for more.';
export const heading = 'Drag to move. Right click for more.';
export const keySorts = 'Sort by the column; Shift adds it to the order';
export const keyOpensMenu = (menu: string) => `Its menu: ${menu}`;
