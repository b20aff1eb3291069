/** The keys of every page, in the key sheet. */
export const everywhere = 'Everywhere';
export const goToKey = 'Go to an archive, a table, a view, a record or a command';
export const shortcutsKey = 'Show the keyboard shortcuts';
export const shortcutsOutsideFieldsKey = 'Show the keyboard shortcuts, outside of fields';
