/**
 * What prevents a start or a command, and whoever operates Indexdesk can resolve: a disk, a database, an argument. The
 * message comes from the catalogue (a lint rule checks that), while those of plain errors are for the log.
 */
export class OperatorError extends Error {}
