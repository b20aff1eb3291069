/** What is wrong with a database, for the administrator. */
export const diskServiceFullNothingSaved =
  'The disk of the service is full: nothing can be saved until there is room again. Nothing was saved. Tell the administrator.';
export const serviceOnlyReadWhereData =
  'The service may only read where its data is kept: nothing can be saved. Nothing was saved. Tell the administrator.';
export const diskServiceFailedSoNothing =
  'The disk of the service failed, so nothing was confirmed. Look whether the change is there before you repeat it. Tell the administrator.';
export const partDatabaseDamagedWhatStill =
  'A part of the database is damaged. What can still be read is shown, but nothing more is saved, to make it no worse. Tell the administrator.';
export const noRoomDiskMakeRoom = (path: string) =>
  `There is no room on the disk of ${path}. Make room and start again.`;
export const databaseNotWrittenGiveUser = (path: string) =>
  `The database ${path} may not be written to. Give this user the right to write to it and to its directory, or mount the disk for writing.`;
export const databaseCannotOpenedLookAfter = (path: string) =>
  `The database ${path} cannot be opened. Look after the disk and the rights on the file and its directory.`;
export const databaseDamagedNoDatabaseCopy = (path: string) =>
  `The database ${path} is damaged, or is no database. Copy its directory as it is, then restore the last good backup into a new one with \`indexdesk restore FILE --data DIR\`.`;
export const noRoomOnDisks = (places: string) =>
  `There is no room on a disk: ${places}. Make room and run the command again.`;
export const diskFailedLookAfterRun = (places: string) =>
  `A disk failed: ${places}. Look after it, and run the command again.`;
export const warningOtherUsersMachineUse = ({
  directory,
  value,
}: {
  directory: string;
  value: string;
}) =>
  `Warning: other users of this machine may use the directory ${directory} (its mode is ${value}), and may read what is in it. Take that right away: chmod -R go= '${directory}'`;
export const databaseSchemaDatabaseUrl = ({
  database,
  schema,
}: {
  database: string;
  schema: string | null;
}) => `The database ${database} (schema ${schema}) of --database-url`;
export const indexdeskNeedsOneOwnCreatedb = (user: string) =>
  `Indexdesk needs one of its own: \`createdb --owner ${user} NAME\`, and its name in --database-url.`;
export const noIndexdeskDatabaseSchema = ({
  database,
  schema,
}: {
  database: string;
  schema: string | null;
}) => `There is no Indexdesk in the database ${database} (schema ${schema}).`;
export const database = (file: string | undefined) => `The database ${file}`;
export const chooseAnotherDirectoryData = 'Choose another directory with --data.';
export const noIndexdeskDatabaseNoTables = (file: string | undefined) =>
  `There is no Indexdesk database in ${file}: it has no tables.`;
export const databaseTableIndex = ({ value, count }: { value: number; count: number }) =>
  `The database: table or index ${value} of ${count}`;
export const databaseObject = ({ kind, name }: { kind: string; name: string }) =>
  `The database, ${kind} ${name}`;
export const databaseTable = ({ name, msg }: { name: string; msg: string }) =>
  `The database, table ${name}: ${msg}.`;
export const databasePagesTables = 'The database: pages and tables';
export const theDatabase = 'The database';
export const databaseProblem = (line: string) => `The database: ${line}.`;
export const referencesDatabase = 'The references of the database';
export const databaseRowBelongsNoRow = ({
  rowid,
  table,
  parent,
}: {
  rowid: number | null;
  table: string;
  parent: string;
}) => `The database: row ${rowid} of ${table} belongs to no row of ${parent}.`;
