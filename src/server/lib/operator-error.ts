/**
 * A problem of a start or a command that an operator of Indexdesk can resolve: a disk, a database, an argument. The
 * message comes from the catalogue (a lint rule checks that), while those of plain errors are for the log.
 */
export class OperatorError extends Error {}
