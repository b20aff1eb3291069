const WHERE = `  --data DIR            the data directory (./data; INDEXDESK_DATA)
  --database-url URL    postgres://…; without it SQLite in the data directory (INDEXDESK_DATABASE_URL)
  --files PLACE         documents' files: a directory, or s3://bucket/prefix (\`files\` in the data directory;
                        INDEXDESK_FILES)
  --s3-endpoint URL, --s3-region NAME, --s3-path-style true|false
                        where that bucket is, if not at Amazon (us-east-1); the keys are given by
                        INDEXDESK_S3_ACCESS_KEY_ID and INDEXDESK_S3_SECRET_ACCESS_KEY`;

const OVERVIEW = `Usage: indexdesk COMMAND …

  serve    start the service and the web admin
  load     load a definition file: archives, tables, users, documents, datasets
  user     add users, set passwords, disable and list users
  migrate  upgrade the database to this version, or say what that would change
  verify   check the history, and everything against it
  backup   write the whole installation into one file
  restore  make an installation of a backup, or check one
  copy     copy a whole installation to another database

\`indexdesk COMMAND --help\` tells more, \`indexdesk --version\` the version, commit and schema.`;

const SERVE = `Usage: indexdesk serve [OPTION]…

Starts the service and the web admin, and says where it listens. The first start makes the user admin and,
in a database without archives and tables, the sample content. A database of an older version is upgraded first
(\`indexdesk migrate --dry-run\` says how).

  --host HOST           the address to listen on (127.0.0.1; INDEXDESK_HOST)
  --port PORT           the port, 0 for any free one (8080; INDEXDESK_PORT)
${WHERE}
  --database-direct-url URL
                        PostgreSQL's own address where a pooler stands between: one connection listens there
  --database-connections N
                        connections of this process to PostgreSQL at most, beside that one (10)
  --empty               no sample content (INDEXDESK_EMPTY=true)
  --archive-module NAME, --data-module NAME
                        path segments of the two modules (archiveapp, dataapp)
  --session-idle-hours N, --session-life-days N
                        when sessions end (8, 7)
  --max-batch N         the most revisions or datasets of one call (10000)
  --max-in-values N, --max-keywords N
                        the most values of an in list and of a keyword field (1000)
  --max-body-bytes N, --max-file-bytes N
                        the largest bodies and files (32MiB, 256MiB)
  --max-stored-answer-bytes N
                        answers stored for one person's idempotency keys (64MiB)
  --trusted-proxies LIST
                        addresses of proxies whose X-Forwarded-… headers count
  --metrics-from LIST   addresses that may read /metrics (loopback; none for nobody)
  --header-seconds N, --stall-seconds N
                        when slow clients are cut (20, 30)
  --anonymous-body-seconds N
                        how long the body of a request without a session may take (5)
  --max-connections N   connections at once (10000)
  --max-requests N, --max-heavy-requests N
                        requests, and exports, imports and plans, at once (1000, 4)
  --max-query-seconds N how long a list, count or other query may take (10)
  --max-delay-seconds N, --max-wait-seconds N
                        how far behind the process and the database may be before requests are
                        refused (2, 10)
  --drain-seconds N     how long a process told to stop still takes requests while it is not ready (2)
  --log-level LEVEL     trace, debug, info, warn, error, fatal or silent (info)

Each option is also an environment variable: INDEXDESK_ and its name in capitals, - as _.
INDEXDESK_ADMIN_PASSWORD is the password of the user admin; without it one is generated and printed once.`;

const LOAD = `Usage: indexdesk load FILE [OPTION]…

Loads a definition file. What is there already is never changed: differences are counted and said. A database of an
older version is upgraded first.

${WHERE}
  --skip-bad-rows [CSV] loads what is good of an archive or table with bad rows, and writes the bad ones with
                        what is wrong to a CSV file (NAME-bad-rows.csv beside FILE; INDEXDESK_SKIP_BAD_ROWS=true
                        or a path); exits with 1 where rows were skipped`;

const USER = `Usage: indexdesk user add USERNAME [OPTION]…
       indexdesk user password USERNAME
       indexdesk user disable USERNAME
       indexdesk user enable USERNAME
       indexdesk user list

Works while the service runs, and takes effect within a second. Passwords are taken from
INDEXDESK_USER_PASSWORD, else asked for on a terminal, else generated and printed once.

${WHERE}
 of add alone:
  --role ROLE           administrator, clerk or reader (clerk)
  --display-name NAME   as others see the user
  --archive NAME=RIGHT  read, write or manage; may be given several times
  --table NAME=RIGHT    the same for a table`;

const MIGRATE = `Usage: indexdesk migrate [--dry-run] [OPTION]…

Upgrades the database of an installation to the version that this Indexdesk needs. \`serve\` and \`load\` do the same
when they start; all other commands change no tables and refuse a database of another version. Stop the service first.

${WHERE}
  --dry-run             only says what would be changed; works while the service runs`;

const VERIFY = `Usage: indexdesk verify [OPTION]…
       indexdesk verify --export
       indexdesk verify --backup FILE [OPTION]…

Checks that the database is sound, that the chain of the history is whole, and that records, definitions, users
and files are what the history says. Works while the service runs. Says what it finds, and exits with 1 then.

${WHERE}
  --export              prints the head of the history's chain, one line to be kept elsewhere; with other options
                        after the verification, whose report then goes to stderr
  --since HEAD          proves that nothing up to that head was changed or removed since
  --contents            reads the files too and compares their SHA-256
  --deep                compares the database's indexes with its tables too
  --backup FILE         verifies what is in a backup instead, of which every byte is compared first; its database is
                        unpacked into the system's temporary directory (TMPDIR) meanwhile`;

const COPY = `Usage: indexdesk copy --from PLACE --to PLACE [OPTION]…

Copies a whole installation into an empty one, from SQLite to PostgreSQL, back, or to another of the same kind:
definitions, records, history, users with their sessions, queues, views, files. Stop the service first. A copy
that was cut off goes on when the same command runs again; at the end every table is compared on both sides.

  --from PLACE, --to PLACE
                        a data directory, or postgres://…
  --from-data DIR, --to-data DIR
                        the data directory of a PostgreSQL side (./data; INDEXDESK_DATA)
  --from-files PLACE, --to-files PLACE
                        where the files of a side are, as --files of serve (\`files\` in its data directory; of
                        a PostgreSQL side what INDEXDESK_FILES says)`;

const BACKUP = `Usage: indexdesk backup FILE [OPTION]…

Writes the database as it is at one moment, the documents' files and a manifest with their SHA-256 into one tar
file, also while the service runs. Replaces no file, and leaves none that is not whole. Exits with 1 where
documents' files are missing or damaged; all others are in the backup then.

${WHERE}`;

const RESTORE = `Usage: indexdesk restore FILE [OPTION]…

Makes an installation of a backup in a new data directory, and in a new database where one of PostgreSQL is given.
The backup is checked whole before anything is written. One that was cut off is begun anew by the same command.

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
