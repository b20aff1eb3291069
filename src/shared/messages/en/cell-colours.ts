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
export const hint =
  'The first rule that matches sets the colour of the cell. Colours are saved with the view.';
export const addRule = 'Add a rule';
