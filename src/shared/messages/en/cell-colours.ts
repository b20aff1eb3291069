/** The dialog for the colours of cells. */
export const title = 'Colour cells';
export const colour = 'Colour';
export const colours = {
  red: 'red',
  yellow: 'yellow',
  green: 'green',
  blue: 'blue',
};
export const where = 'where';
export const hint = 'The first rule that holds colours a cell. Colours are part of the view.';
export const addRule = 'Add a rule';
