/** Where what floats over the grid is drawn: beside it, within the page's main landmark. */
export const GRID_LAYER = { target: '[data-grid-layer]' } as const;
