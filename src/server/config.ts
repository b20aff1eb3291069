import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import * as z from 'zod';
import { DEFAULT_LIMITS, MAX_BATCH, type CollectionLimits } from '#shared/limits.ts';
import { isNetwork } from './http/load-shedding/networks.ts';

/** What can be set, by flag (`--session-idle-hours 4`) or environment variable (`INDEXDESK_SESSION_IDLE_HOURS=4`). */
export interface Config {
  readonly host: string;
  /** 0: any free one */
  readonly port: number;
  /** the directory of the SQLite database and of the files; absolute */
  readonly dataDir: string;
  /** `postgres://…`; undefined: SQLite in `dataDir` */
  readonly databaseUrl: string | undefined;
  /** the same database without a pooler between, for notices; undefined: `databaseUrl` */
  readonly databaseDirectUrl: string | undefined;
  /** connections of this process to PostgreSQL at most, beside the one for notices */
  readonly databaseConnections: number;
  /** where documents' files are: a directory, absolute, or a store; undefined: `files` in `dataDir` */
  readonly files: string | S3Settings | undefined;
  /** whether a database without archives and tables stays so */
  readonly empty: boolean;
  /** path segments of the archive and the data table module */
  readonly archiveModule: string;
  readonly dataModule: string;
  /** of the administrator that is made where there is none; undefined: generated */
  readonly adminPassword: string | undefined;
  readonly sessionIdleHours: number;
  readonly sessionLifeDays: number;
  /** the most revisions or datasets of one call */
  readonly maxBatch: number;
  /** the most values of one `in` list of a filter */
  readonly maxInValues: number;
  /** the most values that a request may give to one keyword field of a revision */
  readonly maxKeywords: number;
  readonly maxBodyBytes: number;
  readonly maxFileBytes: number;
  /** of the answers that are stored for one person's idempotency keys, about */
  readonly maxStoredAnswerBytes: number;
  /** addresses and networks of the proxies whose `X-Forwarded-…` headers count */
  readonly trustedProxies: readonly string[];
  /** addresses and networks that may read the figures of the process; empty: nobody */
  readonly metricsFrom: readonly string[];
  /** how long a client may take for the headers of a request, in seconds */
  readonly headerSeconds: number;
  /** how long the body of a request without a valid session may take in all, in seconds */
  readonly anonymousBodySeconds: number;
  /** how long a client may send nothing of a body, or take nothing of an answer, in seconds */
  readonly stallSeconds: number;
  /** connections at once; further ones are closed as they come */
  readonly maxConnections: number;
  /** requests that are answered at once, before others are refused */
  readonly maxRequests: number;
  /** exports, imports and plans at once */
  readonly maxHeavyRequests: number;
  /** how long a query may take, the wait for its turn included, in seconds */
  readonly maxQuerySeconds: number;
  /** how far behind the process may be, and how long the database may be waited for, in seconds */
  readonly maxDelaySeconds: number;
  readonly maxWaitSeconds: number;
  /** how long a process that is told to stop goes on taking requests while it is not ready, in seconds */
  readonly drainSeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Where a store with S3's interface keeps files, and as whom. */
export interface S3Settings {
  /** `https://…`, without the bucket */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** before the names of all files: '' or ending in `/` */
  readonly prefix: string;
  /** whether the bucket stands in the path of addresses, else before their host */
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const MIB = 1024 * 1024;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const span = (max: number) =>
  z
    .string()
    .regex(/^[0-9]+(?:\.[0-9]+)?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().positive('must be above 0').max(max, `must be at most ${max}`));

const UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB };
const bytes = z
  .string()
  .regex(
    /^[0-9]{1,12}(?:[KMG]iB)?$/,
    'must be a number of bytes, or one of KiB, MiB or GiB (32MiB)',
  )
  .transform((text) => Number.parseInt(text, 10) * (UNITS[text.replace(/^[0-9]+/, '')] ?? 1))
  .pipe(z.int().min(1024, 'must be at least 1024 bytes'));

/** Segments that the interface uses itself beside the modules'. */
const TAKEN = ['sessions', 'users', 'events', 'configuration'];
const moduleSegment = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, 'must be a path segment of letters, digits, _ and -')
  .refine((name) => !TAKEN.includes(name), `must be none of ${TAKEN.join(', ')}`);

const networks = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((list) =>
      list
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );
const NETWORKS = 'must be a comma list of addresses or networks, such as 127.0.0.1,10.0.0.0/8';

const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://');

/** By the option's name; values are text, as flags and environment give them. */
const optionsSchema = z.object({
  host: z.string().default('127.0.0.1'),
  port: whole(0, 65_535).default(8080),
  data: z.string().default('./data'),
  'database-url': postgresUrl.optional(),
  'database-direct-url': postgresUrl.optional(),
  'database-connections': whole(2, 1000).default(10),
  files: z.string().optional(),
  's3-endpoint': z
    .string()
    .regex(
      /^https?:\/\/[^/?#@]+(?:\/[\w./-]*)?$/,
      'must be an address such as https://s3.example.com',
    )
    .optional(),
  's3-region': z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a name such as eu-central-1')
    .default('us-east-1'),
  's3-path-style': z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .transform((text) => text === 'true' || text === '1')
    .optional(),
  's3-access-key-id': z.string().optional(),
  's3-secret-access-key': z.string().optional(),
  empty: z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true' || text === '1'),
  'archive-module': moduleSegment.default('archiveapp'),
  'data-module': moduleSegment.default('dataapp'),
  'admin-password': z.string().optional(),
  'session-idle-hours': span(24 * 365).default(8),
  'session-life-days': span(3650).default(7),
  'max-batch': whole(1, 1_000_000).default(MAX_BATCH),
  'max-in-values': whole(1, 10_000).default(DEFAULT_LIMITS.inValues),
  'max-keywords': whole(1, 100_000).default(DEFAULT_LIMITS.keywordValues),
  'max-body-bytes': bytes.default(32 * MIB),
  'max-file-bytes': bytes.default(256 * MIB),
  'max-stored-answer-bytes': bytes.default(64 * MIB),
  'trusted-proxies': networks('').refine((list) => list.every(isNetwork), NETWORKS),
  'metrics-from': networks('loopback')
    .transform((list) => (list.join() === 'none' ? [] : list))
    .refine((list) => list.every(isNetwork), `${NETWORKS}, or none`),
  'header-seconds': span(3600).default(20),
  'anonymous-body-seconds': span(3600).default(5),
  'stall-seconds': span(3600).default(30),
  'max-connections': whole(1, 1_000_000).default(10_000),
  'max-requests': whole(1, 1_000_000).default(1000),
  'max-heavy-requests': whole(1, 10_000).default(4),
  'max-query-seconds': span(600).default(10),
  'max-delay-seconds': span(600).default(2),
  'max-wait-seconds': span(600).default(10),
  'drain-seconds': whole(0, 8).default(2),
  'log-level': z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});
type OptionName = keyof typeof optionsSchema.shape;
export const OPTION_NAMES = optionsSchema.keyof().options;

/** Options that only the environment gives: a flag would show them to everyone on the machine. */
const SECRET: readonly OptionName[] = [
  'admin-password',
  's3-access-key-id',
  's3-secret-access-key',
];

/** A setting that cannot be; the message names the option and is for the administrator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface CommandLine {
  readonly config: Config;
  /** what is no option, in its order */
  readonly positionals: readonly string[];
  /** the command's own options that were given; '' for one without a value */
  readonly own: ReadonlyMap<string, string>;
}

/**
 * Reads the options of a command: flags first, then environment variables, then defaults.
 * @param args what follows the command's name
 * @param own the command's own flags beside the settings, by whether they take a value
 * @throws {ConfigError} naming every bad or unknown option
 */
export function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, 'value' | 'switch'>> = {},
): CommandLine {
  const { values, positionals } = readFlags(args, own);
  const given: Record<string, string> = {};
  for (const name of OPTION_NAMES) {
    const value = values.get(name) ?? environment[variableOf(name)];
    if (value !== undefined && value !== '') given[name] = value;
  }
  const parsed = optionsSchema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => `${named(path[0])} ${message}.`).join('\n'),
    );
  }
  const options = parsed.data;
  if (options['archive-module'] === options['data-module']) {
    throw new ConfigError(`${named('data-module')} must differ from ${named('archive-module')}.`);
  }
  return {
    positionals,
    own: new Map([...values].filter(([name]) => Object.hasOwn(own, name))),
    config: {
      host: options.host,
      port: options.port,
      dataDir: resolve(options.data),
      databaseUrl: options['database-url'],
      databaseDirectUrl: options['database-direct-url'],
      databaseConnections: options['database-connections'],
      files: filesOf(options),
      empty: options.empty,
      archiveModule: options['archive-module'],
      dataModule: options['data-module'],
      adminPassword: options['admin-password'],
      sessionIdleHours: options['session-idle-hours'],
      sessionLifeDays: options['session-life-days'],
      maxBatch: options['max-batch'],
      maxInValues: options['max-in-values'],
      maxKeywords: options['max-keywords'],
      maxBodyBytes: options['max-body-bytes'],
      maxFileBytes: options['max-file-bytes'],
      maxStoredAnswerBytes: options['max-stored-answer-bytes'],
      trustedProxies: options['trusted-proxies'],
      metricsFrom: options['metrics-from'],
      headerSeconds: options['header-seconds'],
      anonymousBodySeconds: options['anonymous-body-seconds'],
      stallSeconds: options['stall-seconds'],
      maxConnections: options['max-connections'],
      maxRequests: options['max-requests'],
      maxHeavyRequests: options['max-heavy-requests'],
      maxQuerySeconds: options['max-query-seconds'],
      maxDelaySeconds: options['max-delay-seconds'],
      maxWaitSeconds: options['max-wait-seconds'],
      drainSeconds: options['drain-seconds'],
      logLevel: options['log-level'],
    },
  };
}

/** @throws {ConfigError} */
function filesOf(options: z.infer<typeof optionsSchema>): Config['files'] {
  const { files } = options;
  if (files === undefined) return undefined;
  if (!/^[a-z0-9]+:\/\//i.test(files)) return resolve(files);
  const place = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(files);
  const [, bucket = '', path = ''] = place ?? [];
  const segments = path.split('/').filter((segment) => segment !== '');
  if (!place || segments.some((segment) => /^\.+$/.test(segment))) {
    throw new ConfigError(
      `${named('files')} must be a directory, or a bucket as s3://bucket or s3://bucket/prefix.`,
    );
  }
  const accessKeyId = options['s3-access-key-id'];
  const secretAccessKey = options['s3-secret-access-key'];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const both = `${variableOf('s3-access-key-id')} and ${variableOf('s3-secret-access-key')}`;
    throw new ConfigError(`${named('files')} needs ${both}.`);
  }
  const region = options['s3-region'];
  const endpoint = options['s3-endpoint'];
  return {
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    // Amazon serves it as part of the host's name, others mostly as part of the path.
    pathStyle: options['s3-path-style'] ?? endpoint !== undefined,
    accessKeyId,
    secretAccessKey,
  };
}

function readFlags(args: readonly string[], own: Readonly<Record<string, 'value' | 'switch'>>) {
  const known: ParseArgsOptionsConfig = {};
  for (const name of OPTION_NAMES) {
    if (!SECRET.includes(name)) known[name] = { type: name === 'empty' ? 'boolean' : 'string' };
  }
  for (const [name, kind] of Object.entries(own)) {
    known[name] = { type: kind === 'switch' ? 'boolean' : 'string' };
  }
  // Not strict: the errors are told in our own words.
  const { tokens } = parseArgs({ args: [...args], options: known, tokens: true, strict: false });
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!option) throw new ConfigError(`There is no option ${token.rawName}.`);
    if (values.has(token.name)) throw new ConfigError(`${token.rawName} is given twice.`);
    if (option.type === 'string' && token.value === undefined) {
      throw new ConfigError(`${token.rawName} needs a value.`);
    }
    if (option.type === 'boolean' && token.value !== undefined) {
      throw new ConfigError(`${token.rawName} takes no value.`);
    }
    values.set(token.name, token.value ?? (token.name === 'empty' ? 'true' : ''));
  }
  return { values, positionals };
}

/** The environment variable of an option. */
export function variableOf(name: string): string {
  return `INDEXDESK_${name.toUpperCase().replaceAll('-', '_')}`;
}

function named(name: PropertyKey | undefined): string {
  const option = String(name);
  const variable = variableOf(option);
  return SECRET.some((secret) => secret === option) ? variable : `--${option} (${variable})`;
}

/** The limits of requests to each archive and table, as the settings give them. */
export function limitsOf({ maxInValues, maxKeywords }: Config): CollectionLimits {
  return { inValues: maxInValues, keywordValues: maxKeywords };
}
