/** What the types of values are called, without an article. */
export const date = 'date';
export const time = 'time of day';
export const integer = 'whole number';
export const text = 'text';
export const boolean = 'yes or no';
export const datetime = 'date and time';
export const decimal = 'number';
