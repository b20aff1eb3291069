/** The help of each command. `options` are lines with the options that it shares with others. */
export const overview = `Usage: indexdesk COMMAND …

  serve    start the service and the web admin
  load     load a definition file: archives, tables, users, documents, datasets
  define   change the definitions of archives and tables by a definition file
  archive  retire an archive, or restore it
  table    retire a table, or restore it
  user     add, change, disable, delete and list users, set passwords
  group    add, change, delete and list groups
  secret   replace the secret from which keys are derived
  migrate  upgrade the database to this version, or list the changes
  verify   check the history, and all data against it
  backup   write the whole installation into one file
  restore  create an installation from a backup, or check one
  copy     copy a whole installation to another database

\`indexdesk COMMAND --help\` describes a command, \`indexdesk --version\` prints version, commit and schema.`;

export const serve = (options: string) => `Usage: indexdesk serve [OPTION]…

Starts the service and the web admin, and prints its address. The first start creates the user admin and loads the
sample content into a database without archives and tables. A database of an older version is upgraded first
(\`indexdesk migrate --dry-run\` lists the changes).

${options}

Each option is also an environment variable: INDEXDESK_ and its name in capitals, with _ for -.`;

export const load = (options: string) => `Usage: indexdesk load FILE [OPTION]…

Loads a definition file. Existing content is never changed; differences are counted and reported. A database of an
older version is upgraded first.

${options}
  --skip-bad-rows [CSV] loads the good rows of an archive or table, and writes the bad ones with their errors to a
                        CSV file (NAME-bad-rows.csv next to FILE; INDEXDESK_SKIP_BAD_ROWS=true or a path); exits
                        with 1 if rows were skipped`;

export const define = (options: string) => `Usage: indexdesk define FILE [--dry-run] [OPTION]…

Changes the definitions of archives and tables to those of a definition file, and prints the plan of each: fields that the
file leaves out are retired, \`renamedFrom\` renames a field. Documents, datasets and users of the file are ignored. Rules
that stored values break are refused. Works while the service runs; exits with 1 if anything was refused.

${options}
  --dry-run             only prints the plans
  --keep-misfits        applies rules although stored values break them, and makes null what cannot be converted`;

export const retirement = (
  kind: 'archive' | 'table',
  options: string,
) => `Usage: indexdesk ${kind} retire NAME [OPTION]…
       indexdesk ${kind} restore NAME
       indexdesk ${kind} purge NAME --confirm NAME
       indexdesk ${kind} purge NAME --field FIELD --confirm FIELD

\`retire\` hides the ${kind} from everyone, \`restore\` makes it visible again; nothing is deleted. \`purge\` deletes
permanently, also from the history: the ${kind} with all that it holds, which is retired first if it is in use, or the
values of one retired field. NAME is its name or GUID; --confirm repeats the name of what is deleted. Works while the
service runs, and takes effect within a second.

${options}`;

export const user = (options: string) => `Usage: indexdesk user add USERNAME [OPTION]…
       indexdesk user set USERNAME [OPTION]…
       indexdesk user delete USERNAME
       indexdesk user password USERNAME
       indexdesk user reset-factors USERNAME
       indexdesk user disable USERNAME
       indexdesk user enable USERNAME
       indexdesk user list
       indexdesk user token add USERNAME --name NAME --right RIGHT --expires TIME [OPTION]…
       indexdesk user token list USERNAME
       indexdesk user token delete USERNAME TOKENID

Works while the service runs, and takes effect within a second. \`add\` and \`password\` take the password of
INDEXDESK_USER_PASSWORD; without it they print a one-time password, which the user has to change after signing in.
The name of a deleted user cannot be used again. \`token add\` prints the token of a program, once: it never
has more than the rights of its user.

${options}
 for add and set only; set changes what is named:
  --role ROLE           administrator, clerk or reader (clerk)
  --display-name NAME   the name that others see
  --email ADDRESS       the e-mail address
  --group NAME          a group of the user; repeatable, replaces all groups
  --archive NAME=RIGHT  none, read, write or manage; repeatable
  --table NAME=RIGHT    the same for a table
  --rights JSON         all rights, also those of fields, as in definition files

 for token add only:
  --name NAME           for whom or what the token is
  --right RIGHT         the most that it may do: read, write or manage
  --expires TIME        when it ends, such as 2027-01-31T00:00:00Z
  --archive NAME        an archive that it may open, instead of all; repeatable, as is --table
  --table NAME          the same for a table
  --configuration       opens the administration too; only for administrators`;

export const group = (options: string) => `Usage: indexdesk group add NAME [OPTION]…
       indexdesk group set NAME [OPTION]…
       indexdesk group delete NAME
       indexdesk group list

Works while the service runs, and takes effect within a second.

${options}
 for add and set only; set changes what is named:
  --label TEXT          the name on screens
  --member USERNAME     a member; repeatable, replaces all members
  --archive NAME=RIGHT  none, read, write or manage; repeatable
  --table NAME=RIGHT    the same for a table
  --rights JSON         all rights, also those of fields, as in definition files`;

export const secret = (options: string) => `Usage: indexdesk secret replace [OPTION]…
       indexdesk secret remove-older [OPTION]…

\`replace\` creates a new secret of the installation, from which keys are derived, and encrypts the secrets of authenticator
apps with it. The older secrets only decrypt: unsaved input in browsers stays readable. \`remove-older\` removes them:
unsaved input from before the replacement is lost then. Works while the service runs, and takes effect at once.

${options}`;

export const migrate = (options: string) => `Usage: indexdesk migrate [--dry-run] [OPTION]…

Upgrades the database of an installation to the version that this Indexdesk needs. \`serve\` and \`load\` do the same
when they start; other commands change no tables and refuse a database of another version. Stop the service first.

${options}
  --dry-run             only lists the changes; works while the service runs`;

export const verify = (options: string) => `Usage: indexdesk verify [OPTION]…
       indexdesk verify --export
       indexdesk verify --backup FILE [OPTION]…

Checks the integrity of the database and of the history's chain, and compares records, definitions, users and files with
the history. Works while the service runs. Reports findings, and then exits with 1.

${options}
  --export              prints the head of the history's chain, one line to store elsewhere; with other options
                        after the verification, whose report then goes to stderr
  --since HEAD          proves that nothing up to that head was changed or removed since
  --contents            also compares the SHA-256 of each file
  --deep                also compares the database's indexes with its tables
  --backup FILE         verifies a backup instead, after comparing every byte; its database is unpacked into the
                        temporary directory (TMPDIR)`;

export const copy = `Usage: indexdesk copy --from PLACE --to PLACE [OPTION]…

Copies a whole installation into an empty one, from SQLite to PostgreSQL, back, or to another of the same kind:
definitions, records, history, users with their sessions, queues, views, files. Stop the service first. The same
command resumes an interrupted copy. At the end every table is compared on both sides.

  --from PLACE, --to PLACE
                        a data directory, or postgres://…
  --from-data DIR, --to-data DIR
                        the data directory of a PostgreSQL side (./data; INDEXDESK_DATA)
  --from-files PLACE, --to-files PLACE
                        the files of a side, as --files of serve (\`files\` in its data directory; for a
                        PostgreSQL side INDEXDESK_FILES)`;

export const backup = (options: string) => `Usage: indexdesk backup FILE [OPTION]…

Writes a snapshot of the database, the documents' files and a manifest with their SHA-256 into one tar file, also while the
service runs. Never replaces a file or leaves an incomplete one. Exits with 1 if documents' files are missing or damaged;
all others are in the backup.

${options}`;

export const restore = (options: string) => `Usage: indexdesk restore FILE [OPTION]…

Creates an installation from a backup in a new data directory, and in a new PostgreSQL database if one is given. The whole
backup is checked before anything is written. The same command starts an interrupted restore again.

${options}
  --check               only compares the backup with its manifest`;
