/** What is wrong with a database, for the administrator. */
export const startDiskFull = (path: string) =>
  `There is no room on the disk of ${path}. Make room and start again.`;
export const startReadOnly = (path: string) =>
  `The database ${path} may not be written to. Give this user the right to write to it and to its directory, or mount the disk for writing.`;
export const startDiskFailed = (path: string) =>
  `The database ${path} cannot be opened. Look after the disk and the rights on the file and its directory.`;
export const startDamaged = (path: string) =>
  `The database ${path} is damaged, or is no database. Copy its directory as it is, then restore the last good backup into a new one with \`indexdesk restore FILE --data DIR\`.`;
export const commandDiskFull = (places: string) =>
  `There is no room on a disk: ${places}. Make room and run the command again.`;
export const commandDiskFailed = (places: string) =>
  `A disk failed: ${places}. Look after it, and run the command again.`;
export const directoryOpenToOthers = ({ directory, value }: { directory: string; value: string }) =>
  `Warning: other users of this machine may use the directory ${directory} (its mode is ${value}), and may read what is in it. Take that right away: chmod -R go= '${directory}'`;
export const postgresDatabase = ({
  database,
  schema,
}: {
  database: string;
  schema: string | null;
}) => `The database ${database} (schema ${schema}) of --database-url`;
export const ownPostgresDatabaseNeeded = (user: string) =>
  `Indexdesk needs one of its own: \`createdb --owner ${user} NAME\`, and its name in --database-url.`;
export const postgresDatabaseEmpty = ({
  database,
  schema,
}: {
  database: string;
  schema: string | null;
}) => `There is no Indexdesk in the database ${database} (schema ${schema}).`;
export const sqliteDatabase = (file: string | undefined) => `The database ${file}`;
export const chooseOtherDirectory = 'Choose another directory with --data.';
export const sqliteDatabaseEmpty = (file: string | undefined) =>
  `There is no Indexdesk database in ${file}: it has no tables.`;
export const checkingRelation = ({ value, count }: { value: number; count: number }) =>
  `The database: table or index ${value} of ${count}`;
export const relation = ({ kind, name }: { kind: string; name: string }) =>
  `The database, ${kind} ${name}`;
export const tableProblem = ({ name, msg }: { name: string; msg: string }) =>
  `The database, table ${name}: ${msg}.`;
export const checkingPages = 'The database: pages and tables';
export const theDatabase = 'The database';
export const databaseProblem = (line: string) => `The database: ${line}.`;
export const references = 'The references of the database';
export const rowWithoutParent = ({
  rowid,
  table,
  parent,
}: {
  rowid: number | null;
  table: string;
  parent: string;
}) => `The database: row ${rowid} of ${table} belongs to no row of ${parent}.`;
