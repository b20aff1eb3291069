import * as texts from '#messages/service/cli.ts';
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import * as z from 'zod';
import { DEFAULT_LIMITS, MAX_BATCH, type CollectionLimits } from '#shared/rules/limits.ts';
import { isNetwork } from './http/load-shedding/networks.ts';

/** An S3 bucket for documents' files, with the keys for it. */
export interface S3Settings {
  /** `https://…`, without the bucket */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** before the names of all files: '' or ending in `/` */
  readonly prefix: string;
  /** whether the bucket is in the path of URLs; otherwise in the host name */
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const MIB = 1024 * 1024;

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const positive = (max: number) =>
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

const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');

/** Path segments that the interface itself uses. */
const RESERVED = ['sessions', 'users', 'events', 'configuration'];
const moduleSegment = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, 'must be a path segment of letters, digits, _ and -')
  .refine((name) => !RESERVED.includes(name), `must be none of ${RESERVED.join(', ')}`);

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

/** What the help says of a setting, and the name of its value there. */
const help = (value: string, description: string) => ({ value, description });

/** Where data and documents' files are. */
const placesSchema = z.object({
  data: z.string().default('./data').meta(help('DIR', 'data directory (./data)')),
  files: z
    .string()
    .optional()
    .meta(
      help(
        'PLACE',
        "documents' files: a directory, or s3://bucket/prefix (`files` in the data directory)",
      ),
    ),
  s3Endpoint: z
    .string()
    .regex(
      /^https?:\/\/[^/?#@]+(?:\/[\w./-]*)?$/,
      'must be an address such as https://s3.example.com',
    )
    .optional()
    .meta(help('URL', "the bucket's server (Amazon's)")),
  s3Region: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a name such as eu-central-1')
    .default('us-east-1')
    .meta(help('NAME', "the bucket's region (us-east-1)")),
  s3PathStyle: flag
    .optional()
    .meta(
      help('true|false', 'whether the bucket is in the path of URLs (true with --s3-endpoint)'),
    ),
  s3AccessKeyId: z.string().optional().meta(help('', "the bucket's access key")),
  s3SecretAccessKey: z.string().optional().meta(help('', "the bucket's secret key")),
});

/**
 * All other settings. `sessionIdleHours` is the flag `--session-idle-hours` and the environment variable
 * `INDEXDESK_SESSION_IDLE_HOURS`. Values are text; the descriptions are those of `serve --help`.
 */
const settingsSchema = z.object({
  host: z.string().default('127.0.0.1').meta(help('HOST', 'address to listen on (127.0.0.1)')),
  port: integer(0, 65_535).default(8080).meta(help('PORT', 'port; 0 for any free one (8080)')),
  databaseUrl: postgresUrl
    .optional()
    .meta(help('URL', 'postgres://…; without it SQLite in the data directory')),
  databaseDirectUrl: postgresUrl
    .optional()
    .meta(help('URL', 'the same database without a pooler, for notifications')),
  databaseConnections: integer(2, 1000)
    .default(10)
    .meta(help('N', 'most connections to PostgreSQL, without the one for notifications (10)')),
  empty: flag.default(false).meta(help('', 'no sample content')),
  archiveModule: moduleSegment
    .default('archiveapp')
    .meta(help('NAME', 'path segment of the archives (archiveapp)')),
  dataModule: moduleSegment
    .default('dataapp')
    .meta(help('NAME', 'path segment of the tables (dataapp)')),
  adminPassword: z
    .string()
    .optional()
    .meta(help('', 'password of the user admin at the first start (generated and printed once)')),
  sessionIdleHours: positive(24 * 365)
    .default(8)
    .meta(help('N', 'a session ends after so many hours without a request (8)')),
  sessionLifeDays: positive(3650)
    .default(7)
    .meta(help('N', 'a session ends after so many days in any case (7)')),
  maxBatch: integer(1, 1_000_000)
    .default(MAX_BATCH)
    .meta(help('N', 'most revisions or datasets of one request (10000)')),
  maxInValues: integer(1, 10_000)
    .default(DEFAULT_LIMITS.inValues)
    .meta(help('N', 'most values of an `in` list of a filter (1000)')),
  maxKeywords: integer(1, 100_000)
    .default(DEFAULT_LIMITS.keywordValues)
    .meta(help('N', 'most values of a keyword field in a request (1000)')),
  maxBodyBytes: bytes.default(32 * MIB).meta(help('N', 'largest JSON body (32MiB)')),
  maxFileBytes: bytes.default(256 * MIB).meta(help('N', 'largest file (256MiB)')),
  maxStoredAnswerBytes: bytes
    .default(64 * MIB)
    .meta(help('N', 'most responses stored for the idempotency keys of a user (64MiB)')),
  trustedProxies: networks('')
    .refine((list) => list.every(isNetwork), NETWORKS)
    .meta(help('LIST', 'addresses or networks of proxies whose X-Forwarded-… headers count')),
  metricsFrom: networks('loopback')
    .transform((list) => (list.join() === 'none' ? [] : list))
    .refine((list) => list.every(isNetwork), `${NETWORKS}, or none`)
    .meta(help('LIST', 'addresses or networks that may read /metrics, or none (loopback)')),
  headerSeconds: positive(3600)
    .default(20)
    .meta(help('N', 'how long a client may take for the headers of a request (20)')),
  anonymousBodySeconds: positive(3600)
    .default(5)
    .meta(help('N', 'how long the body of a request without a session may take (5)')),
  stallSeconds: positive(3600)
    .default(30)
    .meta(help('N', 'how long a client may make no progress in a body or a response (30)')),
  maxStreamSeconds: positive(24 * 3600)
    .default(600)
    .meta(help('N', 'how long an event stream lasts before the client reconnects (600)')),
  maxConnections: integer(1, 1_000_000)
    .default(10_000)
    .meta(help('N', 'most simultaneous connections (10000)')),
  maxRequests: integer(1, 1_000_000)
    .default(1000)
    .meta(help('N', 'most simultaneous requests (1000)')),
  maxHeavyRequests: integer(1, 10_000)
    .default(4)
    .meta(help('N', 'most simultaneous exports, imports and plans (4)')),
  maxQuerySeconds: positive(600)
    .default(10)
    .meta(help('N', 'how long a list, count or other query may take (10)')),
  maxDelaySeconds: positive(600)
    .default(2)
    .meta(help('N', 'delay of the event loop from which on requests are refused (2)')),
  maxWaitSeconds: positive(600)
    .default(10)
    .meta(help('N', 'wait for the database from which on requests are refused (10)')),
  drainSeconds: integer(0, 8)
    .default(2)
    .meta(help('N', 'how long requests are served after SIGTERM while /readyz answers 503 (2)')),
  language: z
    .string()
    .regex(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag such as en or de')
    .default('en')
    .meta(help('TAG', 'language of the web admin, of those that are built (en)')),
  logLevel: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .meta(help('LEVEL', `${LOG_LEVELS.join(', ')} (info)`)),
});

/** The settings of a process. */
export interface Config extends Readonly<z.output<typeof settingsSchema>> {
  /** the directory of the SQLite database and of the files; absolute */
  readonly dataDir: string;
  /** an absolute directory or a bucket; undefined: `files` in `dataDir` */
  readonly files: string | S3Settings | undefined;
}

/** Settings that only the environment gives: other users of the machine could read a flag. */
const SECRET: readonly PropertyKey[] = ['adminPassword', 's3AccessKeyId', 's3SecretAccessKey'];

/** How a setting is given. */
export interface Option {
  /** without `--` */
  readonly flag: string;
  readonly variable: string;
  readonly isSecret: boolean;
  /** for the help */
  readonly value: string;
  readonly description: string;
}

const OPTIONS = Object.entries({ ...placesSchema.shape, ...settingsSchema.shape }).map(
  ([key, schema]) => {
    const flag = flagOf(key);
    const { value, description = '' } = schema.meta() ?? {};
    const option: Option = {
      flag,
      variable: variableOf(flag),
      isSecret: SECRET.includes(key),
      value: String(value),
      description,
    };
    return { key, ...option };
  },
);
export const SERVE_OPTIONS: readonly Option[] = OPTIONS;

function flagOf(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An invalid setting; the message names the option and is for the administrator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface CommandLine {
  readonly config: Config;
  /** the arguments that are not options, in order */
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
  for (const { key, flag, variable } of OPTIONS) {
    const value = values.get(flag) ?? environment[variable];
    if (value !== undefined && value !== '') given[key] = value;
  }
  const places = placesSchema.safeParse(given);
  const settings = settingsSchema.safeParse(given);
  if (!places.success || !settings.success) {
    const issues = [places, settings].flatMap(({ error }) => error?.issues ?? []);
    throw new ConfigError(
      issues.map(({ path, message }) => `${named(path[0])} ${message}.`).join('\n'),
    );
  }
  const { archiveModule, dataModule } = settings.data;
  if (archiveModule === dataModule) {
    throw new ConfigError(
      texts.differFrom({ dataModule: named('dataModule'), archiveModule: named('archiveModule') }),
    );
  }
  const [dataDir, files] = [resolve(places.data.data), filesOf(places.data)];
  return {
    positionals,
    own: new Map([...values].filter(([name]) => Object.hasOwn(own, name))),
    config: { ...settings.data, dataDir, files },
  };
}

/** @throws {ConfigError} */
function filesOf({
  files,
  s3Endpoint,
  s3Region: region,
  s3PathStyle,
  s3AccessKeyId: accessKeyId,
  s3SecretAccessKey: secretAccessKey,
}: z.output<typeof placesSchema>): Config['files'] {
  if (files === undefined) return undefined;
  if (!/^[a-z0-9]+:\/\//i.test(files)) return resolve(files);
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(files);
  const [, bucket = '', path = ''] = match ?? [];
  const segments = path.split('/').filter((segment) => segment !== '');
  if (!match || segments.some((segment) => /^\.+$/.test(segment))) {
    throw new ConfigError(texts.directoryBucketS3BucketS3(named('files')));
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(
      texts.needs({
        files: named('files'),
        s3AccessKeyId: named('s3AccessKeyId'),
        s3SecretAccessKey: named('s3SecretAccessKey'),
      }),
    );
  }
  return {
    endpoint: s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    // Amazon expects the bucket in the host name, most others in the path.
    pathStyle: s3PathStyle ?? s3Endpoint !== undefined,
    accessKeyId,
    secretAccessKey,
  };
}

function readFlags(args: readonly string[], own: Readonly<Record<string, 'value' | 'switch'>>) {
  const known: ParseArgsOptionsConfig = {};
  for (const { flag, isSecret } of OPTIONS) {
    if (!isSecret) known[flag] = { type: flag === 'empty' ? 'boolean' : 'string' };
  }
  for (const [name, kind] of Object.entries(own)) {
    known[name] = { type: kind === 'switch' ? 'boolean' : 'string' };
  }
  // Not strict: the error messages are ours.
  const { tokens } = parseArgs({ args: [...args], options: known, tokens: true, strict: false });
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!option) throw new ConfigError(texts.noOption(token.rawName));
    if (values.has(token.name)) throw new ConfigError(texts.givenTwice(token.rawName));
    if (option.type === 'string' && token.value === undefined) {
      throw new ConfigError(texts.optionNeedsValue(token.rawName));
    }
    if (option.type === 'boolean' && token.value !== undefined) {
      throw new ConfigError(texts.takesNoValue(token.rawName));
    }
    values.set(token.name, token.value ?? (token.name === 'empty' ? 'true' : ''));
  }
  return { values, positionals };
}

/** The environment variable of an option. */
export function variableOf(name: string): string {
  return `INDEXDESK_${name.toUpperCase().replaceAll('-', '_')}`;
}

function named(key: PropertyKey | undefined): string {
  const flag = flagOf(String(key));
  const variable = variableOf(flag);
  return SECRET.some((secret) => secret === key) ? variable : `--${flag} (${variable})`;
}

/** The limits of requests to each archive and table. */
export function limitsOf({ maxInValues, maxKeywords }: Config): CollectionLimits {
  return { inValues: maxInValues, keywordValues: maxKeywords };
}
