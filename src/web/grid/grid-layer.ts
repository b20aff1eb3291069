/** The element in which menus and panels over a grid are drawn: beside the grid, within the page's main landmark. */
export const GRID_LAYER = '[data-grid-layer]';
