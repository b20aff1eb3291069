import { SERVE_OPTIONS, type Option } from '#server/config.ts';

const INDENT = 24;
const WIDTH = 110;

/** An option with its description, wrapped beside it. */
function describe({ flag, variable, isSecret, value, description }: Option): string {
  const name = isSecret ? variable : `--${flag} ${value}`.trimEnd();
  const lines: string[] = [];
  let line = `  ${name}`.padEnd(INDENT);
  if (!line.endsWith(' ')) {
    lines.push(line);
    line = ' '.repeat(INDENT);
  }
  for (const word of description.split(' ')) {
    if (line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = ' '.repeat(INDENT);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/** The options of every command: the database and the documents' files. */
const SHARED = /^(?:data|database-url|files|s3-.*)$/;
const WHERE = SERVE_OPTIONS.filter(({ flag }) => SHARED.test(flag))
  .map(describe)
  .join('\n');

const OVERVIEW = `Usage: indexdesk COMMAND …

  serve    start the service and the web admin
  load     load a definition file: archives, tables, users, documents, datasets
  user     add users, set passwords, disable and list users
  migrate  upgrade the database to this version, or list the changes
  verify   check the history, and all data against it
  backup   write the whole installation into one file
  restore  create an installation from a backup, or check one
  copy     copy a whole installation to another database

\`indexdesk COMMAND --help\` describes a command, \`indexdesk --version\` prints version, commit and schema.`;

const SERVE = `Usage: indexdesk serve [OPTION]…

Starts the service and the web admin, and prints its address. The first start creates the user admin and loads the
sample content into a database without archives and tables. A database of an older version is upgraded first
(\`indexdesk migrate --dry-run\` lists the changes).

${SERVE_OPTIONS.map(describe).join('\n')}

Each option is also an environment variable: INDEXDESK_ and its name in capitals, with _ for -.`;

const LOAD = `Usage: indexdesk load FILE [OPTION]…

Loads a definition file. Existing content is never changed; differences are counted and reported. A database of an
older version is upgraded first.

${WHERE}
  --skip-bad-rows [CSV] loads the good rows of an archive or table, and writes the bad ones with their errors to a
                        CSV file (NAME-bad-rows.csv beside FILE; INDEXDESK_SKIP_BAD_ROWS=true or a path); exits
                        with 1 if rows were skipped`;

const USER = `Usage: indexdesk user add USERNAME [OPTION]…
       indexdesk user password USERNAME
       indexdesk user disable USERNAME
       indexdesk user enable USERNAME
       indexdesk user list

Works while the service runs, and takes effect within a second. The password is read from
INDEXDESK_USER_PASSWORD or from the terminal; without a terminal it is generated and printed.

${WHERE}
 for add only:
  --role ROLE           administrator, clerk or reader (clerk)
  --display-name NAME   the name that others see
  --archive NAME=RIGHT  read, write or manage; repeatable
  --table NAME=RIGHT    the same for a table`;

const MIGRATE = `Usage: indexdesk migrate [--dry-run] [OPTION]…

Upgrades the database of an installation to the version that this Indexdesk needs. \`serve\` and \`load\` do the same
when they start; other commands change no tables and refuse a database of another version. Stop the service first.

${WHERE}
  --dry-run             only lists the changes; works while the service runs`;

const VERIFY = `Usage: indexdesk verify [OPTION]…
       indexdesk verify --export
       indexdesk verify --backup FILE [OPTION]…

Checks the integrity of the database and of the history's chain, and compares records, definitions, users and files with
the history. Works while the service runs. Reports findings, and then exits with 1.

${WHERE}
  --export              prints the head of the history's chain, one line to store elsewhere; with other options
                        after the verification, whose report then goes to stderr
  --since HEAD          proves that nothing up to that head was changed or removed since
  --contents            also compares the SHA-256 of each file
  --deep                also compares the database's indexes with its tables
  --backup FILE         verifies a backup instead, after comparing every byte; its database is unpacked into the
                        temporary directory (TMPDIR)`;

const COPY = `Usage: indexdesk copy --from PLACE --to PLACE [OPTION]…

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

const BACKUP = `Usage: indexdesk backup FILE [OPTION]…

Writes a snapshot of the database, the documents' files and a manifest with their SHA-256 into one tar file, also while the
service runs. Never replaces a file or leaves an incomplete one. Exits with 1 if documents' files are missing or damaged;
all others are in the backup.

${WHERE}`;

const RESTORE = `Usage: indexdesk restore FILE [OPTION]…

Creates an installation from a backup in a new data directory, and in a new PostgreSQL database if one is given. The whole
backup is checked before anything is written. The same command starts an interrupted restore again.

${WHERE}
  --check               only compares the backup with its manifest`;

export const HELP = {
  overview: OVERVIEW,
  serve: SERVE,
  load: LOAD,
  user: USER,
  migrate: MIGRATE,
  verify: VERIFY,
  copy: COPY,
  backup: BACKUP,
  restore: RESTORE,
} as const;
