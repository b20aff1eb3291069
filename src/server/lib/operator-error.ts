/**
 * What prevents a start or a command, and whoever operates Indexdesk can resolve: a disk, a database, an argument. The
 * message, from the catalogue, names the remedy. All other errors are defects.
 */
export class OperatorError extends Error {}
