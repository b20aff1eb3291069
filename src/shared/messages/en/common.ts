/** Words that many screens use. What belongs to one subject is in its own file. */
export const tryAgain = 'Try again';
export const reloadPage = 'Reload the page';
export const loading = 'Loading';
export const progress = 'Progress';
export const done = 'Done';
