/** What is wrong with a database, for the administrator. */
export const startDiskFull = (path: string) =>
  `The disk of ${path} is full. Free some space, and start again.`;
export const startReadOnly = (path: string) =>
  `The database ${path} cannot be written to. Give this user the right to write to it and to its directory, or mount the disk for writing.`;
export const startDiskFailed = (path: string) =>
  `The database ${path} cannot be opened. Check the disk, and the rights on the file and its directory.`;
export const startDamaged = (path: string) =>
  `The database ${path} is damaged, or is not a database. Copy its directory as it is, then restore the last good backup into a new one with \`indexdesk restore FILE --data DIR\`.`;
export const commandDiskFull =
  'A disk is full: that of the data directory, of the file that the command makes, or of temporary files (TMPDIR). Free some space, and run the command again.';
export const commandDiskFailed =
  'A disk failed: that of the data directory, of the file that the command makes, or of temporary files (TMPDIR). Check it, and run the command again.';
export const directoryOpenToOthers = ({ directory, value }: { directory: string; value: string }) =>
  `Warning: other users of this machine may use the directory ${directory} (its mode is ${value}), and may read what is in it. Remove that right: chmod -R go= '${directory}'`;
export const postgresDatabase = ({
  database,
  schema,
}: {
  database: string;
  schema: string | null;
}) => `The database ${database} (schema ${schema}) of --database-url`;
export const ownPostgresDatabaseNeeded = (user: string) =>
  `Indexdesk needs a separate database: \`createdb --owner ${user} NAME\`, and its name in --database-url.`;
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
/** behind `Database: ` in the result of a verification */
export const integrity = {
  sqlite: 'its pages, tables and references were checked, its indexes not (--deep)',
  sqliteDeep: 'its pages, tables, indexes and references were checked',
  postgres: 'its tables and indexes were checked by amcheck, not against each other (--deep)',
  postgresDeep: 'its tables and indexes were checked by amcheck',
  noAmcheck: 'not checked by its own means, as the extension amcheck is not there for this user',
};
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
}) => `The database: row ${rowid} of ${table} refers to a row of ${parent} that does not exist.`;
export const postgresUnreachable = (why: string) =>
  `The database of --database-url cannot be reached: ${why}`;
export const postgresTooOld = (oldest: number) => `PostgreSQL ${oldest} or newer is needed.`;
export const encodingUnsuitable = ({ encoding, client }: { encoding: string; client: string }) =>
  `The database's encoding is ${encoding} (client ${client}), UTF8 is needed: create it with \`CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0\`.`;
export const dateStyleUnsuitable = (dates: string) =>
  `The database's DateStyle is ${dates}, ISO is needed: \`ALTER DATABASE … SET DateStyle TO 'ISO'\` (or ALTER ROLE, where it is set there).`;
export const noUsableSchema = ({ database, user }: { database: string; user: string }) =>
  `No schema of the database ${database} that the user ${user} may use is in its search_path: name one there.`;
export const mayNotCreateTables = ({
  user,
  database,
  schema,
}: {
  user: string;
  database: string;
  schema: string;
}) =>
  `The user ${user} has no right to create tables in the database ${database} (schema ${schema}). As its administrator: \`alter database ${database} owner to ${user}\`, or \`grant create on schema ${schema} to ${user}\`.`;
export const noDatabaseIn = (directory: string) =>
  `There is no Indexdesk database in ${directory}. Name the data directory of an installation; \`indexdesk serve\` creates a new one.`;
export const versionUnknown = ({ version, known }: { version: string; known: number }) =>
  `The database has version ${version}, but this Indexdesk supports versions up to ${known}. Start the newer Indexdesk that last used it, or restore a backup made before.`;
export const upgradeNeeded = ({ from, to }: { from: number; to: number }) =>
  `The database has version ${from}, but this Indexdesk needs version ${to}. Nothing was changed. Use the older Indexdesk that serves it, or stop the service and upgrade the database: \`indexdesk migrate --dry-run\` lists the changes, \`indexdesk migrate\` applies them.`;
export const directoryNotCreated = ({ directory, why }: { directory: string; why: string }) =>
  `The data directory ${directory} cannot be created: ${why}`;
export const restoreUnfinished = (directory: string) =>
  `The data directory ${directory} is an unfinished restore. Run the same \`indexdesk restore\` again: it starts from the beginning.`;
export const directoryInUse = (directory: string) =>
  `The data directory ${directory} is in use by another Indexdesk process. Stop that process first, or choose another directory with --data.`;
export const directoryReadOnly = ({ directory, why }: { directory: string; why: string }) =>
  `The data directory ${directory} cannot be written to. Give this user the right to write to it, or mount the disk for writing. (${why})`;
export const directoryNotLocked = ({ directory, why }: { directory: string; why: string }) =>
  `The data directory ${directory} cannot be locked: ${why}`;
export const databaseIsPartialCopy = (from: string) =>
  `This database is the unfinished copy of ${from}. Run the same \`indexdesk copy\` (or \`restore\`) again: it continues where it was interrupted. Nothing else can use the database until it is complete.`;
export const tableInUse =
  'A table was in use for ten minutes, such as by an export or a verification, so its columns were not changed. Run the command again when that work is done.';
export const foreignTables = ({
  place,
  tables,
  remedy,
}: {
  place: string;
  tables: string;
  remedy: string;
}) => `${place} contains tables of another program: ${tables}. ${remedy}`;
export const namedAndMore = ({ named, others }: { named: string; others: number }) =>
  `${named} and ${others} more`;
